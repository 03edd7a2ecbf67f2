package import GatewayModel
package import PageSecurity

/// Limits the acts of each session. Pure.
package struct ActRateLimiter: Sendable {
    /// Acts of a session in one minute: more than a person can press, fewer than a script sends.
    package static let actsPerMinute = 20

    private var windows: [SessionID: RateWindow] = [:]

    package init() {}

    /// Returns whether the session may act now.
    package mutating func take(_ session: SessionID, at now: BootInstant) -> Bool {
        windows[session, default: RateWindow(limit: Self.actsPerMinute, interval: .seconds(60))].take(at: now)
    }

    /// Forgets a session that has ended.
    package mutating func remove(_ session: SessionID) {
        windows[session] = nil
    }
}
