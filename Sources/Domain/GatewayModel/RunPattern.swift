/// Runs by their ids: one id, or all that begin alike, as `milan-*`.
public struct RunPattern: Hashable, Sendable, CustomStringConvertible {
    /// For error messages.
    public static let form = "the id of a run, or its beginning with a final *"

    private let start: String
    private let isWhole: Bool

    /// Nil for other text. A lone `*` is no pattern: every run is meant where no pattern is written.
    public init?(_ text: String) {
        isWhole = !text.hasSuffix("*")
        start = isWhole ? text : String(text.dropLast())
        // A beginning that is no id itself may end in a hyphen.
        let name = isWhole || !start.hasSuffix("-") ? start : start + "0"
        guard RunID(name) != nil else { return nil }
    }

    public func matches(_ run: RunID) -> Bool {
        isWhole ? run.text == start : run.text.hasPrefix(start)
    }

    public var description: String { isWhole ? start : start + "*" }
}
