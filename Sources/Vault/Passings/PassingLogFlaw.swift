/// Something in the log of passings that the gateway never writes so.
public enum PassingLogFlaw: Hashable, Sendable, CustomStringConvertible {
    /// A line that this version cannot read. Lines count from 1.
    case unreadable(line: Int)
    /// Its number is not one more than that of the line before.
    case misnumbered(line: Int, saw: Int64, expected: Int64)
    /// It does not carry the hash of the line before it.
    case unlinked(line: Int)

    public var description: String {
        switch self {
        case .unreadable(let line): "line \(line) cannot be read"
        case .misnumbered(let line, let saw, let expected):
            "line \(line) bears the number \(saw), expected \(expected): lines were removed, added or moved"
        case .unlinked(let line):
            "line \(line) does not follow from the line before it: one of the two was changed"
        }
    }
}
