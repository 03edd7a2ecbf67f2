/// The versions of MQTT this gateway speaks.
public enum ProtocolVersion: String, Sendable {
    case v5 = "5"
    /// Only for brokers that refused version 5 (0x84): no reason codes, no properties.
    case v311 = "3.1.1"
}

/// What happened to the session. Told on the mqtt thread: hand it on, do not work in it.
public enum BrokerEvent: Hashable, Sendable {
    /// The broker took the connection. `receiveMaximum`: unacknowledged messages it allows
    /// (MQTT 5 section 3.2.2.3.3; 65535 where it does not say).
    case connected(protocolVersion: ProtocolVersion, receiveMaximum: Int)
    /// Not reached, or lost. Tried again after `retryIn`.
    case disconnected(reason: String, retryIn: Duration)
    /// The broker answered, and does not want this gateway (MQTT 5 section 2.4).
    case refused(reasonCode: Int, text: String, retryIn: Duration)
    case message(topic: String, payload: [UInt8], isRetained: Bool)
    case subscribed(topic: String)
    case subscriptionRefused(topic: String, reason: String)
}
