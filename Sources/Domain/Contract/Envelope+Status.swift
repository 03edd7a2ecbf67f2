import Consent
public import GatewayModel

/// `status`: retained, the box as it is now.
struct StatusPayload: Encodable {
    struct Condition: Encodable {
        let code: String
        let severity: String
        /// A device or a person, where the condition is about one.
        let subject: String?
    }

    let id: String
    let state: String
    let version: String
    let conditions: [Condition]
    let time: String
}

extension Envelope {
    public enum Presence: String, Sendable {
        case online, offline
    }

    /// The retained word about the box: its last will says `offline` (`time` is then when the will was
    /// written, at connecting). It holds until the next one and so has no expiry: after it the broker would
    /// know of no gateway at all.
    public static func status(
        _ presence: Presence, version: String, conditions: [HealthCondition], id: MessageID, at time: WallTime,
        topics: Topics
    ) -> Envelope {
        let payload = StatusPayload(
            id: id.description, state: presence.rawValue, version: version,
            conditions: conditions.map { condition in
                StatusPayload.Condition(
                    code: condition.code.rawValue, severity: condition.code.declaration.severity.rawValue,
                    subject: condition.subject)
            },
            time: time.rfc3339)
        return Envelope(
            id: id, lane: .live, retention: .moment, disclosure: .gateway, topic: topics.status,
            payload: WireJSON.encode(payload), isRetained: true)
    }
}
