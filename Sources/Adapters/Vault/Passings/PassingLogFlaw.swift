/// Something in the log of passings that the gateway never writes so.
public enum PassingLogFlaw: Hashable, Sendable, CustomStringConvertible {
    /// A line that this version cannot read. Lines count from 1.
    case unreadable(line: Int)
    /// Its number is not one more than that of the line before.
    case misnumbered(line: Int, saw: Int64, expected: Int64)
    /// It does not carry the hash of the line before it.
    case unlinked(line: Int)
    /// It was written further than this, or otherwise: lines are gone, or the last one was changed.
    case behind(line: Int64, ofAtLeast: Int64)
    /// There was something else in its place, or nobody could read it: the log was begun anew.
    case unusable(asidePath: String)

    public var description: String {
        switch self {
        case .unreadable(let line): "line \(line) cannot be read"
        case .behind(let line, let least):
            "the log ends with the number \(line), and it had come to \(least) at least: lines are gone, or the last "
                + "one was changed"
        case .unusable(let aside): "the log could not be read, and was begun anew; it is kept as \(aside)"
        case .misnumbered(let line, let saw, let expected):
            "line \(line) bears the number \(saw), expected \(expected): lines were removed, added or moved"
        case .unlinked(let line):
            "line \(line) does not follow from the line before it: one of the two was changed"
        }
    }
}
