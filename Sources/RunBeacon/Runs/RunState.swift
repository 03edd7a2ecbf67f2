public import GatewayModel

/// How far a run is.
public enum RunState: String, CaseIterable, Hashable, Sendable {
    /// Before the first start.
    case idle
    case underway
    case over
    /// For good, whatever the time is.
    case cancelled
}

/// A runner in a run: whose a tag is there.
public struct Enrolment: Hashable, Sendable {
    public let run: RunID
    public let bib: Bib

    public init(run: RunID, bib: Bib) {
        (self.run, self.bib) = (run, bib)
    }
}
