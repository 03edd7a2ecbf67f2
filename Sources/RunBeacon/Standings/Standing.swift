public import GatewayModel

/// One runner in the standings.
public struct Standing: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Not heard yet.
        case expected
        case running
        case finished
        /// Taken out of the run before the finish.
        case left
    }

    public let bib: Bib
    public let name: String?
    public let category: String?
    public let wave: WaveID
    public let state: State
    /// 1 for the first; those who are equal share one, and the next one's counts them all (1, 2, 2, 4). Nil for who has
    /// not been heard, or has left before the finish.
    public let rank: Int?
    /// What was passed, from the start on. Points may be missing.
    public let splits: [Split]
    /// Metres: of the farthest point that was passed; nil for who has not been heard.
    public let distance: Double?
    /// To the farthest point.
    public let gun: Duration?
    public let net: Duration?
    /// How much later than the first of the table at the same point; nil where that is not known, or for the first.
    public let gap: Duration?
    /// ± 95 %, of the time that ranks, at the farthest point: of a net time the error of the start is in it.
    public let bound: Duration?
    /// The difference to who stands before is smaller than what both times can be off by: a photograph may say
    /// otherwise.
    public let isUndecided: Bool
}
