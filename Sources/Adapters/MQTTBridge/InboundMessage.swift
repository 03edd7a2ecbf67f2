/// One message from the broker, on a topic that was asked for and of a size that was allowed.
public struct InboundMessage: Hashable, Sendable {
    public let topic: String
    /// As it came: nothing of it has been judged.
    public let payload: [UInt8]
    /// It lay at the broker before this gateway subscribed.
    public let isRetained: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool) {
        (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
}

/// What became of a message, by whoever received it.
public enum InboundReceipt: Hashable, Sendable {
    /// It is as safe as it has to be: on disk where it must survive a power cut. It is acknowledged now.
    case kept
    /// It is not acknowledged. MQTT has no word for that: the connection is given up, and the broker sends
    /// the message again on the next one, as far as it keeps the session.
    case notKept(reason: String)
}
