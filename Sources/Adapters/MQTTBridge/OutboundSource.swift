public import Consent
public import Contract
public import GatewayModel

/// Source of the session's messages: the outbox, seen from the wire.
///
/// Called on the mqtt thread only, one call at a time. Nothing here may block: while it does, neither an
/// acknowledgement nor a keep-alive is handled.
public protocol OutboundSource: Sendable {
    /// Returns the next message to offer, nil when there is none now. It is cleared at this instant. A returned message
    /// is in flight until one of the calls below names it, and is not returned again before.
    func next() -> Cleared<Envelope>?

    /// Instant from which `next` has a message although no new one is announced; nil if there is none. Read before each
    /// wait.
    var nextDue: BootInstant? { get }

    /// Makes `next` return the messages that wait for more. Called when the session is about to stop.
    func hurry()

    /// The broker has the message (PUBACK 0x00, or 0x10: no subscribers).
    func acknowledged(_ id: MessageID)

    /// The broker does not accept this message (PUBACK 0x80 and above, a size above its limit, an invalid topic). The
    /// connection stays; the source decides about the message.
    ///
    /// `reason`: the code in words, with the broker's own text where it gives one.
    func refused(_ id: MessageID, _ code: ReasonCode, reason: String)

    /// The connection is gone: all messages in flight are unacknowledged again and have to be offered again, with the
    /// same id.
    func connectionLost()
}

extension OutboundSource {
    public var nextDue: BootInstant? { nil }
    public func hurry() {}
}
