public import GatewayModel

/// What one source says that the time was: within ± `bound` of `wall` when the boot clock showed `at`.
public struct ClockObservation: Hashable, Sendable {
    public let source: ClockSource
    public let at: BootInstant
    /// Nanoseconds since 1970, without leap seconds.
    public let wall: Int64
    /// A limit, not a deviation: an error beyond it is a fault.
    public let bound: Duration

    public init(source: ClockSource, at: BootInstant, wall: Int64, bound: Duration) {
        (self.source, self.at, self.wall, self.bound) = (source, at, wall, bound)
    }

    /// Between 2026 and 2100, and no bound of more than an hour: a receiver whose count of weeks has begun anew says that
    /// it is 19.6 years earlier, and a clock that nobody set that it is 1970.
    var isPlausible: Bool {
        (1_767_225_600_000_000_000..<4_102_444_800_000_000_000).contains(wall)
            && (.zero...Duration.seconds(3_600)).contains(bound) && at.nanoseconds >= 0
    }

    /// Of the wall clock minus the boot clock, at `at`.
    var span: OffsetSpan {
        let (offset, half) = (wall - at.nanoseconds, bound.wholeNanoseconds)
        return OffsetSpan(low: offset - half, high: offset + half, at: at)
    }
}
