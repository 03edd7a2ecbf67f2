package import Consent
package import Contract
import GatewayModel
import Hub
import RealTime
import Synchronization
package import Vault

/// The outbox, shared between threads: producers enqueue, the outbox's thread writes and reads, and the broker's thread
/// sends (`OutboxDelivery`).
///
/// Each call holds a lock for the time of a queue operation in memory. No call does I/O.
package final class OutboundQueue: Sendable {
    let outbox = Mutex(Outbox())
    let hasConnection = Mutex(false)
    let gate: ConsentGate
    private let isTimeSure: @Sendable () -> Bool
    private let wake: @Sendable (_ isUrgent: Bool) -> Void
    private let wakeDisk: @Sendable () -> Void
    private let wakeWatch: @Sendable () -> Void

    /// - Parameters:
    ///   - wake: wakes the broker's session, if there is one; called with whether an alarm waits. Must return at once.
    ///   - wakeDisk: wakes the outbox's thread, which has work for the disk. Must return at once.
    ///   - wakeWatch: wakes the thread that sees to it that messages do not wait long for the disk. Must return at once.
    ///   - isTimeSure: returns whether the clock is trusted at this instant. While it is not, a message that is held
    ///     back by its time alone is kept, and is sent or deleted later.
    package init(
        gate: ConsentGate, wake: @escaping @Sendable (_ isUrgent: Bool) -> Void = { _ in },
        wakeDisk: @escaping @Sendable () -> Void = {}, wakeWatch: @escaping @Sendable () -> Void = {},
        isTimeSure: @escaping @Sendable () -> Bool = { true }
    ) {
        (self.gate, self.wake, self.wakeDisk, self.isTimeSure) = (gate, wake, wakeDisk, isTimeSure)
        self.wakeWatch = wakeWatch
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

    /// Wakes the outbox's thread, and the one that watches it, if the change makes new work for them.
    func change<Result: Sendable>(_ body: (inout Outbox) -> Result) -> Result {
        let (result, isWork, isWatchNeeded) = outbox.withLock { outbox in
            let (need, wantsPage) = (outbox.diskNeed, outbox.wantsPage)
            let result = body(&outbox)
            // A page is read also while the disk accepts no writes, and the need for the disk is then at its maximum
            // already.
            let isWork = outbox.diskNeed > need || outbox.wantsPage && !wantsPage
            return (result, isWork, outbox.takeNeedOfWatch())
        }
        if isWork { wakeDisk() }
        if isWatchNeeded { wakeWatch() }
        return result
    }

    /// Lets the broker's thread retry at once if an alarm waits. Cheap; call it once a second.
    package func hurryAlarms() {
        if outbox.withLock(\.isAlarmWaiting) { wake(true) }
    }

    /// Offers the messages again that were held back by time alone, after a change of the clock.
    package func offerAgain() {
        change { $0.offerAgain() }
        announce()
    }

    /// Returns whether the consent gate lets the message leave now or may do so later. Other messages are deleted.
    package func mayLeave(_ envelope: Envelope) -> Bool { clear(envelope) != nil || mayWait(envelope) }

    /// Returns whether the message is too early or too late only according to an untrusted clock. Called after `clear`,
    /// so that a step in between is seen.
    func mayWait(_ envelope: Envelope) -> Bool {
        gate.isGranted(envelope.disclosure) && (gate.isSuspended(envelope.disclosure) || !isTimeSure())
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
    /// Place of the message that was enqueued last.
    package var lastPlace: Outbox.Place { outbox.withLock(\.lastPlace) }

    /// Returns whether a kill would lose no message up to a place.
    package func isDurable(through place: Outbox.Place) -> Bool {
        outbox.withLock { $0.isDurable(through: place) }
    }

    package var count: Int { outbox.withLock(\.count) }

    /// Number of unsent messages; nil until those of earlier runs are read.
    package var unsent: Int? { outbox.withLock { $0.isLoaded ? $0.count : nil } }

    /// Announces a new message.
    package func announce(isUrgent: Bool = false) {
        wake(isUrgent)
    }

    /// Clears the message again at the instant of leaving, by the ledger of that instant.
    func clear(_ envelope: Envelope) -> Cleared<Envelope>? {
        switch envelope.disclosure {
        case .emergency, .emergencyOver:
            try? gate.discloseInEmergency(envelope, message: envelope.id, at: Clock.wall())
        case .share: try? gate.clearShare(envelope, at: Clock.wall())
        case .notice, .question, .readings, .severalReadings, .gateway, .household, .receipt, .runner,
            .runnerLeft, .dashboard, .dashboardEmptied:
            try? gate.clear(envelope)
        }
    }
}
