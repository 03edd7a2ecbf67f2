public import GatewayModel

/// Runners by the runs in which they are timed and tracked. The runner's enrolment is the consent to it (R28, R29), and
/// the consent ends with it.
///
/// Finished runs stay in it: their unsent passings are still sent.
public struct Enrolments: Hashable, Sendable {
    public private(set) var bibs: [RunID: Set<Bib>]
    /// Whether there was any enrolment since the gateway started. Receipts may leave then.
    public private(set) var wereAny: Bool

    public init(_ bibs: [RunID: Set<Bib>] = [:]) {
        self.bibs = bibs.filter { !$0.value.isEmpty }
        wereAny = !self.bibs.isEmpty
    }

    public var isEmpty: Bool { bibs.isEmpty }

    mutating func replace(by later: Enrolments) {
        bibs = later.bibs
        wereAny = wereAny || later.wereAny
    }

    public func contains(_ bib: Bib, in run: RunID) -> Bool { bibs[run]?.contains(bib) == true }
}
