/// Maximum number of events in any interval of a given length. Pure; it keeps one instant for each allowed event.
public struct RateWindow: Hashable, Sendable {
    private let limit: Int
    private let interval: Duration
    private var taken: [BootInstant] = []

    /// - Parameter limit: at least 1.
    public init(limit: Int, interval: Duration) {
        (self.limit, self.interval) = (max(1, limit), interval)
    }

    /// Returns whether one more event is allowed now, and counts it if it is.
    public mutating func take(at now: BootInstant) -> Bool {
        taken.removeAll { $0.advanced(by: interval) <= now }
        guard taken.count < limit else { return false }
        taken.append(now)
        return true
    }

    /// Time until the next event is allowed; zero if it is allowed now.
    public func wait(at now: BootInstant) -> Duration {
        guard taken.count >= limit, let first = taken.first else { return .zero }
        return max(.zero, now.duration(to: first.advanced(by: interval)))
    }
}
