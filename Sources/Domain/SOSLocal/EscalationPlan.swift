public import GatewayModel

/// Plan of the channels that are told of an alarm, with their order and retries.
public struct EscalationPlan: Hashable, Codable, Sendable {
    /// Told of alarms of high priority, in this order.
    public let channels: [ChannelID]
    /// Told of alarms of medium priority, in this order.
    public let carers: [ChannelID]
    /// How many of those that live are told at once in the first round: 1 for one after the other.
    public let toldAtOnce: Int
    /// A call that no machine at the other end has acknowledged for so long goes to the next one too; sooner where
    /// the promise asks for it, `Promise.secondChannelAfter`.
    public let handoverLimit: Duration
    /// Between one round of telling and the next, until someone has accepted.
    public let repeatInterval: Duration

    public init(
        channels: [ChannelID], carers: [ChannelID] = [], toldAtOnce: Int = 1,
        handoverLimit: Duration = EscalationPlan.defaultHandoverLimit,
        repeatInterval: Duration = EscalationPlan.defaultRepeatInterval
    ) {
        self.channels = channels
        self.carers = carers
        self.toldAtOnce = max(toldAtOnce, 1)
        self.handoverLimit = handoverLimit
        self.repeatInterval = repeatInterval
    }

    /// 30 s: a person at the other end needs some seconds to read and press; two unanswered rounds
    /// still fit in the first minute.
    public static let defaultRepeatInterval = Duration.seconds(30)
    /// 2 s: more than a working channel needs, and no more, since the person waits as long for the
    /// next one.
    public static let defaultHandoverLimit = Duration.seconds(2)

    /// Channels that are told of an alarm of this priority, in this order.
    public func told(of priority: AlarmPriority) -> [ChannelID] {
        switch priority {
        case .high: channels
        case .medium: carers
        case .low: []
        }
    }
}

/// The part that the person decides.
extension EscalationPlan {
    /// Returns the plan with a person's choices among the channels that are theirs to switch. A channel that the person
    /// adds is told after those of the settings. Where nobody would be left to call in an emergency, the settings hold.
    public func with(_ choices: PersonChoices, among own: [ChannelID]) -> EscalationPlan {
        let called = Self.chosen(channels, own) { choices[$0]?.emergency }
        return EscalationPlan(
            channels: called.isEmpty ? channels : called,
            carers: Self.chosen(carers, own) { choices[$0]?.warnings }, toldAtOnce: toldAtOnce,
            handoverLimit: handoverLimit, repeatInterval: repeatInterval)
    }

    /// Channels that are called in an emergency by these choices, empty ones included.
    public func called(by choices: PersonChoices, among own: [ChannelID]) -> [ChannelID] {
        Self.chosen(channels, own) { choices[$0]?.emergency }
    }

    private static func chosen(
        _ written: [ChannelID], _ own: [ChannelID], _ choice: (ChannelID) -> Bool?
    ) -> [ChannelID] {
        written.filter { !own.contains($0) || choice($0) ?? true }
            + own.filter { !written.contains($0) && choice($0) ?? false }
    }
}
