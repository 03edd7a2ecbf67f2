/// Whom a text goes to: a number of ITU-T E.164 with its plus. Personal; never logged.
struct PhoneNumber: Hashable, Sendable {
    let text: String

    /// Nil unless it is a plus and 7 to 15 digits, the first of them not 0. Nothing else may come near the
    /// name of a file or an AT command.
    init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            digits.first != UInt8(ascii: "0")
        else { return nil }
        self.text = text
    }
}
