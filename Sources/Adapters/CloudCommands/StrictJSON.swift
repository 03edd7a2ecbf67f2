/// JSON (RFC 8259) as a signed message has to hold it: UTF-8, each member of an object once, nothing after it,
/// no deeper than `deepest`. A text that two readers could understand in two ways is refused.
enum StrictJSON: Hashable, Sendable {
    case object([Member])
    case array([StrictJSON])
    case text(String)
    /// Written without a fraction and an exponent.
    case whole(Int64)
    case number(Double)
    case truth(Bool)
    case null

    struct Member: Hashable, Sendable {
        let name: String
        let value: StrictJSON
    }

    enum Fault: Error, Hashable, Sendable {
        /// Offset of the byte, and the expected token.
        case malformed(at: Int, expected: String)
        /// An object has it twice.
        case duplicate(at: Int)
    }

    /// Of a member of this name; nil where there is none, it is no text, or this is no object.
    func text(_ name: String) -> String? {
        guard case .object(let members) = self,
            case .text(let text)? = members.first(where: { $0.name == name })?.value
        else { return nil }
        return text
    }

    /// A command has an object in an object, and a key in that.
    static let deepest = 6

    init(_ bytes: [UInt8]) throws(Fault) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformed(at: 0, expected: "UTF-8")
        }
        var scanner = Scanner(Array(text.utf8))
        self = try scanner.document()
    }

    /// Reads one value, byte by byte.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func document() throws(Fault) -> StrictJSON {
            let value = try value(depth: 0)
            skipSpace()
            guard next == nil else { throw fault("the end") }
            return value
        }

        private func fault(_ expected: String) -> Fault { .malformed(at: index, expected: expected) }

        private mutating func skipSpace() {
            while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
        }

        private mutating func take(_ byte: Character) -> Bool {
            guard let wanted = byte.asciiValue, next == wanted else { return false }
            index += 1
            return true
        }

        private mutating func value(depth: Int) throws(Fault) -> StrictJSON {
            guard depth <= StrictJSON.deepest else {
                throw fault("at most \(StrictJSON.deepest) levels")
            }
            skipSpace()
            if take("{") { return try object(depth) }
            if take("[") { return try array(depth) }
            if take("\"") { return .text(try text()) }
            for (word, value) in [
                ("true", StrictJSON.truth(true)), ("false", .truth(false)), ("null", .null),
            ] where bytes[index...].starts(with: word.utf8) {
                index += word.utf8.count
                return value
            }
            return try number()
        }

        private mutating func object(_ depth: Int) throws(Fault) -> StrictJSON {
            var members: [Member] = []
            // Looked up, not searched: an object of ten thousand members must not take seconds.
            var names: Set<String> = []
            skipSpace()
            if take("}") { return .object([]) }
            repeat {
                skipSpace()
                let start = index
                guard take("\"") else { throw fault("a member's name") }
                let name = try text()
                guard names.insert(name).inserted else { throw .duplicate(at: start) }
                skipSpace()
                guard take(":") else { throw fault("a colon") }
                members.append(Member(name: name, value: try value(depth: depth + 1)))
                skipSpace()
            } while take(",")
            guard take("}") else { throw fault("a comma or }") }
            return .object(members)
        }

        private mutating func array(_ depth: Int) throws(Fault) -> StrictJSON {
            var elements: [StrictJSON] = []
            skipSpace()
            if take("]") { return .array([]) }
            repeat {
                elements.append(try value(depth: depth + 1))
                skipSpace()
            } while take(",")
            guard take("]") else { throw fault("a comma or ]") }
            return .array(elements)
        }

        // MARK: Texts

        private mutating func text() throws(Fault) -> String {
            var scalars = String.UnicodeScalarView()
            var plain = index
            // A run that is copied as it stands ends before ASCII, so it is whole characters.
            func copied(_ end: Int) -> String.UnicodeScalarView {
                String(decoding: bytes[plain..<end], as: UTF8.self).unicodeScalars
            }
            while let byte = next {
                switch byte {
                case UInt8(ascii: "\""):
                    scalars += copied(index)
                    index += 1
                    return String(scalars)
                case UInt8(ascii: "\\"):
                    scalars += copied(index)
                    index += 1
                    scalars.append(try escaped())
                    plain = index
                case 0..<0x20: throw fault("no control character")
                default: index += 1
                }
            }
            throw fault("the end of a text")
        }

        private mutating func escaped() throws(Fault) -> Unicode.Scalar {
            guard let byte = next else { throw fault("an escape") }
            index += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "u"): return try scalar()
            default: throw fault("an escape")
            }
        }

        /// Section 7: outside the first plane by a pair of surrogates; one alone is no character.
        private mutating func scalar() throws(Fault) -> Unicode.Scalar {
            let first = try unit()
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else { throw fault("a character") }
            let second = try unit()
            guard (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw fault("a character") }
            return scalar
        }

        private mutating func unit() throws(Fault) -> UInt32 {
            var unit: UInt32 = 0
            for _ in 0..<4 {
                guard let byte = next, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
                else { throw fault("four hexadecimal digits") }
                unit = unit << 4 | UInt32(digit)
                index += 1
            }
            return unit
        }

        // MARK: Numbers

        private mutating func digits() -> Bool {
            let start = index
            while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
            return index > start
        }

        private mutating func number() throws(Fault) -> StrictJSON {
            let start = index
            _ = take("-")
            // A leading zero stands alone.
            guard take("0") || digits() else { throw fault("a value") }
            let isWhole = next.map { ![UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains($0) }
            if take("."), !digits() { throw fault("digits") }
            if take("e") || take("E") {
                if !take("+") { _ = take("-") }
                guard digits() else { throw fault("digits") }
            }
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            if isWhole ?? true {
                guard let whole = Int64(text) else { throw fault("a number of at most 18 digits") }
                return .whole(whole)
            }
            guard let number = Double(text), number.isFinite else { throw fault("a finite number") }
            return .number(number)
        }
    }
}
