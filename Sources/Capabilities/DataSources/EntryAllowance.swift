package import GatewayModel

/// Rate limit of the entries of all sources together: a flood must not push the readings of wearables out of the queues.
package struct EntryAllowance: Sendable {
    /// Entries a second in the long run. The history holds 10,000 readings between two writes, a minute apart.
    package static let rate = 100.0
    package static let burst = 200.0

    private var left = Self.burst
    private var at: BootInstant?

    package init() {}

    package mutating func refill(at now: BootInstant) {
        if let at { left = min(Self.burst, left + at.duration(to: now) / .seconds(1) * Self.rate) }
        at = now
    }

    package var isOpen: Bool { left >= 1 }

    package mutating func take() { left -= 1 }
}
