package import GatewayModel

/// Maximum number of events in any interval of a given length. Pure; it keeps one instant for each allowed event.
package struct RateWindow: Sendable {
    private let limit: Int
    private let interval: Duration
    private var taken: [BootInstant] = []

    /// - Parameter limit: at least 1.
    package init(limit: Int, interval: Duration) {
        (self.limit, self.interval) = (max(1, limit), interval)
    }

    /// Returns whether one more event is allowed now, and counts it if it is.
    package mutating func take(at now: BootInstant) -> Bool {
        taken.removeAll { $0.advanced(by: interval) <= now }
        guard taken.count < limit else { return false }
        taken.append(now)
        return true
    }

    /// Time until the next event is allowed; zero if it is allowed now.
    package func wait(at now: BootInstant) -> Duration {
        guard taken.count >= limit, let first = taken.first else { return .zero }
        return max(.zero, now.duration(to: first.advanced(by: interval)))
    }
}

/// Limits the acts of each session. Cancelling an alarm has no limit. Pure.
package struct ActRateLimiter: Sendable {
    /// Acts of a session in one minute: more than a person can press, fewer than a script sends.
    package static let actsPerMinute = 20

    private var windows: [SessionID: RateWindow] = [:]

    package init() {}

    /// Returns whether the session may act now.
    package mutating func take(_ act: ConsoleAct, of session: SessionID, at now: BootInstant) -> Bool {
        guard act.isLimited else { return true }
        return windows[
            session, default: RateWindow(limit: Self.actsPerMinute, interval: .seconds(60))
        ].take(at: now)
    }

    /// Forgets a session that has ended.
    package mutating func remove(_ session: SessionID) {
        windows[session] = nil
    }
}
