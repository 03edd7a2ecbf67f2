import GatewayModel

/// Payload of `status`: the present state of the box.
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

    init(
        _ presence: Envelope.Presence, version: String, _ conditions: [HealthCondition], id: MessageID,
        at time: WallTime
    ) {
        self.id = id.description
        (state, self.version) = (presence.rawValue, version)
        self.conditions = conditions.map { condition in
            Condition(
                code: condition.code.rawValue, severity: condition.code.declaration.severity.rawValue,
                subject: condition.subject)
        }
        self.time = time.rfc3339
    }
}
