/// VAT number of a company in the European Union, with the prefix of its country (directive 2006/112/EC, article 215).
///
/// The check digit is verified for Italy. The numbers of other countries are held to the form that the Commission's
/// service VIES publishes for them.
public struct VATNumber: Hashable, Sendable, CustomStringConvertible {
    public static let form = "a VAT number with the prefix of its country such as IT00743110157"

    public enum Flaw: Error, Hashable, Sendable {
        /// No country of the union, or not the form of its numbers.
        case form
        /// The last digit does not follow from the others.
        case checkDigit
    }

    /// Prefix and number, upper case, without spaces.
    public let text: String

    /// - Parameter text: may have spaces, full stops, hyphens and lower-case letters.
    public init(_ text: String) throws(Flaw) {
        let code = text.uppercased().filter { !" .-".contains($0) }
        let bytes = Array(code.utf8)
        guard bytes.count <= 14, bytes.count > 2, let forms = Self.forms[String(code.prefix(2))] else {
            throw .form
        }
        let number = bytes.dropFirst(2)
        guard forms.contains(where: { Self.matches(number, $0) }) else { throw .form }
        if code.hasPrefix("IT"), !Self.hasItalianCheckDigit(Array(number)) { throw .checkDigit }
        self.text = code
    }

    public var description: String { text }

    /// By the prefix: `9` is a digit, `A` a letter, `X` a digit or a letter, any other character itself.
    private static let forms: [String: [String]] = [
        "AT": ["U99999999"], "BE": ["9999999999"], "BG": ["999999999", "9999999999"], "CY": ["99999999A"],
        "CZ": ["99999999", "999999999", "9999999999"], "DE": ["999999999"], "DK": ["99999999"],
        "EE": ["999999999"], "EL": ["999999999"], "ES": ["X9999999X"], "FI": ["99999999"],
        "FR": ["XX999999999"], "HR": ["99999999999"], "HU": ["99999999"],
        "IE": ["9999999A", "9999999AA", "9X99999A"], "IT": ["99999999999"],
        "LT": ["999999999", "999999999999"], "LU": ["99999999"], "LV": ["99999999999"], "MT": ["99999999"],
        "NL": ["999999999B99"], "PL": ["9999999999"], "PT": ["999999999"],
        "RO": ["99", "999", "9999", "99999", "999999", "9999999", "99999999", "999999999", "9999999999"],
        "SE": ["999999999999"], "SI": ["99999999"], "SK": ["9999999999"],
    ]

    private static func matches(_ number: some Collection<UInt8>, _ form: String) -> Bool {
        number.count == form.utf8.count
            && zip(number, form.utf8).allSatisfy { byte, wanted in
                switch wanted {
                case UInt8(ascii: "9"): isDigit(byte)
                case UInt8(ascii: "A"): isLetter(byte)
                case UInt8(ascii: "X"): isDigit(byte) || isLetter(byte)
                default: byte == wanted
                }
            }
    }

    /// Luhn's formula over 11 digits (decree of the President of the Republic 633/1972, article 35).
    private static func hasItalianCheckDigit(_ digits: [UInt8]) -> Bool {
        let sum = digits.enumerated().reduce(0) { sum, next in
            let digit = Int(next.element - UInt8(ascii: "0"))
            guard !next.offset.isMultiple(of: 2) else { return sum + digit }
            return sum + (digit > 4 ? 2 * digit - 9 : 2 * digit)
        }
        return sum.isMultiple(of: 10) && digits.contains { $0 != UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
