import Consent
import Contract
import GatewayModel

/// One message in the form in which it goes to the broker.
///
/// A gateway makes it of a message that has passed the consent gate, and of nothing else: the process of the session
/// reads its own from the daemon, which made them so. A consumer makes it of an order (`ConsumerSession`).
struct Publication: Hashable, Sendable {
    let id: MessageID
    let topic: String
    let payload: [UInt8]
    let isRetained: Bool
    /// Whole seconds; nil for never.
    let expiry: UInt32?
    /// Without properties, which are 64 bytes: the payload says the same.
    let isBare: Bool

    init(_ cleared: Cleared<Envelope>, isBare: Bool = false) {
        self.isBare = isBare
        let envelope = cleared.value
        id = envelope.id
        topic = envelope.topic
        payload = envelope.payload
        isRetained = envelope.isRetained
        expiry = envelope.expiry.map { UInt32(clamping: $0.components.seconds) }
    }

    /// Message of a consumer of the contract to a house.
    init(_ order: ConsumerQueue.Order) {
        (id, topic, payload) = (order.id, order.topic, order.payload)
        (isRetained, expiry, isBare) = (false, nil, true)
    }

    init?(from reader: inout FrameReader) {
        guard let id = MessageID(bytes: reader.bytes(16)) else { return nil }
        self.id = id
        topic = reader.text()
        payload = reader.block()
        isRetained = reader.flag()
        expiry = reader.optional { $0.number(UInt32.self) }
        isBare = reader.flag()
    }

    func write(to writer: inout FrameWriter) {
        writer.bytes(id.bytes)
        writer.text(topic)
        writer.block(payload)
        writer.flag(isRetained)
        writer.optional(expiry) { $0.number($1) }
        writer.flag(isBare)
    }
}
