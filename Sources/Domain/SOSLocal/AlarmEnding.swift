public import GatewayModel

/// How an alarm ended: exactly one of these, and always by a person (T4). Only a drill may lapse; an alarm of doubtful
/// values is aborted by the gateway where they are back inside before help was called.
public enum AlarmEnding: Hashable, Codable, Sendable {
    case aborted(PersonAct, at: BootInstant, beforeDispatch: Bool)
    case accepted(PersonAct, channel: ChannelID, at: BootInstant)
    case resolved(PersonAct, at: BootInstant)
    /// A drill that nobody answered, or that an emergency overtook.
    case lapsed(at: BootInstant)

    public var act: PersonAct {
        switch self {
        case .aborted(let act, _, _), .accepted(let act, _, _), .resolved(let act, _): act
        case .lapsed: PersonAct(by: "the gateway", means: .gateway)
        }
    }

    public var instant: BootInstant {
        switch self {
        case .aborted(_, let at, _), .accepted(_, _, let at), .resolved(_, let at), .lapsed(let at): at
        }
    }

    public var word: String {
        switch self {
        case .aborted: "aborted"
        case .accepted: "accepted"
        case .resolved: "resolved"
        case .lapsed: "lapsed"
        }
    }
}

/// Who did something about an alarm, and how: kept with the alarm for good.
public struct PersonAct: Hashable, Codable, Sendable {
    public enum Means: String, CaseIterable, Hashable, Codable, Sendable {
        /// `homegateway abort` or `resolve` in the house.
        case commandLine = "command-line"
        /// The pages of the house's screen.
        case console
        /// The page of the room's screen.
        case screen
        /// A page on a telephone or computer that was paired for a person.
        case page
        /// The big button of the box.
        case button
        /// A button of what the person wears.
        case wearable
        /// A signed command, as from the person's phone.
        case command
        /// The reply of a dispatch channel.
        case channel
        /// Nobody: the gateway itself, which ends a drill that was not answered.
        case gateway

        /// A button without words: easily pressed again in fear.
        var isPress: Bool { self == .button || self == .wearable }
    }

    /// As they named themselves; free text, for people.
    public let by: String
    public let means: Means

    public init(by: String, means: Means) {
        self.by = by
        self.means = means
    }
}
