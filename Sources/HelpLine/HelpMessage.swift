public import Consent
public import GatewayModel
public import SOSLocal

/// What is sent to whoever helps: the call, or the word that it no longer holds.
public enum HelpMessage: Disclosable {
    case call(DispatchOrder, of: PersonProfile)
    case retraction(Retraction, of: PersonProfile)

    public var alarm: AlarmID {
        switch self {
        case .call(let order, _): order.alarm
        case .retraction(let retraction, _): retraction.alarm
        }
    }

    public var profile: PersonProfile {
        switch self {
        case .call(_, let profile), .retraction(_, let profile): profile
        }
    }

    public var isDrill: Bool {
        switch self {
        case .call(let order, _): order.isDrill
        case .retraction(let retraction, _): retraction.isDrill
        }
    }

    public var disclosure: Disclosure { .emergency(of: profile.id) }
}
