/// Reason why an entry of a program is refused, with the remedy.
public struct ObservationFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let seen: String
    public let expected: String
    public let remedy: String

    public init(seen: String, expected: String, remedy: String) {
        (self.seen, self.expected, self.remedy) = (seen, expected, remedy)
    }

    public var description: String { "saw \(seen), expected \(expected): \(remedy)" }

    /// Quotes a text of the program: its printable ASCII characters, shortened.
    static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(40).map { (" "..."~").contains($0) ? Character($0) : "?" }
        return "\"\(String(shown))\(text.unicodeScalars.count > 40 ? "…" : "")\""
    }
}
