/// A reason code of MQTT 5 (section 2.4): what the broker says of a packet or a connection.
public struct ReasonCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// 0x80 and above are failures; 0x10, "no matching subscribers", is a success.
    public var isFailure: Bool { rawValue >= 0x80 }

    /// Whether the same request may succeed later with nobody changing anything.
    public var retryHelps: Bool { Self.passing.contains(rawValue) }

    /// Whether it is the message itself that is not taken: too large, a topic or payload that is none.
    public var concernsTheMessage: Bool { Self.ofTheMessage.contains(rawValue) }

    /// Whether it is the topic, on which this gateway has no right to write.
    public var concernsTheTopic: Bool { rawValue == 0x87 }

    /// Whether it speaks of all that this gateway sends: load, and limits over time. Of other codes it cannot be known:
    /// 0x83 is Mosquitto's word for one message above its `message_size_limit`, and RabbitMQ's for a queue that is full.
    public var concernsEverything: Bool { Self.ofEverything.contains(rawValue) }

    /// As the specification names it.
    public var name: String { Self.names[rawValue] ?? "unknown reason" }

    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "\(name) (0x\(digits.count == 1 ? "0" : "")\(digits))"
    }

    static let unsupportedProtocolVersion = ReasonCode(rawValue: 0x84)
    static let sessionTakenOver = ReasonCode(rawValue: 0x8E)
    static let topicNameInvalid = ReasonCode(rawValue: 0x90)
    static let packetTooLarge = ReasonCode(rawValue: 0x95)
    static let retainNotSupported = ReasonCode(rawValue: 0x9A)
    static let qosNotSupported = ReasonCode(rawValue: 0x9B)

    /// The return codes of a 3.1.1 CONNACK (MQTT 3.1.1 table 3.1) in the words of version 5.
    init(connackOf311 code: Int32) {
        let codes: [Int32: UInt8] = [1: 0x84, 2: 0x85, 3: 0x88, 4: 0x86, 5: 0x87]
        self.init(rawValue: codes[code] ?? 0x80)
    }

    /// Load, restarts and limits over time pass; everything else needs a person.
    private static let passing: Set<UInt8> = [
        0x80, 0x83, 0x88, 0x89, 0x8B, 0x8D, 0x96, 0x97, 0x9F, 0xA0,
    ]

    private static let ofTheMessage: Set<UInt8> = [0x81, 0x90, 0x95, 0x99, 0x9A]
    private static let ofEverything: Set<UInt8> = [0x88, 0x89, 0x96, 0x97]

    private static let names: [UInt8: String] = [
        0x00: "success",
        0x01: "granted QoS 1",
        0x02: "granted QoS 2",
        0x04: "disconnect with will message",
        0x10: "no matching subscribers",
        0x11: "no subscription existed",
        0x18: "continue authentication",
        0x19: "re-authenticate",
        0x80: "unspecified error",
        0x81: "malformed packet",
        0x82: "protocol error",
        0x83: "implementation specific error",
        0x84: "unsupported protocol version",
        0x85: "client identifier not valid",
        0x86: "bad user name or password",
        0x87: "not authorized",
        0x88: "server unavailable",
        0x89: "server busy",
        0x8A: "banned",
        0x8B: "server shutting down",
        0x8C: "bad authentication method",
        0x8D: "keep alive timeout",
        0x8E: "session taken over",
        0x8F: "topic filter invalid",
        0x90: "topic name invalid",
        0x91: "packet identifier in use",
        0x92: "packet identifier not found",
        0x93: "receive maximum exceeded",
        0x94: "topic alias invalid",
        0x95: "packet too large",
        0x96: "message rate too high",
        0x97: "quota exceeded",
        0x98: "administrative action",
        0x99: "payload format invalid",
        0x9A: "retain not supported",
        0x9B: "QoS not supported",
        0x9C: "use another server",
        0x9D: "server moved",
        0x9E: "shared subscriptions not supported",
        0x9F: "connection rate exceeded",
        0xA0: "maximum connect time",
        0xA1: "subscription identifiers not supported",
        0xA2: "wildcard subscriptions not supported",
    ]
}
