public import GatewayModel

/// A tag that came, was nearest, and went: the box's observation before it becomes a runner's time.
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

/// A runner's tag, by the number the run gave it when it was enrolled.
public struct TagNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let value: UInt32

    public init(_ value: UInt32) {
        self.value = value
    }

    public var description: String { "\(value)" }

    public static func < (left: TagNumber, right: TagNumber) -> Bool { left.value < right.value }
}

/// One advertisement of an enrolled tag, as one antenna heard it.
public struct TagHit: Hashable, Sendable {
    public let tag: TagNumber
    /// Which of the box's radios; 0 where there is one.
    public let antenna: UInt8
    /// Range of a controller's signal strength, dBm (Core 5.4, Vol 4, Part E, 7.7.65.2).
    public static let strengths: ClosedRange<Int8> = -127...20

    /// dBm, of `strengths`.
    public let rssi: Int8
    public let arrival: BootInstant

    public init(tag: TagNumber, antenna: UInt8 = 0, rssi: Int8, arrival: BootInstant) {
        (self.tag, self.antenna, self.rssi, self.arrival) = (tag, antenna, rssi, arrival)
    }
}
