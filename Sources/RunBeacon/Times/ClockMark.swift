public import GatewayModel

/// What the time of the box was at one instant of its boot clock, and how well that was known: enough to date all that
/// happened since it was switched on, afterwards as well.
public struct ClockMark: Hashable, Codable, Sendable {
    public let at: BootInstant
    /// Nanoseconds of the wall clock since 1970 minus those of the boot clock.
    public let offset: Int64
    /// Nil where nothing had set the clock.
    public let bound: Duration?
    public let source: ClockSource

    public init(at: BootInstant, offset: Int64, bound: Duration?, source: ClockSource) {
        (self.at, self.offset, self.bound, self.source) = (at, offset, bound, source)
    }

    /// Nil where nothing had set the clock.
    var span: OffsetSpan? {
        bound.map { bound in
            let half = bound.wholeNanoseconds
            return OffsetSpan(low: offset - half, high: offset + half, at: at)
        }
    }

    /// The time at `instant` of the same boot, and how well it is known so far from `at`.
    public func time(of instant: BootInstant) -> (time: WallTime, bound: Duration?) {
        let time = WallTime(nanosecondsSince1970: instant.nanoseconds + offset)
        return (time, span?.known(at: instant).bound)
    }
}

extension WallTime {
    /// To the nearest millisecond.
    init(nanosecondsSince1970 nanoseconds: Int64) {
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(millisecondsSince1970: milliseconds + (rest >= 500_000 ? 1 : rest < -500_000 ? -1 : 0))
    }
}
