/// Why bytes are refused before any decoder sees them.
public enum JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLarge(bytes: Int, limit: Int)
    case notUTF8
    /// Objects and arrays within each other, deeper than `JSONReader.depthLimit`.
    case tooDeep(at: Int)
    /// More values than the reader allows; counted up to the first of them.
    case tooManyValues(Int, most: Int)
    /// The byte's offset, and the token that was expected there.
    case malformed(at: Int, expected: String)

    public var description: String {
        switch self {
        case .tooLarge(let bytes, let limit): "\(bytes) bytes, expected at most \(limit)"
        case .notUTF8: "not UTF-8"
        case .tooDeep(let offset):
            "more than \(JSONReader.depthLimit) levels of objects and arrays, at byte \(offset)"
        case .tooManyValues(let count, let most): "\(count) values or more, expected at most \(most)"
        case .malformed(let offset, let expected): "not JSON: expected \(expected) at byte \(offset)"
        }
    }
}

/// Checks that bytes are one JSON text (RFC 8259): UTF-8, the whole grammar, a bounded depth.
///
/// It does not recurse, so no input can exhaust the stack.
struct JSONShape {
    /// Digits of a number with its sign and exponent. A `Double` needs 24, an `Int64` 20.
    private static let longestNumber = 64

    private enum Expectation {
        case value
        /// After `[`: a value, or the end of an empty array.
        case elementOrEnd
        /// After `{`: a name, or the end of an empty object.
        case memberOrEnd
        /// After a comma in an object.
        case member
        /// After a value within an object or array.
        case commaOrEnd
        /// After the outermost value: white space alone.
        case nothing
    }

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    /// One bit a level, the innermost lowest: 1 is an object. `JSONReader.depthLimit` is at most 64.
    private var objects: UInt64 = 0
    private var values = 0
    private let mostValues: Int

    static func check(_ bytes: [UInt8], mostValues: Int = .max) throws(JSONFault) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
        var shape = JSONShape(bytes: bytes, mostValues: mostValues)
        try shape.run()
    }

    private init(bytes: [UInt8], mostValues: Int) {
        (self.bytes, self.mostValues) = (bytes, mostValues)
    }

    private func fault(_ expected: String) -> JSONFault { .malformed(at: index, expected: expected) }

    private mutating func run() throws(JSONFault) {
        var expectation = Expectation.value
        while true {
            while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
            guard index < bytes.count else {
                guard case .nothing = expectation else { throw fault("more of the text") }
                return
            }
            expectation = try step(expectation, bytes[index])
        }
    }

    private mutating func step(_ expectation: Expectation, _ byte: UInt8) throws(JSONFault) -> Expectation {
        switch expectation {
        case .nothing: throw fault("the end")
        case .elementOrEnd where byte == UInt8(ascii: "]"), .memberOrEnd where byte == UInt8(ascii: "}"):
            return leave()
        case .value, .elementOrEnd: return try value(byte)
        case .member, .memberOrEnd:
            guard byte == UInt8(ascii: "\"") else { throw fault("a member's name") }
            try text()
            while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { throw fault("a colon") }
            index += 1
            return .value
        case .commaOrEnd:
            let isObject = objects & 1 == 1
            if byte == UInt8(ascii: ",") {
                index += 1
                return isObject ? .member : .value
            }
            guard byte == UInt8(ascii: isObject ? "}" : "]") else { throw fault("a comma or the end") }
            return leave()
        }
    }

    private mutating func leave() -> Expectation {
        index += 1
        depth -= 1
        objects >>= 1
        return afterValue
    }

    private var afterValue: Expectation { depth == 0 ? .nothing : .commaOrEnd }

    private mutating func value(_ byte: UInt8) throws(JSONFault) -> Expectation {
        values += 1
        guard values <= mostValues else { throw .tooManyValues(values, most: mostValues) }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < JSONReader.depthLimit else { throw .tooDeep(at: index) }
            let isObject = byte == UInt8(ascii: "{")
            depth += 1
            objects = objects << 1 | (isObject ? 1 : 0)
            index += 1
            return isObject ? .memberOrEnd : .elementOrEnd
        case UInt8(ascii: "\""): try text()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
        return afterValue
    }

    private mutating func word(_ word: StaticString) throws(JSONFault) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < bytes.count, bytes[index] == word.utf8Start[offset] else { throw fault("a value") }
            index += 1
        }
    }

    // MARK: Texts

    private mutating func text() throws(JSONFault) {
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"):
                index += 1
                try escape()
            case 0..<0x20: throw fault("no control character")
            default: index += 1
            }
        }
        throw fault("the end of a text")
    }

    private mutating func escape() throws(JSONFault) {
        guard index < bytes.count else { throw fault("an escape") }
        let letter = bytes[index]
        index += 1
        guard letter == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(letter) else { throw fault("an escape") }
            return
        }
        switch try unit() {
        case 0xD800..<0xDC00:
            // Section 7: outside the first plane by a pair of surrogates; one alone is no character.
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
                bytes[index + 1] == UInt8(ascii: "u")
            else { throw fault("the second surrogate") }
            index += 2
            guard (0xDC00..<0xE000).contains(try unit()) else { throw fault("the second surrogate") }
        case 0xDC00..<0xE000: throw fault("a character")
        default: break
        }
    }

    private mutating func unit() throws(JSONFault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard index < bytes.count, let digit = Self.hexadecimal(bytes[index]) else {
                throw fault("four hexadecimal digits")
            }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    // MARK: Numbers

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func digits() throws(JSONFault) {
        let start = index
        while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
        guard index > start else { throw fault("a value") }
    }

    private mutating func number() throws(JSONFault) {
        let start = index
        _ = skip(UInt8(ascii: "-"))
        // A leading zero stands alone.
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        guard index - start <= Self.longestNumber else {
            throw fault("a number of at most \(Self.longestNumber) characters")
        }
    }
}
