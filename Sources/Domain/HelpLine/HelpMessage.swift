public import Consent
public import GatewayModel
public import SOSLocal

/// Message to a helper: the call, or its retraction.
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

    /// Report of a channel once a machine at the other end has acknowledged it.
    public var arrived: ChannelEvent {
        switch self {
        case .call(let order, _): .handedOver(order.alarm, order.stage)
        case .retraction(let retraction, _): .retracted(retraction.alarm)
        }
    }

    /// Report of a channel once it has given it up. `reason` is for people.
    public func failed(because reason: String) -> ChannelEvent {
        switch self {
        case .call(let order, _): .failed(order.alarm, order.stage, reason: reason)
        case .retraction(let retraction, _): .retractionFailed(retraction.alarm, reason: reason)
        }
    }

    public var disclosure: Disclosure {
        if case .retraction(let retraction, _) = self, retraction.isOfWhatIsKnown {
            .emergencyOver(of: profile.id)
        } else {
            .emergency(of: profile.id)
        }
    }
}
