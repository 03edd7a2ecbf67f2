package import Consent
package import Contract
package import GatewayModel
package import MQTTBridge
import RealTime
import Sealing
import Synchronization
package import Vault

/// Takes messages out of the outbox: gives them to the broker's session, and deletes those that may not leave. Tells the
/// fate of each message.
package final class OutboxDelivery: OutboundSource {
    /// Result of a message that has left the queue.
    package enum Fate: Sendable {
        case acknowledged
        case refused(reason: String)
        /// It stays in the queue.
        case postponed(reason: String)
        /// Its consent ended while it waited.
        case withheld
        /// It described a moment that was over before a connection existed.
        case outdated
    }

    package typealias Observer = @Sendable (Envelope, Fate) -> Void

    package let queue: OutboundQueue
    private let sealer: any MessageSealer
    private let observers: [Observer]

    /// - Parameters:
    ///   - sealer: seals the copies for third parties that have a key, when they leave.
    ///   - observers: called in their order with each message that left the queue, on the thread on which it left. They
    ///     must return at once.
    package init(
        _ queue: OutboundQueue, sealer: any MessageSealer = HPKESealer(), observers: [Observer] = []
    ) {
        (self.queue, self.sealer, self.observers) = (queue, sealer, observers)
    }

    /// Bytes of a packet besides its payload: the topic, which has 111 at most, and its header.
    private static let packetOverhead = 128

    /// Records a new connection. Messages that waited for it are old and must not precede new messages.
    ///
    /// - Parameter maximumPacket: bytes; nil if the broker sets no limit.
    package func connected(maximumPacket: Int? = nil) {
        queue.hasConnection.withLock { $0 = true }
        let maximumPayload = maximumPacket.map { max(0, $0 - Self.packetOverhead) }
        tell(queue.change { $0.connected(maximumPayload: maximumPayload) }, .outdated)
    }

    // MARK: OutboundSource, on the broker's thread

    package func next() -> Cleared<Envelope>? {
        let now = Clock.boot()
        while true {
            let offer = queue.change { outbox in
                outbox.next(at: now, clear: queue.clear, mayWait: queue.mayWait)
            }
            tell(offer.withheld, .withheld)
            guard let first = offer.cleared else { return nil }
            // Outside the lock: an alarm to be enqueued does not wait for it.
            guard let message = offer.isGathered ? Cleared.gathered(offer.parts, as: Envelope.gathered) : first
            else {
                queue.change { $0.divide(first.value.id) }
                continue
            }
            if let ready = sealed(message) { return ready }
            tell(queue.change { $0.settle(first.value.id, isDelivered: false) }, .withheld)
        }
    }

    /// Returns the message as it may leave: sealed if it goes to the owner of a key.
    /// - Returns: nil if it cannot be sealed to the key: then nothing leaves.
    private func sealed(_ message: Cleared<Envelope>) -> Cleared<Envelope>? {
        guard message.value.awaitsSealing else { return message }
        let disclosure = message.value.disclosure
        guard let key = queue.gate.sealingKey(for: disclosure),
            let sealed = message.value.sealed(
                to: key, answering: queue.gate.request(answeredBy: disclosure), by: sealer)
        else { return nil }
        return message.reshaped { _ in sealed }
    }

    package func hurry() { queue.outbox.withLock { $0.release() } }

    package var nextDue: BootInstant? { queue.outbox.withLock(\.gatheringEnd) }

    package func acknowledged(_ id: MessageID) {
        tell(queue.change { $0.settle(id) }, .acknowledged)
    }

    package func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {
        let now = Clock.boot()
        switch queue.change({ $0.refused(id, Outbox.Refusal(code), at: now) }) {
        case .givenUp(let envelope)?: tell([envelope], .refused(reason: reason))
        case .postponed(let envelope)?: tell([envelope], .postponed(reason: reason))
        case .divided?, nil: break
        }
    }

    package func connectionLost() {
        queue.hasConnection.withLock { $0 = false }
        let now = Clock.boot()
        let (outdated, withheld) = queue.change { outbox in
            // A message that was in flight when its consent was withdrawn waits again now. No purge has seen it.
            (outbox.connectionLost(at: now), outbox.purge { !queue.mayLeave($0) })
        }
        tell(outdated, .outdated)
        tell(withheld, .withheld)
    }

    // MARK: On the outbox's thread

    /// Drops messages in memory that no longer have consent.
    /// - Returns: the number of messages that this call and `next` have dropped since the last call, by disclosure. The
    ///   disk counts its own deletions.
    package func purgeWithheld() -> [Disclosure: Int] { drop { !queue.mayLeave($0) } }

    /// Drops the messages in memory that carry readings of a person.
    /// - Returns: as `purgeWithheld`.
    package func forget(readingsOf person: PersonID) -> [Disclosure: Int] {
        drop { $0.disclosure.tellsReadings(of: person) }
    }

    private func drop(where isWithheld: (Envelope) -> Bool) -> [Disclosure: Int] {
        let (dropped, counts) = queue.change { (outbox: inout Outbox) in
            (outbox.purge(where: isWithheld), outbox.takeWithheld())
        }
        tell(dropped, .withheld)
        return counts
    }

    private func tell(_ envelopes: [Envelope], _ fate: Fate) {
        for envelope in envelopes {
            for observe in observers { observe(envelope, fate) }
        }
    }
}

extension Outbox.Refusal {
    package init(_ code: ReasonCode) {
        if code.concernsTheMessage {
            self = .message
        } else if code.concernsTheTopic {
            self = .topic
        } else {
            self = code.concernsEverything ? .everything : .either
        }
    }
}
