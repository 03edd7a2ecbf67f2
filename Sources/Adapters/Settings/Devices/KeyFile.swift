import Glibc

extension GatewaySettings.Wearable {
    /// The 16 bytes of its key, read now; nil where it has none. A key that cannot be used is a mistake in the
    /// settings, told with its place: its adverts would be dropped, and with them a call for help. The error
    /// shows nothing of the key. Blocking I/O.
    public func readKey() throws(SettingsError) -> [UInt8]? {
        guard let keyFile else { return nil }
        let bytes: [UInt8]?
        do throws(SettingsError) {
            bytes = try SettingsFile.bytesIfPresent(path: keyFile)
        } catch {
            throw wrongKey(error.description)
        }
        guard let bytes else {
            throw wrongKey("\(keyFile): there is no such file: write the key of '\(id)' into it")
        }
        try checkIsPrivate(keyFile)
        guard let key = Self.key(bytes) else {
            throw wrongKey(
                "\(keyFile): is no key of '\(id)': expected 32 hexadecimal digits and nothing else; copy the "
                    + "bind key from the device's app")
        }
        return key
    }

    /// Whoever knows the key can press the button from the street. The group may read: it is the gateway's.
    private func checkIsPrivate(_ path: String) throws(SettingsError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o027 != 0 else { return }
        throw wrongKey(
            "\(path): saw mode \(String(status.st_mode & 0o777, radix: 8)), expected that only the gateway can "
                + "read it: chown root:homegateway and chmod 640")
    }

    private func wrongKey(_ message: String) -> SettingsError {
        let key = WearableSection.section.full(WearableSection.keyFile.name)
        return .problems([
            SettingsProblem(file: place.file, line: place.line, column: nil, key: key, message: message)
        ])
    }

    /// Either case; one line end after it is no part of it.
    static func key(_ bytes: [UInt8]) -> [UInt8]? {
        var digits = bytes[...]
        if digits.last == UInt8(ascii: "\n") { digits.removeLast() }
        if digits.last == UInt8(ascii: "\r") { digits.removeLast() }
        let values = digits.compactMap {
            Character(Unicode.Scalar($0)).isASCII ? Character(Unicode.Scalar($0)).hexDigitValue : nil
        }
        guard digits.count == 32, values.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
