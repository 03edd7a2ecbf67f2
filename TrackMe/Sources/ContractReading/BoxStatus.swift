public import GatewayModel

/// State of a gateway as the broker keeps it.
public struct BoxStatus: Hashable, Sendable {
    /// A lasting condition of the box.
    public struct Condition: Hashable, Sendable {
        /// A newer gateway may have codes and severities that this program does not know.
        public let code, severity: String
        /// The wearable, the person or the part.
        public let subject: String?
    }

    public let id: MessageID
    public let isOnline: Bool
    public let version: String
    /// For `offline`: when the gateway connected.
    public let time: WallTime
    public let conditions: [Condition]

    public init(_ payload: [UInt8]) throws(ContractFault) {
        let fields: Fields = try WirePayload.read(from: payload)
        guard fields.state == "online" || fields.state == "offline" else {
            throw .form("'state' is neither online nor offline")
        }
        (id, isOnline) = (fields.id, fields.state == "online")
        (version, time) = (fields.version.text, fields.time.wall)
        conditions = fields.conditions.map {
            Condition(code: $0.code.text, severity: $0.severity.text, subject: $0.subject?.text)
        }
    }

    private struct Fields: Decodable {
        struct Condition: Decodable {
            let code, severity: WireText
            let subject: WireText?
        }

        let id: MessageID
        let state: String
        let version: WireText
        let time: WireTime
        let conditions: [Condition]
    }
}
