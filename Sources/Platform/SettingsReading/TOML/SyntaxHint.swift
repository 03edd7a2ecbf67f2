/// Advice about the line at which the parser stopped, where it shows a mistake that people make. Pure.
struct SyntaxHint {
    /// The observation, the expectation and the remedy.
    let text: String

    private static let curlyQuotes: Set<Character> = ["“", "”", "„", "‟", "‘", "’", "‚", "«", "»"]
    /// Longer ones are no value that a person mistyped.
    private static let longestLine = 1_000

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - line: from 1.
    ///   - root: declarations of the file, which tell the personal keys: their values are not repeated.
    init?(_ bytes: [UInt8], at line: Int, of root: Section?) {
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1), lines[line - 1].count <= Self.longestLine else { return nil }
        let text = Substring(String(decoding: lines[line - 1], as: UTF8.self))
        if let quote = Self.curlyQuote(in: text) {
            self.text =
                "line \(line) has the curly quote \(quote), expected straight quotes: write \" at both ends of each text"
            return
        }
        guard let (key, value) = Self.assignment(text) else { return nil }
        guard let hint = Self.hint(key, value, isShown: Self.isShown(key, lines.prefix(line - 1), root)) else {
            return nil
        }
        self.text = hint
    }

    /// The first curly quote outside of texts in straight quotes and of comments.
    private static func curlyQuote(in line: Substring) -> Character? {
        var open: Character?
        for character in line {
            switch character {
            case "\"", "'":
                if open == nil { open = character } else if open == character { open = nil }
            case "#" where open == nil: return nil
            case _ where open == nil && curlyQuotes.contains(character): return character
            default: break
            }
        }
        return nil
    }

    /// Key and value of a line with a bare key and no quotes; nil for any other.
    private static func assignment(_ line: Substring) -> (key: String, value: String)? {
        let parts = line.prefix { $0 != "#" }.split(separator: "=", maxSplits: 1).map(trimmed)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            !parts[1].contains(where: { "\"'[]{}".contains($0) })
        else { return nil }
        return (parts[0], parts[1])
    }

    private static func trimmed(_ text: Substring) -> String {
        let rest = text.drop(while: \.isWhitespace)
        return String(rest.reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func hint(_ key: String, _ value: String, isShown: Bool) -> String? {
        if value != "true", value != "false", let truth = TextMistake.truth(value) {
            return "saw \(value), expected true or false: write \(key) = \(truth)"
        }
        if let number = TextMistake.withPoint(value) {
            return "saw \(value), expected a number with a point: write \(key) = \(number)"
        }
        // "30s", "2.5 s": the name of the key has the unit.
        let digits = value.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
        if let number = Double(digits), number.isFinite, digits.count < value.count,
            value.dropFirst(digits.count).allSatisfy({ $0.isLetter || $0 == " " || $0 == "%" || $0 == "°" })
        {
            return isShown ? "saw \(value), expected a number alone: write \(key) = \(digits)" : nil
        }
        guard Double(value) == nil else { return nil }
        let shown = isShown ? TOMLValue.literal(value) : "\"…\""
        return "saw a text without quotes, expected quotes around it: write \(key) = \(shown)"
    }

    /// Whether a message may repeat the value: only of a declared key that is neither personal nor a secret.
    private static func isShown(
        _ key: String, _ before: ArraySlice<ArraySlice<UInt8>>, _ root: Section?
    ) -> Bool {
        let header = before.reversed().lazy.map { trimmed(Substring(String(decoding: $0, as: UTF8.self))) }
            .first { $0.hasPrefix("[") }
        let path = (header ?? "").prefix { $0 != "#" }.filter { !"[] \t".contains($0) }
        guard let root else { return false }
        let sections = root.all.filter { $0.title == path }
        let found = sections.flatMap(\.keys).filter { $0.name == key }
        return !found.isEmpty && !found.contains(where: \.isPersonal)
    }
}
