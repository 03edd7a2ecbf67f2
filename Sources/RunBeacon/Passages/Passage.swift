public import GatewayModel

/// A tag that came, was nearest, and went: what the box says of it before it is somebody's time in a run.
public struct Passage: Hashable, Sendable {
    /// Why its time is to be looked at by a person.
    public enum Flag: String, CaseIterable, Hashable, Sendable {
        /// Few advertisements: the bound is wide.
        case fewHits = "few-hits"
        /// The signal has no peak worth the name: somebody stands near the box, or goes past far away.
        case noPeak = "no-peak"
        /// It was in range for longer than anyone takes to pass.
        case lingered
        /// It was first or last heard at its strongest: half of the passage is missing.
        case oneSided = "one-sided"
    }

    public let tag: TagNumber
    /// When it was nearest, as far as can be told.
    public let nearest: BootInstant
    /// The true instant lies within ± this of `nearest` in 95 of 100 passages; the clock's own error is not in it.
    public let bound: Duration
    public let first, last: BootInstant
    /// All that were heard, also those that the estimate left out.
    public let hits: Int
    /// dBm, the strongest single one.
    public let strongest: Int8
    public let flags: Set<Flag>

    public init(
        tag: TagNumber, nearest: BootInstant, bound: Duration, first: BootInstant, last: BootInstant, hits: Int,
        strongest: Int8, flags: Set<Flag>
    ) {
        (self.tag, self.nearest, self.bound, self.first, self.last) = (tag, nearest, bound, first, last)
        (self.hits, self.strongest, self.flags) = (hits, strongest, flags)
    }
}
