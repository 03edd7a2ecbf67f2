extension GatewaySettings.Wearable {
    /// The 16 bytes of its key, read now; nil where it has none. A key that cannot be used is an error: its
    /// adverts would be dropped, and with them a call for help. The error shows nothing of the key.
    public func readKey() throws(SettingsError) -> [UInt8]? {
        guard let keyFile else { return nil }
        guard let key = Self.key(try SettingsFile.bytes(path: keyFile)) else {
            throw .unreadable(
                path: keyFile,
                reason:
                    "is no key of '\(id)': expected 32 hexadecimal digits and nothing else; copy the bind key "
                    + "from the device's app")
        }
        return key
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
