public import Consent
public import GatewayModel

/// One message of the contract, ready for the broker: topic, payload, and what it discloses.
///
/// Made only by this module's encoders (`Envelope.sample`, `.gap`, `.sos`, `.status`, `.heartbeat`), so the disclosure
/// always says what the payload holds.
public struct Envelope: Disclosable, Hashable, Sendable {
    /// The order of sending: a lower one goes first.
    public enum Lane: Int, CaseIterable, Comparable, Codable, Sendable {
        case alarm = 0
        case live = 1
        case backlog = 2

        public static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }
    }

    /// What becomes of it while it cannot be sent.
    public enum Retention: String, CaseIterable, Hashable, Sendable {
        /// Said of the box at one moment: of no worth later, and never kept over a stop.
        case moment
        /// One of many: may be dropped where the store is full, and a gap says so.
        case sample
        /// Never dropped: alarms, and the word that samples are missing.
        case certain
    }

    /// The contract's stable id, also inside the payload.
    public let id: MessageID
    /// When what it tells of reached the gateway: that of its id, but for what a wearable had stored, whose id
    /// begins with the time that the device gives.
    public let arrived: WallTime
    public let lane: Lane
    public let retention: Retention
    public let disclosure: Disclosure
    public let topic: String
    /// UTF-8 JSON.
    public let payload: [UInt8]
    /// Kept by the broker for whoever subscribes later.
    public let isRetained: Bool
    /// Whole seconds after which the broker drops it where a subscriber was away (MQTT 5 section 3.3.2.3.3);
    /// nil for what must arrive however late. Counted by the broker, from its receiving it. Only what is
    /// `moment` has one, which no disk keeps.
    public let expiry: Duration?
    /// It is in the form for several readings, each with an id of its own (`gathered`).
    public let isGathered: Bool
    /// ID of the content: messages with the same one hold the same. That of several readings is made of their ids, where
    /// `id` is the first reading's.
    let contentID: MessageID
    /// It must not leave before it is sealed to the key of its third party (`sealed`).
    public let awaitsSealing: Bool

    init(
        id: MessageID, lane: Lane, retention: Retention, disclosure: Disclosure, topic: String,
        payload: [UInt8], isRetained: Bool = false, expiry: Duration? = nil,
        isGathered: Bool = false, contentID: MessageID? = nil, awaitsSealing: Bool = false,
        arrived: WallTime? = nil
    ) {
        self.id = id
        self.contentID = contentID ?? id
        self.arrived = arrived ?? id.wall
        self.lane = lane
        self.retention = retention
        self.disclosure = disclosure
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.expiry = expiry
        self.isGathered = isGathered
        self.awaitsSealing = awaitsSealing
    }
}
