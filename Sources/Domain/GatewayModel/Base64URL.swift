/// base64url without padding (RFC 4648 section 5, RFC 7515 section 2), and only in its one canonical form: of a
/// signed text there must not be two.
public enum Base64URL {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// Nil for another alphabet, padding, a length that none has, or bits that are left over and not zero.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in text {
            guard let value = values[Int(letter)] else { return nil }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= 1 << count - 1
        }
        return bits == 0 ? bytes : nil
    }

    public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(letters[Int(bits >> count & 0x3F)])
            }
            bits &= 1 << count - 1
        }
        if count > 0 { text.append(letters[Int(bits << (6 - count) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
