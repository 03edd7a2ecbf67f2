public import GatewayModel

/// Who is timed and followed in which run, by their own enrolment: it is the consent to it (R28, R29), and ends with it.
///
/// Runs that are over stay in it: what was timed in them and is unsent still goes out.
public struct Enrolments: Hashable, Sendable {
    public private(set) var bibs: [RunID: Set<Bib>]
    /// Somebody was, since the gateway started: what became of their enrolment may be told.
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
