/// Italian fiscal code of a person (codice fiscale; decree of the Ministry of Finance, 23 December 1976, no. 13813).
public struct FiscalCode: Hashable, Sendable, CustomStringConvertible {
    public static let form = "the 16 characters of an Italian fiscal code such as MRTMTT25D09F205Z"

    public enum Flaw: Error, Hashable, Sendable {
        /// Not 16 characters with letters and digits at their places, or no day of birth in it.
        case form
        /// The last character does not follow from the others.
        case checkCharacter
    }

    /// 16 upper-case letters and digits.
    public let text: String

    /// - Parameter text: may have spaces and lower-case letters.
    public init(_ text: String) throws(Flaw) {
        let code = text.uppercased().filter { $0 != " " }
        let bytes = Array(code.utf8)
        guard bytes.count == 16, Self.hasForm(bytes) else { throw .form }
        guard bytes[15] == Self.checkCharacter(of: bytes.prefix(15)) else { throw .checkCharacter }
        self.text = code
    }

    public var description: String { text }

    /// Places of the digits. A letter stands there where two persons would have the same code.
    private static let digitPlaces = [6, 7, 9, 10, 12, 13, 14]
    /// Letters that stand for the digits 0 to 9.
    private static let digitLetters = Array("LMNPQRSTUV".utf8)
    /// Letters of the months, January to December.
    private static let monthLetters = Array("ABCDEHLMPRST".utf8)
    /// Values of 0 to 9 at an odd place, counted from 1.
    private static let oddDigits = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
    /// Values of A to Z at an odd place, counted from 1.
    private static let oddLetters = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
    ]

    private static func hasForm(_ bytes: [UInt8]) -> Bool {
        for (place, byte) in bytes.enumerated() {
            guard digitPlaces.contains(place) ? digit(byte) != nil : isLetter(byte) else { return false }
        }
        guard monthLetters.contains(bytes[8]), let tens = digit(bytes[9]), let ones = digit(bytes[10])
        else { return false }
        // 40 is added to the day of a woman.
        let day = tens * 10 + ones
        return (1...31).contains(day) || (41...71).contains(day)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        isDigit(byte) ? Int(byte - UInt8(ascii: "0")) : digitLetters.firstIndex(of: byte)
    }

    private static func checkCharacter(of bytes: some Sequence<UInt8>) -> UInt8 {
        let sum = bytes.enumerated().reduce(0) { sum, next in
            let (index, byte) = (next.offset, next.element)
            let value = Int(isDigit(byte) ? byte - UInt8(ascii: "0") : byte - UInt8(ascii: "A"))
            guard index.isMultiple(of: 2) else { return sum + value }
            return sum + (isDigit(byte) ? oddDigits[value] : oddLetters[value])
        }
        return UInt8(ascii: "A") + UInt8(sum % 26)
    }
}
