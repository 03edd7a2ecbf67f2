/// Rule for a phone number: E.164, `+` and 7 to 15 digits.
public enum E164 {
    public static let form = "a phone number with its country code such as \"+390212345678\""
    public static let remedy = "write + and the country code, then the number: 7 to 15 digits in all"

    /// Returns the number without spaces; nil where it has another form.
    public static func parse(_ text: String) -> String? {
        let number = text.filter { $0 != " " }
        let digits = number.dropFirst().utf8
        let isSound =
            number.hasPrefix("+") && (7...15).contains(digits.count)
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && digits.first != UInt8(ascii: "0")
        return isSound ? number : nil
    }
}
