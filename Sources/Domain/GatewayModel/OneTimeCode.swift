/// Code of 8 characters that works once: somebody reads it on one screen and types it at another.
public struct OneTimeCode: Hashable, Sendable, CustomStringConvertible {
    /// Characters of a code.
    public enum Alphabet: Sendable {
        /// Crockford's base 32, 40 bits a code: without I, L, O and U, which people misread.
        case letters
        /// 10⁸ codes: for a code that is said on the telephone, in any language.
        case digits

        fileprivate var characters: [UInt8] {
            switch self {
            case .letters: Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
            case .digits: Array("0123456789".utf8)
            }
        }
    }

    /// Number of characters.
    public static let length = 8

    private let bytes: [UInt8]

    /// Creates a random code.
    /// - Parameter generator: cryptographically secure.
    public init(of alphabet: Alphabet, using generator: inout some RandomNumberGenerator) {
        let characters = alphabet.characters
        bytes = (0..<Self.length).map { _ in characters[Int.random(in: characters.indices, using: &generator)] }
    }

    /// Reads a code that a person typed: lower case, spaces and hyphens are accepted, `O` is `0`, `I` and `L` are `1`.
    /// Nil for another length or alphabet.
    public init?(_ text: String, of alphabet: Alphabet) {
        guard text.utf8.count <= 4 * Self.length else { return nil }
        let characters = alphabet.characters
        var read: [UInt8] = []
        for byte in text.uppercased().utf8 {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "O"): read.append(UInt8(ascii: "0"))
            case UInt8(ascii: "I"), UInt8(ascii: "L"): read.append(UInt8(ascii: "1"))
            default:
                guard characters.contains(byte) else { return nil }
                read.append(byte)
            }
        }
        guard read.count == Self.length else { return nil }
        bytes = read
    }

    /// The characters without a separator: for an address and the wire.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Two groups of four characters: for a person.
    public var grouped: String { "\(description.prefix(4))-\(description.suffix(4))" }

    /// Compares in constant time.
    func matches(_ other: OneTimeCode) -> Bool { bytes.isEqualInConstantTime(to: other.bytes) }
}

extension [UInt8] {
    /// Compares without a time that depends on the content. The lengths are no secret; empty arrays never match.
    package func isEqualInConstantTime(to other: [UInt8]) -> Bool {
        guard count == other.count, !isEmpty else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }
}
