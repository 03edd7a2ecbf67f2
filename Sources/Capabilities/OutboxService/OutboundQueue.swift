package import Consent
package import Contract
package import GatewayModel
import Hub
package import MQTTBridge
import RealTime
import Sealing
import Synchronization
package import Vault

/// The outbox, shared between threads: producers enqueue, the broker's thread sends, the outbox's thread writes and
/// reads.
///
/// Each call holds a lock for the time of a queue operation in memory. No call does I/O.
package final class OutboundQueue: OutboundSource {
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

    /// A struct, because a closure that is itself the state of a mutex is wrapped in one more closure by each
    /// `withLock`, on the way out and on the way back. After a week of readings every message would pass through
    /// millions of closures.
    private struct Listeners {
        var settled: (@Sendable (Envelope, Fate) -> Void)?
        /// Wakes the outbox's thread.
        var diskWork: (@Sendable () -> Void)?
    }

    let outbox = Mutex(Outbox())
    private let hasConnection = Mutex(false)
    private let gate: ConsentGate
    private let isTimeSure: @Sendable () -> Bool
    private let wake: @Sendable (_ isUrgent: Bool) -> Void
    private let sealer: any MessageSealer
    private let listeners = Mutex(Listeners())

    /// - Parameters:
    ///   - sealer: seals the copies for third parties that have a key, when they leave.
    ///   - wake: wakes the broker's session, if there is one; called with whether an alarm waits. Must return at once.
    ///   - isTimeSure: returns whether the clock is trusted at this instant. While it is not, a message that is held
    ///     back by its time alone is kept, and is sent or deleted later.
    package init(
        gate: ConsentGate, sealer: any MessageSealer = HPKESealer(),
        wake: @escaping @Sendable (_ isUrgent: Bool) -> Void = { _ in },
        isTimeSure: @escaping @Sendable () -> Bool = { true }
    ) {
        self.sealer = sealer
        (self.gate, self.wake, self.isTimeSure) = (gate, wake, isTimeSure)
    }

    /// - Parameter handler: called on the thread on which a message left the queue; must return at once.
    package func onSettled(_ handler: @escaping @Sendable (Envelope, Fate) -> Void) {
        listeners.withLock { $0.settled = handler }
    }

    /// - Parameter handler: called when there is work for the disk; must return at once.
    package func onDiskWork(_ handler: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.diskWork = handler }
    }

    /// - Parameter isPressing: the reading does not wait for other readings of its person.
    package func enqueue(_ cleared: Cleared<Envelope>, isPressing: Bool = false) {
        let now = Clock.boot()
        change { $0.enqueue(cleared, at: now, isPressing: isPressing) }
        // The outbox's thread reports a reading once it is durable.
        let isKept = cleared.value.retention == .sample
        if !isKept { announce(isUrgent: cleared.value.lane == .alarm) }
    }

    /// Enqueues the report of the messages that were given up while the disk was failing.
    package func enqueue(gap message: Envelope) {
        guard let cleared = clear(message) else { return }
        enqueue(cleared)
    }

    /// Wakes the outbox's thread if the change makes new work for it.
    private func change<Result: Sendable>(_ body: (inout Outbox) -> Result) -> Result {
        let (result, isWork) = outbox.withLock { outbox in
            let (need, wantsPage) = (outbox.diskNeed, outbox.wantsPage)
            let result = body(&outbox)
            // A page is read also while the disk accepts no writes, and the need for the disk is then at its maximum
            // already.
            return (result, outbox.diskNeed > need || outbox.wantsPage && !wantsPage)
        }
        if isWork { listeners.withLock(\.diskWork)?() }
        return result
    }

    /// Lets the broker's thread retry at once if an alarm waits. Cheap; call it once a second.
    package func hurryAlarms() {
        if outbox.withLock(\.isAlarmWaiting) { wake(true) }
    }

    /// Drops messages in memory that no longer have consent.
    /// - Returns: the number of messages that this call and `next` have dropped since the last call, by disclosure. The
    ///   disk counts its own deletions.
    package func purgeWithheld() -> [Disclosure: Int] { drop { !mayLeave($0) } }

    /// Offers the messages again that were held back by time alone, after a change of the clock.
    package func offerAgain() {
        change { $0.offerAgain() }
        announce()
    }

    /// Drops the messages in memory that carry readings of a person.
    /// - Returns: as `purgeWithheld`.
    package func forget(readingsOf person: PersonID) -> [Disclosure: Int] {
        drop { $0.disclosure.tellsReadings(of: person) }
    }

    private func drop(where isWithheld: (Envelope) -> Bool) -> [Disclosure: Int] {
        let (dropped, counts) = change { (outbox: inout Outbox) in
            (outbox.purge(where: isWithheld), outbox.takeWithheld())
        }
        tell(dropped, .withheld)
        return counts
    }

    /// Returns whether the consent gate lets the message leave now or may do so later. Other messages are deleted.
    package func mayLeave(_ envelope: Envelope) -> Bool { clear(envelope) != nil || mayWait(envelope) }

    /// Returns whether the message is too early or too late only according to an untrusted clock. Called after `clear`,
    /// so that a step in between is seen.
    private func mayWait(_ envelope: Envelope) -> Bool {
        gate.isGranted(envelope.disclosure) && (gate.isSuspended(envelope.disclosure) || !isTimeSure())
    }

    /// Bytes of a packet besides its payload: the topic, which has 111 at most, and its header.
    private static let packetOverhead = 128

    /// Records a new connection. Messages that waited for it are old and must not precede new messages.
    ///
    /// - Parameter maximumPacket: bytes; nil if the broker sets no limit.
    package func connected(maximumPacket: Int? = nil) {
        hasConnection.withLock { $0 = true }
        let maximumPayload = maximumPacket.map { max(0, $0 - Self.packetOverhead) }
        tell(change { $0.connected(maximumPayload: maximumPayload) }, .outdated)
    }

    /// Sets the time that readings of one person wait for each other, to leave in one message; zero: each leaves by
    /// itself.
    package func gather(within time: Duration) {
        outbox.withLock { $0.gather(within: time) }
        announce()
    }

    /// Whether a broker is connected, as far as is known.
    package var isConnected: Bool { hasConnection.withLock { $0 } }

    /// Whether a called service has still to be informed that the alarm is over.
    package var owesLastWord: Bool { outbox.withLock(\.owesLastWord) }

    /// Whether a message waits that the broker has refused.
    package var isRefused: Bool { outbox.withLock(\.isRefused) }

    /// Number of messages that are not on the disk.
    package var undurable: Int { outbox.withLock(\.undurable) }
    package var count: Int { outbox.withLock(\.count) }

    // MARK: OutboundSource, on the broker's thread

    package func next() -> Cleared<Envelope>? {
        let now = Clock.boot()
        while true {
            let offer = change { outbox in outbox.next(at: now, clear: clear, mayWait: mayWait) }
            tell(offer.withheld, .withheld)
            guard let first = offer.cleared else { return nil }
            // Outside the lock: an alarm to be enqueued does not wait for it.
            guard let message = offer.isGathered ? Cleared.gathered(offer.parts, as: Envelope.gathered) : first
            else {
                change { $0.divide(first.value.id) }
                continue
            }
            if let ready = sealed(message) { return ready }
            tell(change { $0.settle(first.value.id, isDelivered: false) }, .withheld)
        }
    }

    /// Returns the message as it may leave: sealed if it goes to the owner of a key.
    /// - Returns: nil if it cannot be sealed to the key: then nothing leaves.
    private func sealed(_ message: Cleared<Envelope>) -> Cleared<Envelope>? {
        guard message.value.awaitsSealing else { return message }
        guard let key = gate.sealingKey(for: message.value.disclosure),
            let sealed = message.value.sealed(to: key, by: sealer)
        else { return nil }
        return message.reshaped { _ in sealed }
    }

    package func hurry() { outbox.withLock { $0.release() } }

    package var nextDue: BootInstant? { outbox.withLock(\.gatheringEnd) }

    package func acknowledged(_ id: MessageID) {
        tell(change { $0.settle(id) }, .acknowledged)
    }

    package func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {
        let now = Clock.boot()
        switch change({ $0.refused(id, Outbox.Refusal(code), at: now) }) {
        case .givenUp(let envelope)?: tell([envelope], .refused(reason: reason))
        case .postponed(let envelope)?: tell([envelope], .postponed(reason: reason))
        case .divided?, nil: break
        }
    }

    package func connectionLost() {
        hasConnection.withLock { $0 = false }
        let now = Clock.boot()
        let (outdated, withheld) = change { outbox in
            // A message that was in flight when its consent was withdrawn waits again now. No purge has seen it.
            (outbox.connectionLost(at: now), outbox.purge { !mayLeave($0) })
        }
        tell(outdated, .outdated)
        tell(withheld, .withheld)
    }

    /// Announces a new message.
    package func announce(isUrgent: Bool = false) {
        wake(isUrgent)
    }

    private func tell(_ envelopes: [Envelope], _ fate: Fate) {
        guard !envelopes.isEmpty, let handler = listeners.withLock(\.settled) else { return }
        for envelope in envelopes { handler(envelope, fate) }
    }

    /// Clears the message again at the instant of leaving, by the ledger of that instant.
    private func clear(_ envelope: Envelope) -> Cleared<Envelope>? {
        switch envelope.disclosure {
        case .emergency, .emergencyOver:
            try? gate.discloseInEmergency(envelope, message: envelope.id, at: Clock.wall())
        case .share: try? gate.clearShare(envelope, at: Clock.wall())
        case .readings, .severalReadings, .gateway, .household, .receipt, .runner, .dashboard,
            .dashboardEmptied:
            try? gate.clear(envelope)
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
