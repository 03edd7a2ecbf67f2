public import Consent
public import Contract
public import GatewayModel

/// Source of the session's messages: the outbox, seen from the wire.
///
/// Called on the mqtt thread only, one call at a time. Nothing here may block: while it does, neither an
/// acknowledgement nor a keep-alive is handled.
public protocol OutboundSource: Sendable {
    /// The next message to offer, nil when there is none now. Cleared at this instant. A message that
    /// was given is in flight until one of the calls below names it, and not given again before.
    func next() -> Cleared<Envelope>?

    /// Instant from which `next` has something to offer although no new message is announced; nil where it has not. Asked
    /// before each wait.
    var nextDue: BootInstant? { get }

    /// Lets `next` give the messages that wait for more. Called when the session is about to stop.
    func hurry()

    /// The broker has it (PUBACK 0x00, or 0x10: nobody subscribes).
    func acknowledged(_ id: MessageID)

    /// The broker does not accept this message (PUBACK 0x80 and above, a size above its limit, an invalid topic). The
    /// connection stays; the source decides about the message.
    ///
    /// `reason`: the code in words, with the broker's own text where it gives one.
    func refused(_ id: MessageID, _ code: ReasonCode, reason: String)

    /// The connection is gone: all in flight are unacknowledged again and to be given anew, same id.
    func connectionLost()
}

extension OutboundSource {
    public var nextDue: BootInstant? { nil }
    public func hurry() {}
}
