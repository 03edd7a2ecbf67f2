/// The versions of MQTT that this gateway supports.
public enum ProtocolVersion: String, Sendable {
    case v5 = "5"
    /// Only for brokers that refused version 5 (0x84): no reason codes, no properties.
    case v311 = "3.1.1"
}

/// The broker's promises in its CONNACK (MQTT 5 section 3.2.2.3).
public struct Welcome: Hashable, Sendable {
    public let broker: BrokerEndpoint
    public let protocolVersion: ProtocolVersion
    /// Maximum number of unacknowledged messages; 65535 if the broker sets none.
    public let receiveMaximum: Int
    /// The broker still has the subscriptions, and the messages that arrived for the gateway meanwhile.
    public let isSessionPresent: Bool
    /// Time for which the broker will keep the session after a loss: its own value, else the requested one. Nil with
    /// MQTT 3.1.1, which has no such property.
    public let sessionExpiry: Duration?
    /// Bytes of the largest packet that it accepts; nil if it sets no limit.
    public let maximumPacketSize: Int?
    /// False: later subscribers do not see the status until the next one.
    public let keepsRetained: Bool
}

/// An event of the session. Delivered on the mqtt thread: hand it on, do not work in it.
public enum BrokerEvent: Hashable, Sendable {
    /// The broker accepted the connection.
    case connected(Welcome)
    /// The broker was not reached, or the connection was lost. Tried again after `retryIn`, with the next broker if
    /// there are several.
    case disconnected(reason: String, retryIn: Duration)
    /// The broker answered and rejected this gateway (MQTT 5 section 2.4).
    case refused(reasonCode: Int, text: String, retryIn: Duration)
    /// Another client uses this gateway's client id: the broker says so (0x8E), or closes connections repeatedly
    /// without another reason. Tried again after `retryIn`.
    case sessionTaken(reason: String, retryIn: Duration)
    /// The connection has lasted this long: reported at `SessionPolicy.lasting` and at `SessionPolicy.undisputed`.
    case held(Duration)
    case subscribed(topic: String)
    case subscriptionRefused(topic: String, reason: String)
    /// The broker violated the protocol. Reported at the first fault of a kind in this session, and again at each
    /// tenfold; `count` of all so far.
    case fault(BrokerFault, count: Int)

    /// The longer of the two ages of `held`: no other client uses the client id.
    public static var undisputed: Duration { SessionPolicy.undisputed }
    /// Number of consecutive ends of the session's process that may have a reason besides the broker.
    public static var toleratedCrashes: Int { SessionPolicy.toleratedCrashes }
}
