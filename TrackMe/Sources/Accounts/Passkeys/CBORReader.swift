import GatewayModel

/// Data item of CBOR (RFC 8949), of the kinds that authenticators send.
enum CBORItem: Hashable, Sendable {
    /// Key of a map.
    enum Key: Hashable, Sendable {
        case number(Int64)
        case text(String)
    }

    case number(Int64)
    case bytes([UInt8])
    case text(String)
    case list([CBORItem])
    case map([Key: CBORItem])
    case truth(Bool)
    case null

    /// Value of a key of a map. Nil for an item that is no map.
    subscript(key: Key) -> CBORItem? {
        if case .map(let members) = self { members[key] } else { nil }
    }

    var bytes: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }
}

/// Reads the canonical CBOR of authenticators (CTAP 2.1 section 8): lengths are definite, each head has the fewest bytes, there
/// are no tags and no fractions, a map has each key once, and at most four levels are within each other.
///
/// The order of the keys is not checked: both orders of CTAP are in use, and the meaning is the same.
struct CBORReader {
    static let deepest = 4

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Reads bytes that are one item, and nothing behind it.
    static func item(of bytes: [UInt8]) throws(PasskeyFault) -> CBORItem {
        var reader = CBORReader(bytes[...])
        let item = try reader.item()
        guard reader.rest.isEmpty else { throw .malformed("bytes behind an item of CBOR") }
        return item
    }

    mutating func item() throws(PasskeyFault) -> CBORItem { try item(at: 1) }

    /// - Parameter level: 1 for the outermost item. It bounds the recursion.
    private mutating func item(at level: Int) throws(PasskeyFault) -> CBORItem {
        let (type, argument) = try head()
        switch type {
        case 0: return .number(try Self.number(argument))
        // RFC 8949 section 3.1: -1 - argument.
        case 1: return .number(-1 - (try Self.number(argument)))
        case 2: return .bytes(Array(try take(argument)))
        case 3: return .text(try text(argument))
        case 4:
            var items: [CBORItem] = []
            for _ in 0..<(try count(argument, level, bytesOfEach: 1)) { items.append(try item(at: level + 1)) }
            return .list(items)
        case 5:
            var members: [CBORItem.Key: CBORItem] = [:]
            for _ in 0..<(try count(argument, level, bytesOfEach: 2)) {
                let key = try key()
                guard members.updateValue(try item(at: level + 1), forKey: key) == nil else {
                    throw .malformed("a key twice in a map of CBOR")
                }
            }
            return .map(members)
        case 7 where argument == 20: return .truth(false)
        case 7 where argument == 21: return .truth(true)
        case 7 where argument == 22: return .null
        default: throw .malformed("a kind of CBOR that no authenticator sends")
        }
    }

    private mutating func key() throws(PasskeyFault) -> CBORItem.Key {
        let (type, argument) = try head()
        switch type {
        case 0: return .number(try Self.number(argument))
        case 1: return .number(-1 - (try Self.number(argument)))
        case 3: return .text(try text(argument))
        default: throw .malformed("a key of CBOR that is no number and no text")
        }
    }

    /// Major type and argument, which is in the fewest bytes.
    private mutating func head() throws(PasskeyFault) -> (type: UInt8, argument: UInt64) {
        guard let byte = try take(1).first else { throw .malformed("CBOR that ends too early") }
        let (type, short) = (byte >> 5, byte & 0x1F)
        switch short {
        case 0..<24: return (type, UInt64(short))
        case 24...27:
            // Type 7 has fractions and simple values of two bytes here.
            guard type != 7 else { throw .malformed("a kind of CBOR that no authenticator sends") }
            let length = 1 << (short - 24)
            let argument = try take(UInt64(length)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let least: UInt64 = length == 1 ? 24 : 1 << (4 * UInt64(length))
            guard argument >= least else { throw .malformed("a head of CBOR that is longer than needed") }
            return (type, argument)
        default: throw .malformed("a length of CBOR that is not definite")
        }
    }

    private static func number(_ argument: UInt64) throws(PasskeyFault) -> Int64 {
        guard let number = Int64(exactly: argument) else { throw .malformed("a number of CBOR of 64 bits") }
        return number
    }

    private mutating func text(_ length: UInt64) throws(PasskeyFault) -> String {
        guard let text = String(validating: try take(length), as: UTF8.self) else {
            throw .malformed("a text of CBOR that is not UTF-8")
        }
        return text
    }

    /// Number of items of a list or a map. Each takes a byte at least, so that a short input holds no large number.
    private func count(_ argument: UInt64, _ level: Int, bytesOfEach: Int) throws(PasskeyFault) -> Int {
        guard level < Self.deepest || argument == 0 else { throw .malformed("CBOR that is too deep") }
        guard argument <= UInt64(rest.count / bytesOfEach) else {
            throw .malformed("CBOR that ends too early")
        }
        return Int(argument)
    }

    private mutating func take(_ count: UInt64) throws(PasskeyFault) -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else { throw .malformed("CBOR that ends too early") }
        let taken = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return taken
    }
}
