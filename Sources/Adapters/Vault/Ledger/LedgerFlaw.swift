/// Something in the ledger's two files that the gateway never writes so.
public enum LedgerFlaw: Hashable, Sendable, CustomStringConvertible {
    /// A line that this version cannot read. Lines count from 1.
    case unreadable(line: Int)
    /// Its number is not one more than that of the line before.
    case misnumbered(line: Int, saw: Int64, expected: Int64)
    /// It does not carry the hash of the line before it.
    case unlinked(line: Int)
    /// The ledger ends before what `ledger.head` says was written.
    case short(line: Int, ofAtLeast: Int64)
    /// The line at the end is not the one that `ledger.head` names.
    case otherEnd(line: Int)
    /// There is more than `ledger.head` knows of.
    case surplus(line: Int)
    case noHead
    case unreadableHead
    case noLedger
    case unreadableLedger
    /// It was written further than this once: lines are gone, or an older ledger was put in its place.
    case behind(line: Int64, ofAtLeast: Int64)

    public var description: String {
        switch self {
        case .unreadable(let line): "line \(line) cannot be read"
        case .misnumbered(let line, let saw, let expected):
            "line \(line) bears the number \(saw), expected \(expected): lines were removed, added or moved"
        case .unlinked(let line):
            "line \(line) does not follow from the line before it: one of the two was changed"
        case .short(let line, let least):
            "the ledger ends after line \(line), and at least \(least) lines were written"
        case .otherEnd(let line): "line \(line) is not the one that ledger.head names as the last"
        case .surplus(let line): "what stands from line \(line) on was not written by the gateway"
        case .noHead: "ledger.head is missing"
        case .unreadableHead: "ledger.head cannot be read"
        case .unreadableLedger: "ledger.jsonl cannot be read"
        case .behind(let line, let least):
            "the ledger ends with the number \(line), and it had come to \(least) at least: lines are gone, or an "
                + "older ledger was put in its place"
        case .noLedger: "ledger.jsonl is missing, and ledger.head says that it was written"
        }
    }
}
