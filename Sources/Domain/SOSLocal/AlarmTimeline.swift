public import GatewayModel

/// What happened when, in one alarm (T8). Instants of `CLOCK_BOOTTIME`.
public struct AlarmTimeline: Hashable, Codable, Sendable {
    public let crossing: BootInstant
    public let confirmation: BootInstant
    /// The person was told in the house for the first time.
    public internal(set) var annunciated: BootInstant?
    /// Per channel: when it first took a word of this alarm, be it the early notice or the call itself.
    public internal(set) var dispatched: [ChannelID: BootInstant] = [:]
    /// A machine at the other end acknowledged it: per channel, the first time.
    public internal(set) var handedOver: [ChannelID: BootInstant] = [:]
    /// A machine acknowledged the call itself for the first time, not only an early notice.
    public internal(set) var callHandedOver: BootInstant?
    /// As `callHandedOver`, of each channel; nil before the first.
    public internal(set) var callReached: [ChannelID: BootInstant]?
    /// The call itself was first ordered; nil before.
    public internal(set) var callOrdered: BootInstant?
    /// The last thing a channel said about not getting through.
    public internal(set) var failed: [ChannelID: ChannelFailure] = [:]
    public internal(set) var ended: BootInstant?
    /// The gateway was restarted while the alarm was open. Where the machine was, too, the instants before
    /// it are carried over as if no time had passed.
    public internal(set) var restarts = 0

    init(crossing: BootInstant, confirmation: BootInstant) {
        self.crossing = crossing
        self.confirmation = confirmation
    }

    /// From the crossing to `instant`.
    public func sinceCrossing(_ instant: BootInstant) -> Duration {
        crossing.duration(to: instant)
    }

    /// A machine outside the house acknowledged a word of this alarm for the first time.
    public var firstHandedOver: BootInstant? { handedOver.values.min() }

    /// T1 as measured; nil while the alarm has not sounded.
    public var alarmDelay: Duration? { annunciated.map { confirmation.duration(to: $0) } }
    /// T2 as measured; nil while no machine outside has acknowledged anything. A message in a queue does not count.
    public var handOverDelay: Duration? { firstHandedOver.map(sinceCrossing) }
}

/// A channel could not be told, when and why.
public struct ChannelFailure: Hashable, Codable, Sendable {
    public let at: BootInstant
    /// For people; the channel's own words.
    public let reason: String
}
