import Consent
import Contract
import GatewayModel
import MQTTBridge
import RealTime
import Synchronization
import Vault

/// The outbox as the threads share it: who produces, enqueues; the broker's thread takes.
///
/// Each call holds a lock for the time of a queue operation in memory; none does I/O.
final class OutboundQueue: OutboundSource {
    /// What became of a message that had left the queue.
    enum Fate: Sendable {
        case acknowledged
        case refused(reason: String)
    }

    private let outbox = Mutex(Outbox())
    private let gate: ConsentGate
    private let settledHandler = Mutex<(@Sendable (Envelope, Fate) -> Void)?>(nil)
    /// Wakes the broker's thread, where there is one; told whether an alarm waits.
    private let announce = Mutex<(@Sendable (_ isUrgent: Bool) -> Void)?>(nil)

    init(gate: ConsentGate) {
        self.gate = gate
    }

    /// - Parameter handler: called on the broker's thread when a message is done; must return at once.
    func onSettled(_ handler: @escaping @Sendable (Envelope, Fate) -> Void) {
        settledHandler.withLock { $0 = handler }
    }

    func onNewMessage(_ announce: (@Sendable (_ isUrgent: Bool) -> Void)?) {
        self.announce.withLock { $0 = announce }
    }

    /// - Returns: whether an older reading was dropped to make room.
    @discardableResult
    func enqueue(_ cleared: Cleared<Envelope>) -> Bool {
        let isDropping = outbox.withLock { $0.enqueue(cleared) }
        announce.withLock { $0 }?(cleared.value.lane == .alarm)
        return isDropping
    }

    /// Lets the broker's thread try again at once where an alarm waits. Cheap; call it once a second.
    func hurryAlarms() {
        if outbox.withLock(\.isAlarmWaiting) { announce.withLock { $0 }?(true) }
    }

    func restore(_ envelopes: [Envelope]) {
        outbox.withLock { $0.restore(envelopes) }
    }

    /// Forgets what waits and has no consent any more.
    /// - Returns: how many were forgotten.
    func purgeWithheld() -> Int {
        outbox.withLock { outbox in outbox.purge { clear($0) == nil } }
    }

    var unsent: [Envelope] { outbox.withLock(\.unsent) }
    var count: Int { outbox.withLock(\.count) }

    // MARK: OutboundSource, on the broker's thread

    func next() -> Cleared<Envelope>? {
        outbox.withLock { outbox in outbox.next(clear: clear) }
    }

    func acknowledged(_ id: MessageID) {
        settle(id, .acknowledged)
    }

    func refused(_ id: MessageID, reason: String) {
        settle(id, .refused(reason: reason))
    }

    func connectionLost() {
        outbox.withLock { outbox in
            outbox.connectionLost()
            // What was on its way when its consent was withdrawn waits again now, and no purge has seen it.
            _ = outbox.purge { clear($0) == nil }
        }
    }

    private func settle(_ id: MessageID, _ fate: Fate) {
        guard let envelope = outbox.withLock({ $0.settle(id) }) else { return }
        settledHandler.withLock { $0 }?(envelope, fate)
    }

    /// Asked again at the instant of leaving, on the ledger of that instant.
    private func clear(_ envelope: Envelope) -> Cleared<Envelope>? {
        if case .emergency = envelope.disclosure {
            return try? gate.discloseInEmergency(envelope, message: envelope.id, at: Clock.wall())
        }
        return try? gate.clear(envelope)
    }
}
