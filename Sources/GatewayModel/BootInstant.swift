/// An instant on the machine's monotonic clock that also counts suspended time (`CLOCK_BOOTTIME`).
///
/// Every window and deadline is measured in these: a step of the wall clock does not move them.
/// Meaningless on another machine and after a reboot, so it is never sent and never stored.
public struct BootInstant: InstantProtocol, Hashable, Sendable {
    /// Nanoseconds since the machine booted.
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public func advanced(by duration: Duration) -> BootInstant {
        BootInstant(nanoseconds: nanoseconds + duration.wholeNanoseconds)
    }

    public func duration(to other: BootInstant) -> Duration {
        .nanoseconds(other.nanoseconds - nanoseconds)
    }

    public static func < (left: BootInstant, right: BootInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero. Good for ±292 years.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The duration in milliseconds, rounded towards zero: the unit of the contract's time lines.
    public var wholeMilliseconds: Int64 {
        wholeNanoseconds / 1_000_000
    }
}
