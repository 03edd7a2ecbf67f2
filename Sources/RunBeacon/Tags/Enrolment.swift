public import GatewayModel

/// A runner in a run: whose a tag is there.
public struct Enrolment: Hashable, Sendable {
    public let run: RunID
    public let bib: Bib

    public init(run: RunID, bib: Bib) {
        (self.run, self.bib) = (run, bib)
    }
}
