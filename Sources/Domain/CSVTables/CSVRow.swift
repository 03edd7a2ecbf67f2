/// Row of a table for other programs (RFC 4180). A text that begins like a formula of a spreadsheet stays text: people
/// outside of the house chose some of them.
public struct CSVRow: Hashable, Sendable {
    private static let formula: Set<Character> = ["=", "+", "-", "@", "\t", "\r"]

    /// The fields, without a line break behind them.
    public let line: String

    /// - Parameter fields: a number is written as it is, with a minus sign too.
    public init(_ fields: [String]) {
        line = fields.map(Self.field).joined(separator: ",")
    }

    private static func field(_ text: String) -> String {
        let isFormula = text.first.map(formula.contains) ?? false
        let safe = isFormula && Double(text) == nil ? "'" + text : text
        guard safe.contains(where: { "\",\r\n".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }
}
