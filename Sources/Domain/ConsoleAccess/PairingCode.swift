/// One-time code that pairs a device with the console: 8 of 32 letters, 40 bits.
package struct PairingCode: Hashable, Sendable, CustomStringConvertible {
    /// Number of letters.
    package static let length = 8
    /// Crockford's base 32: without I, L, O and U, which people misread.
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    private let bytes: [UInt8]

    /// Creates a random code.
    /// - Parameter generator: cryptographically secure.
    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in Self.letters[Int.random(in: 0..<32, using: &generator)] }
    }

    /// Reads a code that a person typed: lower case, spaces and hyphens are accepted, `O` is `0`, `I` and `L` are `1`.
    /// Nil for another length or alphabet.
    package init?(_ text: String) {
        guard text.utf8.count <= 4 * Self.length else { return nil }
        var read: [UInt8] = []
        for byte in text.uppercased().utf8 {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "O"): read.append(UInt8(ascii: "0"))
            case UInt8(ascii: "I"), UInt8(ascii: "L"): read.append(UInt8(ascii: "1"))
            default:
                guard Self.letters.contains(byte) else { return nil }
                read.append(byte)
            }
        }
        guard read.count == Self.length else { return nil }
        bytes = read
    }

    /// The letters without a separator: for an address.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Two groups of four letters: for a person.
    package var grouped: String { "\(description.prefix(4))-\(description.suffix(4))" }

    /// Compares in constant time.
    func matches(_ other: PairingCode) -> Bool { bytes.isEqualInConstantTime(to: other.bytes) }
}

extension [UInt8] {
    /// Compares without a time that depends on the content. The lengths are no secret; empty arrays never match.
    func isEqualInConstantTime(to other: [UInt8]) -> Bool {
        guard count == other.count, !isEmpty else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }
}
