extension GatewaySettings.Issuer {
    /// What its keys file holds, read now; whether these are keys is for whoever reads them. Blocking I/O.
    public func readKeys() throws(SettingsError) -> [UInt8] {
        guard let bytes = try SettingsFile.bytesIfPresent(path: keys) else {
            throw .unreadable(
                path: keys, reason: "there is no such file: write the public keys of '\(id)' into it, a JWK set"
            )
        }
        return bytes
    }

    /// A mistake with its keys, at the place in the settings that names them.
    public func problem(_ message: String) -> SettingsProblem {
        SettingsProblem(
            file: place.file, line: place.line, column: nil,
            key: IssuerSection.section.full(IssuerSection.keys.name), message: message)
    }
}
