import Consent
public import GatewayModel

/// An envelope as the columns of a row. What comes back is not cleared: it must pass the gate again before it
/// leaves.
public struct StoredEnvelope: Hashable, Sendable {
    public let id: MessageID
    public let lane: Envelope.Lane
    public let retention: Envelope.Retention
    /// `emergency`, `emergency-over` or `readings`.
    public let discloses: String
    public let person: String?
    public let kind: String?
    public let topic: String
    public let payload: [UInt8]
    public let isRetained: Bool

    public init(
        id: MessageID, lane: Envelope.Lane, retention: Envelope.Retention, discloses: String,
        person: String?, kind: String?, topic: String, payload: [UInt8], isRetained: Bool
    ) {
        (self.id, self.lane, self.retention) = (id, lane, retention)
        (self.discloses, self.person, self.kind) = (discloses, person, kind)
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }

    /// Nil for what is not kept: a word about the box at one moment.
    public init?(_ envelope: Envelope) {
        guard envelope.retention != .moment else { return nil }
        let (discloses, person, kind): (String, PersonID, QuantityKind?)
        switch envelope.disclosure {
        case .gateway, .household, .dashboard, .dashboardEmptied: return nil
        case .emergency(let of): (discloses, person, kind) = ("emergency", of, nil)
        case .emergencyOver(let of): (discloses, person, kind) = ("emergency-over", of, nil)
        case .readings(let of, let what): (discloses, person, kind) = ("readings", of, what)
        }
        self.init(
            id: envelope.id, lane: envelope.lane, retention: envelope.retention, discloses: discloses,
            person: person.text, kind: kind?.rawValue, topic: envelope.topic, payload: envelope.payload,
            isRetained: envelope.isRetained)
    }

    /// Nil where it is not of this version's making.
    public var envelope: Envelope? {
        guard let disclosure else { return nil }
        return Envelope(
            id: id, lane: lane, retention: retention, disclosure: disclosure, topic: topic, payload: payload,
            isRetained: isRetained)
    }

    private var disclosure: Disclosure? {
        guard let person = person.flatMap({ PersonID($0) }) else { return nil }
        switch discloses {
        case "emergency": return .emergency(of: person)
        case "emergency-over": return .emergencyOver(of: person)
        case "readings": return kind.flatMap(QuantityKind.init).map { .readings(of: person, kind: $0) }
        default: return nil
        }
    }
}
