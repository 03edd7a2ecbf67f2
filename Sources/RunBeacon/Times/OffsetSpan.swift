import GatewayModel

/// Between which limits the wall clock minus the boot clock lies, in nanoseconds: known at one instant, and less and less
/// well before and after it.
struct OffsetSpan: Hashable, Sendable {
    private(set) var low, high: Int64
    private(set) var at: BootInstant

    /// How far the boot clock goes wrong, ns a ms. The crystal of a Raspberry Pi is specified to some ± 20 to 30 ppm
    /// and moves by 6 ppm with the temperature of a room; outdoors and with age more. Never measured here.
    static let drift: Int64 = 50

    init(low: Int64, high: Int64, at: BootInstant) {
        (self.low, self.high, self.at) = (low, high, at)
    }

    /// The same, as well as it is known at another instant.
    func known(at instant: BootInstant) -> OffsetSpan {
        let away = Int64(at.duration(to: instant).wholeNanoseconds.magnitude)
        // A year of it is 26 minutes.
        let growth = away / 1_000_000 * Self.drift + away % 1_000_000 * Self.drift / 1_000_000
        return OffsetSpan(low: low - growth, high: high + growth, at: instant)
    }

    func agrees(with other: OffsetSpan) -> Bool {
        let other = other.known(at: at)
        return low <= other.high && other.low <= high
    }

    /// What both allow, at the later of the two; `other` alone makes nothing narrower than ± `floor`.
    /// - Parameter other: one that agrees.
    func narrowed(by other: OffsetSpan, notBelow floor: Duration) -> OffsetSpan {
        let instant = max(at, other.at)
        let (mine, others) = (known(at: instant), other.known(at: instant))
        var both = OffsetSpan(
            low: max(mine.low, others.low), high: min(mine.high, others.high), at: instant)
        let least = min(floor.wholeNanoseconds, (mine.high - mine.low) / 2)
        let missing = least - (both.high - both.low) / 2
        if missing > 0 { (both.low, both.high) = (both.low - missing, both.high + missing) }
        return both
    }

    var middle: Int64 { low + (high - low) / 2 }
    var bound: Duration { .nanoseconds(high - middle) }
}
