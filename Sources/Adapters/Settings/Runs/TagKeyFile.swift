internal import RunBeacon

/// The identity resolving key of a tag, in a file beside the run files: 32 hexadecimal digits that only the gateway
/// can read.
enum TagKeyFile {
    /// 16 bytes, most significant first. Errors show nothing of the key. Blocking I/O.
    static func key(_ file: CompanionFile, in folder: String) throws(CredentialFile.Unusable) -> [UInt8] {
        let path = folder + "/" + file.name
        let text = try CredentialFile(path).text()
        guard let key = GatewaySettings.Wearable.key(Array(text.utf8)) else {
            throw CredentialFile.Unusable(
                description:
                    "\(path): is no key of a tag: expected 32 hexadecimal digits and nothing else in its "
                    + "first line")
        }
        return key
    }
}
