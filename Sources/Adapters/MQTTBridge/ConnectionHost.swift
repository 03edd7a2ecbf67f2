import GatewayModel
import RealTime

/// The surroundings of one connection: the queue that it sends from, the receiver of its messages, and the wish to
/// stop. Used on the mqtt thread alone.
protocol ConnectionHost: AnyObject {
    /// Nil until a stop is asked for; then the instant by which acknowledgements are waited for.
    var stopBy: BootInstant? { get }
    /// The broker is to forget the session.
    var isForGood: Bool { get }
    /// Readable where there may be something new to send, or a stop.
    var wakeDescriptor: Int32 { get }
    /// To be called when `wakeDescriptor` is readable.
    func takeWakeup()

    /// See `OutboundSource` for these five.
    func next() -> Publication?
    var nextDue: BootInstant? { get }
    func acknowledged(_ id: MessageID)
    func refused(_ id: MessageID, _ code: ReasonCode, reason: String)
    func connectionLost()

    func receive(_ message: InboundMessage) -> InboundReceipt
    /// Number of packets to read, as far as they are there, before they are handled and acknowledged.
    var readLimit: Int { get }
    /// Called after the last message of those that were read together. They are acknowledged after it has returned.
    func commit() -> InboundReceipt
    func report(_ event: BrokerEvent)
}

extension ConnectionHost {
    var isStopping: Bool { stopBy != nil }
    var readLimit: Int { 1 }
    func commit() -> InboundReceipt { .kept }

    /// How long to wait where there is room for another message, `limit` at most.
    func wait(upTo limit: Duration, at now: BootInstant) -> Duration {
        nextDue.map { min(limit, max(.zero, now.duration(to: $0))) } ?? limit
    }
}

/// The host of a connection in the process of its outbox.
final class LocalHost: ConnectionHost {
    private let source: FittedSource
    private let receiver: (InboundMessage) -> InboundReceipt
    private let onEvent: (BrokerEvent) -> Void
    private let control: SessionControl

    init(
        source: any OutboundSource, receive: @escaping (InboundMessage) -> InboundReceipt,
        onEvent: @escaping (BrokerEvent) -> Void, control: SessionControl
    ) {
        self.source = FittedSource(source)
        receiver = receive
        self.onEvent = onEvent
        self.control = control
    }

    var stopBy: BootInstant? { control.stopBy }
    var isForGood: Bool { control.isForGood }
    var wakeDescriptor: Int32 { control.wakeup.descriptor }
    func takeWakeup() { control.wakeup.drain() }

    func next() -> Publication? {
        if isStopping { source.hurry() }
        return source.next()
    }
    var nextDue: BootInstant? { source.nextDue }
    func acknowledged(_ id: MessageID) { source.acknowledged(id) }
    func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {
        source.refused(id, code, reason: reason)
    }
    func connectionLost() { source.connectionLost() }

    func receive(_ message: InboundMessage) -> InboundReceipt { receiver(message) }
    func report(_ event: BrokerEvent) {
        if case .connected(let welcome) = event { source.connected(welcome) }
        onEvent(event)
    }
}
