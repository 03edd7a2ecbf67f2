public import Consent
public import GatewayModel

/// One message of the contract, ready for the broker: topic, payload, and what it discloses.
///
/// Made only by this module's encoders (`Envelope.sample`, `.sos`, `.status`), so the disclosure
/// always says what the payload holds.
public struct Envelope: Disclosable, Hashable, Sendable {
    /// The order of sending: a lower one goes first.
    public enum Lane: Int, CaseIterable, Comparable, Codable, Sendable {
        case alarm = 0
        case live = 1
        case backlog = 2

        public static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }
    }

    /// The contract's stable id, also inside the payload.
    public let id: MessageID
    public let lane: Lane
    public let disclosure: Disclosure
    public let topic: String
    /// UTF-8 JSON.
    public let payload: [UInt8]
    /// Kept by the broker for whoever subscribes later.
    public let isRetained: Bool
    /// Whole seconds after which the broker drops it where a subscriber was away (MQTT 5 section 3.3.2.3.3);
    /// nil for what must arrive however late. Counted by the broker, from its receiving it.
    public let expiry: Duration?

    init(
        id: MessageID, lane: Lane, disclosure: Disclosure, topic: String, payload: [UInt8],
        isRetained: Bool = false, expiry: Duration? = nil
    ) {
        self.id = id
        self.lane = lane
        self.disclosure = disclosure
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.expiry = expiry
    }
}
