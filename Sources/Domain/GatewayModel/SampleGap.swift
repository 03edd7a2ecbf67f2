/// Data of one series that was dropped before it could be sent: between which instants some is missing, how much, and why.
///
/// A gap tells of its own readings only: the counts of several gaps add up, also where their times overlap.
public struct SampleGap: Hashable, Codable, Sendable {
    /// Why the readings were dropped.
    public enum Reason: String, CaseIterable, Hashable, Codable, Sendable {
        /// The store was full: some were given up so that others could be kept.
        case quota
        /// They had waited longer than the gateway keeps readings.
        case age
        /// The disk refused them, or gave them back damaged.
        case storage
        /// The broker does not take them, as they are larger than it allows.
        case refused
    }

    /// Arrival at the gateway of the earliest reading that is missing.
    public let from: WallTime
    /// Arrival of the latest reading that is missing: it belongs to the gap. Never before `from`.
    public let to: WallTime
    /// How many are missing, 1 or more.
    public let dropped: Int
    /// How many that arrived between `from` and `to` were kept when the gap was written down: 0 where
    /// all of that time is missing.
    public let kept: Int
    public let reason: Reason

    /// - Parameters:
    ///   - from: arrival of one end; the two are put in order, since the wall clock may have been set back between them.
    ///   - to: arrival of the other end.
    public init(
        from: WallTime, to: WallTime, dropped: Int, kept: Int, reason: Reason
    ) {
        self.from = min(from, to)
        self.to = max(from, to)
        self.dropped = dropped
        self.kept = kept
        self.reason = reason
    }
}
