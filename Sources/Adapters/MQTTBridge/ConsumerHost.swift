import GatewayModel
import RealTime

/// The host of a consumer's connection: collects the messages of a batch and gives the orders. Used on the session's
/// thread alone.
final class ConsumerHost: ConnectionHost {
    private let queue: ConsumerQueue
    private let commitBatch: ([InboundMessage]) throws -> Void
    private let onEvent: (BrokerEvent) -> Void
    private let control: SessionControl
    private var batch: [InboundMessage] = []

    init(
        queue: ConsumerQueue, control: SessionControl, commit: @escaping ([InboundMessage]) throws -> Void,
        onEvent: @escaping (BrokerEvent) -> Void
    ) {
        self.queue = queue
        self.control = control
        commitBatch = commit
        self.onEvent = onEvent
    }

    var stopBy: BootInstant? { control.stopBy }
    var isForGood: Bool { control.isForGood }
    var wakeDescriptor: Int32 { control.wakeup.descriptor }
    func takeWakeup() { control.wakeup.drain() }

    func next() -> Publication? { queue.next().map { Publication($0) } }
    var nextDue: BootInstant? { nil }
    func acknowledged(_ id: MessageID) { queue.settle(id, .success(())) }
    func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {
        queue.settle(id, .failure(.refused(reason: reason)))
    }

    /// Messages of an unfinished batch are not acknowledged: they come again.
    func connectionLost() {
        batch = []
        queue.returnUnderway()
    }

    var readLimit: Int { ConsumerSession.batchLimit }

    func receive(_ message: InboundMessage) -> InboundReceipt {
        batch.append(message)
        return .kept
    }

    func commit() -> InboundReceipt {
        guard !batch.isEmpty else { return .kept }
        defer { batch = [] }
        do {
            try commitBatch(batch)
            return .kept
        } catch {
            return .notKept(reason: "\(error)")
        }
    }

    func report(_ event: BrokerEvent) { onEvent(event) }
}
