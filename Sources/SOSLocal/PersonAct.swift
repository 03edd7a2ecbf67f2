public import GatewayModel

/// Who did something about an alarm, and how: kept with the alarm for good.
public struct PersonAct: Hashable, Sendable {
    public enum Means: String, Hashable, Sendable {
        /// `homegateway abort` or `resolve` in the house.
        case commandLine = "command-line"
        /// The reply topic of a dispatch channel.
        case channel
    }

    /// As they named themselves; free text, for people.
    public let by: String
    public let means: Means

    public init(by: String, means: Means) {
        self.by = by
        self.means = means
    }
}

/// How an alarm ended: exactly one of these, and always by a person (T4).
public enum AlarmEnding: Hashable, Sendable {
    case aborted(PersonAct, at: BootInstant, beforeDispatch: Bool)
    case accepted(PersonAct, channel: ChannelID, at: BootInstant)
    case resolved(PersonAct, at: BootInstant)

    public var act: PersonAct {
        switch self {
        case .aborted(let act, _, _), .accepted(let act, _, _), .resolved(let act, _): act
        }
    }

    public var word: String {
        switch self {
        case .aborted: "aborted"
        case .accepted: "accepted"
        case .resolved: "resolved"
        }
    }
}
