/// An object of the contract's JSON without objects inside, written member by member in the order of the keys.
///
/// It gives the bytes that `WireJSON` gives. A reading's is written for each value of each wearable, where an
/// encoder that looks at a type's fields takes several times as long.
struct FlatJSON {
    private var bytes: [UInt8] = []

    init() {
        // A reading's has some 300.
        bytes.reserveCapacity(384)
    }

    /// UTF-8, with the braces.
    consuming func finished() -> [UInt8] {
        if bytes.isEmpty { bytes.append(UInt8(ascii: "{")) }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// - Parameter key: as it stands in the text, in snake case. A nil value is left out, as all are.
    mutating func add(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        begin(key)
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { append(byte) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// - Parameter number: finite; JSON has no others.
    mutating func add(_ key: StaticString, _ number: Double?) {
        guard let number else { return }
        begin(key)
        // The shortest digits that give the same number, and 72 for 72.0.
        let digits = number.description
        bytes += digits.hasSuffix(".0") ? digits.utf8.dropLast(2) : digits.utf8.dropLast(0)
    }

    mutating func add(_ key: StaticString, _ flag: Bool?) {
        guard let flag else { return }
        begin(key)
        bytes += (flag ? "true" : "false").utf8
    }

    private mutating func begin(_ key: StaticString) {
        bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// One byte of a text (RFC 8259, section 7).
    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<0x20:
            bytes += (byte < 0x10 ? "\\u000" : "\\u00").utf8
            bytes += String(byte, radix: 16).utf8
        default: bytes.append(byte)
        }
    }
}
