import GatewayModel

/// When the next heartbeat is due. Pure.
struct HeartbeatRhythm: Hashable, Sendable {
    /// Seconds: those of `[gateway] heartbeat_seconds`, also for whoever sets it at run time.
    static let bounds = Duration.seconds(10)...Duration.seconds(86_400)

    private(set) var interval: Duration
    private var last: BootInstant?

    init(every interval: Duration) {
        self.interval = interval.clamped(to: Self.bounds)
    }

    /// From the last one on; brought within `bounds`.
    mutating func change(to interval: Duration) {
        self.interval = interval.clamped(to: Self.bounds)
    }

    /// Whether one is due; it counts as sent then. The first is due at once.
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
