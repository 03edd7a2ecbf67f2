public import GatewayModel

/// Likely mistake in the runs of a box. It stops none of them.
public enum RunWarning: Hashable, Sendable, CustomStringConvertible {
    /// `count` tags belong to runners of both, which are underway at the same time: each passing counts in both.
    case sharedTags(RunID, RunID, count: Int, first: Bib, Bib)
    /// A runner of the one carries a box of the other, which is underway at the same time: somebody of that one carries it too,
    /// or it stands there at a checkpoint.
    case carriedBox(GatewayID, by: Bib, in: RunID, also: RunID)
    /// A person of the house runs in both at the same time: their positions count in both.
    case samePerson(RunID, RunID, first: Bib, Bib)
    /// The enrolments by command do not fit the file's present content; the file holds, without the runners
    /// that left.
    case unfit(RunID, Run.Flaw)
    /// The file has other tags or another wave for these than a command has; the command's hold. One of the two may be a
    /// correction that somebody relies on.
    case overruled(RunID, [Bib])
    /// A tag cannot be heard, for its key is not there.
    case unread(RunID, Bib, CompanionFile)

    public var description: String {
        switch self {
        case .sharedTags(let one, let other, let count, let first, let second):
            "\(one) and \(other) are underway at the same time and have \(count) tags in common (bib \(first) of \(one), "
                + "bib \(second) of \(other)): each passing counts in both"
        case .carriedBox(let box, let bib, let run, let other):
            "\(run) and \(other) are underway at the same time and share the box \(box), which bib \(bib) of \(run) carries: "
                + "what it hears and where it is counts in both"
        case .samePerson(let one, let other, let own, let its):
            "\(one) and \(other) are underway at the same time, and bib \(own) of \(one) and bib \(its) of \(other) are the "
                + "same person: their positions count in both"
        case .unfit(let run, let flaw):
            "\(run): what commands have enrolled does not fit the run file (\(flaw)); the file holds, without those who "
                + "have left"
        case .overruled(let run, let bibs):
            "\(run): the run file has other tags or another wave for \(Self.words(on: bibs)) than a command has, and the "
                + "command's hold whatever the file says: change them by another one, run-enrol"
        case .unread(let run, let bib, let file):
            "\(run): a tag of bib \(bib) is not heard, for the file \(file) cannot be used"
        }
    }

    /// So many are read at a glance; of more it says how many.
    private static let mostBibs = 5

    private static func words(on bibs: [Bib]) -> String {
        let more = bibs.count - mostBibs
        return "bib " + bibs.prefix(mostBibs).map { "\($0)" }.joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }
}

extension RunWarning {
    /// Whether it is about this run, or about another and this one.
    public func concerns(_ run: RunID) -> Bool {
        switch self {
        case .sharedTags(let one, let other, _, _, _): run == one || run == other
        case .carriedBox(_, _, let one, let other), .samePerson(let one, let other, _, _):
            run == one || run == other
        case .unfit(let own, _), .unread(let own, _, _), .overruled(let own, _): run == own
        }
    }
}
