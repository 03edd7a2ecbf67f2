public import GatewayModel

/// What happened when, in one alarm (T8). Instants of `CLOCK_BOOTTIME`.
public struct AlarmTimeline: Hashable, Sendable {
    public let crossing: BootInstant
    public let confirmation: BootInstant
    /// The person was told in the house for the first time.
    public internal(set) var annunciated: BootInstant?
    /// The order for help first reached a channel.
    public internal(set) var dispatched: BootInstant?
    /// A machine at the other end acknowledged it: per channel, the first time.
    public internal(set) var handedOver: [ChannelID: BootInstant] = [:]
    public internal(set) var ended: BootInstant?

    init(crossing: BootInstant, confirmation: BootInstant) {
        self.crossing = crossing
        self.confirmation = confirmation
    }

    /// From the crossing to `instant`.
    public func sinceCrossing(_ instant: BootInstant) -> Duration {
        crossing.duration(to: instant)
    }

    /// T1 as measured; nil while the alarm has not sounded.
    public var alarmDelay: Duration? { annunciated.map { confirmation.duration(to: $0) } }
    /// T2 as measured; nil while nothing was dispatched.
    public var dispatchDelay: Duration? { dispatched.map(sinceCrossing) }
}
