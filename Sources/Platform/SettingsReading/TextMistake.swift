/// Values that are written as people write them, and not as TOML does.
enum TextMistake {
    /// Advice about a number that stands in quotes.
    static func numberInQuotes(_ text: String) -> String {
        withPoint(text).map { "write \($0): a point, no quotes" } ?? "write it without quotes"
    }

    /// A number with a decimal comma, with a point instead; nil for anything else.
    static func withPoint(_ text: some StringProtocol) -> String? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts.first, let last = parts.last, isNumber(Substring(first)),
            !last.isEmpty,
            last.utf8.allSatisfy(isDigit), last.utf8.count <= 15
        else { return nil }
        return "\(first).\(last)"
    }

    /// Truth in words that TOML does not know; nil for anything else.
    static func truth(_ text: some StringProtocol) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "y": true
        case "false", "no", "off", "n": false
        default: nil
        }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text
        return !digits.isEmpty && digits.utf8.count <= 15 && digits.utf8.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
