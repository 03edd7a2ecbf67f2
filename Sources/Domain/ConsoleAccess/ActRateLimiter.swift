package import GatewayModel

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
