public import GatewayModel

/// How an alarm ended: exactly one of these, and always by a person (T4). Only a drill may lapse.
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
