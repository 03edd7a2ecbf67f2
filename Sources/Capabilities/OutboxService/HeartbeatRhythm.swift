import GatewayModel

/// Schedule of the heartbeats. Pure.
struct HeartbeatRhythm: Hashable, Sendable {
    /// Shortest and longest interval: those of `[gateway] heartbeat_seconds`, and of the command that sets it.
    static let bounds = Duration.seconds(10)...Duration.seconds(86_400)

    private(set) var interval: Duration
    private var last: BootInstant?

    init(every interval: Duration) {
        self.interval = interval.clamped(to: Self.bounds)
    }

    /// Changes the interval, counted from the last heartbeat; it is brought within `bounds`.
    mutating func change(to interval: Duration) {
        self.interval = interval.clamped(to: Self.bounds)
    }

    /// Returns whether a heartbeat is due, which then counts as sent. The first is due at once.
    mutating func isDue(at now: BootInstant) -> Bool {
        if let last, last.duration(to: now) < interval { return false }
        last = now
        return true
    }
}

extension Duration {
    fileprivate func clamped(to bounds: ClosedRange<Duration>) -> Duration {
        min(max(self, bounds.lowerBound), bounds.upperBound)
    }
}
