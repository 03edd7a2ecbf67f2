/// Recipient of texts and calls: a number of ITU-T E.164 with its plus. Personal; never logged.
public struct PhoneNumber: Hashable, Sendable {
    public let text: String

    /// Nil unless it is a plus and 7 to 15 digits, the first of them not 0. Nothing else may come near the
    /// name of a file or an AT command.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.first != UInt8(ascii: "0")
        else { return nil }
        self.text = text
    }

    /// Whether a network means this number by the sender of a text. Some leave out the country code, or write a 0 or 00 in
    /// its place: the last nine digits decide, or all of a shorter number.
    public func isSender(_ sender: String) -> Bool {
        func digits(_ text: String) -> String { String(text.filter { ("0"..."9").contains($0) }) }
        let (own, other) = (digits(text), digits(sender))
        guard other.count >= 7 else { return false }
        return own.suffix(9) == other.suffix(9)
    }

    /// For people in the house: `the phone ending in 567`.
    public var masked: String { "the phone ending in \(text.suffix(3))" }
}
