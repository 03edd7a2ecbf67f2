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
        append(text)
    }

    /// - Parameter number: finite; JSON has no others.
    mutating func add(_ key: StaticString, _ number: Double?) {
        guard let number else { return }
        begin(key)
        append(number)
    }

    /// - Parameter numbers: finite; JSON has no others.
    mutating func add(_ key: StaticString, _ numbers: [Double]) {
        add(key, listOf: numbers) { $0.append($1) }
    }

    mutating func add(_ key: StaticString, _ texts: [String]) {
        add(key, listOf: texts) { $0.append($1) }
    }

    private mutating func add<Element>(
        _ key: StaticString, listOf elements: [Element], _ append: (inout FlatJSON, Element) -> Void
    ) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ number: Double) {
        // The shortest digits that give the same number, and 72 for 72.0.
        let digits = number.description
        bytes += digits.hasSuffix(".0") ? digits.utf8.dropLast(2) : digits.utf8.dropLast(0)
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { append(byte) }
        bytes.append(UInt8(ascii: "\""))
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

extension FlatJSON {
    enum Value {
        case text(String)
        case number(Double)
        case flag(Bool)
        case numbers([Double])
        case texts([String])
    }

    struct Member {
        let key: StaticString
        let value: Value

        init(_ key: StaticString, _ value: Value) {
            self.key = key
            self.value = value
        }

        var name: String { key.description }
    }

    /// An object of `members`, which it brings into order.
    static func encode(_ members: [Member]) -> [UInt8] {
        var json = FlatJSON()
        for member in members.sorted(by: { $0.name < $1.name }) {
            switch member.value {
            case .text(let text): json.add(member.key, text)
            case .number(let number): json.add(member.key, number)
            case .flag(let flag): json.add(member.key, flag)
            case .numbers(let numbers): json.add(member.key, numbers)
            case .texts(let texts): json.add(member.key, listOf: texts) { $0.append($1) }
            }
        }
        return json.finished()
    }
}
