/// The two uses of AES-128 that advertising has. Behind a protocol, since this target has no cryptography:
/// the gateway hands in an implementation, a test may hand in a scripted one.
public protocol AdvertisingCipher: Sendable {
    /// AES-128-CCM (RFC 3610) in the opening direction.
    /// - Parameters:
    ///   - nonce: 7 to 13 bytes; its length fixes the length field of CCM.
    ///   - tag: 4 to 16 bytes, an even number.
    /// - Returns: nil where the tag does not fit: another key, or damaged or forged bytes.
    func openCCM(
        key: AES128Key, nonce: [UInt8], associatedData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
    ) -> [UInt8]?

    /// One block through AES-128, the function `e` of Core 5.4, Vol 3, Part H, 2.2.1.
    /// - Parameter block: 16 bytes, most significant first.
    /// - Returns: nil where the library refuses.
    func encryptBlock(_ block: [UInt8], key: AES128Key) -> [UInt8]?
}

/// A secret of 16 bytes. Does not show itself in a log.
public struct AES128Key: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Most significant first, as it is written.
    public let bytes: [UInt8]

    /// Nil unless there are 16.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Nil unless `text` is 32 hexadecimal digits, in either case.
    public init?(hexadecimal text: String) {
        let digits = Array(text.utf8).map(Self.digit)
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// The 32 digits, for the file of the key and for the gateway's own socket.
    public var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    public var description: String { "AES128Key(…)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
