package import Alarms
import Consent
import Contract
package import GatewayModel
import Hub
package import OutboxService
import RealTime
package import Settings
import Synchronization

/// Publishes readings to the cloud and to third parties, each with the consent that covers it.
package final class ReadingPublisher: ReadingConsumer {
    private let gate: ConsentGate
    private let queue: OutboundQueue
    private let topics: Topics
    private let roster: DeviceRoster
    private let openAlarms: OpenAlarms
    private let limits: LimitsInForce
    /// Returns the form in which the cloud gets readings; asked for each reading.
    private let format: @Sendable () -> ReadingFormat
    private let sampleInterval: @Sendable (QuantityKind, PersonID) -> Duration
    private let pacer = Mutex(SamplePacer())

    /// - Parameters:
    ///   - openAlarms: a reading of a person with an open alarm leaves at once.
    ///   - limits: a reading near one of them leaves at once.
    ///   - sampleInterval: returns the shortest time between two readings of a kind that are sent; asked for each reading.
    package init(
        _ core: GatewayCore, openAlarms: OpenAlarms, limits: LimitsInForce,
        sampleInterval: @escaping @Sendable (QuantityKind, GatewaySettings.Person) -> Duration
    ) {
        (gate, queue, topics, roster) = (core.gate, core.queue, core.topics, core.roster)
        (self.openAlarms, self.limits) = (openAlarms, limits)
        format = { core.settings().broker.readings }
        self.sampleInterval = { kind, id in
            core.settings().persons.first { $0.id == id }.map { sampleInterval(kind, $0) } ?? .zero
        }
    }

    package func consume(_ reading: Reading) { publish(reading) }

    /// A value that its sensor disowns is not published: it would be read as a measurement.
    private func publish(_ reading: Reading) {
        guard !reading.isDisowned else { return }
        let own = clearForCloud(reading)
        let shares = gate.clearShares(of: reading, at: Clock.wall())
        // Without consent nothing counts as sent: the first reading after an acceptance leaves at once.
        guard own != nil || !shares.isEmpty else { return }
        let isPressing = openAlarms.isAnyOpen(of: reading.person) || limits.isNearLimit(reading)
        guard isDue(reading.quantity.kind, of: reading, isPressing: isPressing) else { return }
        if let own { publishForCloud(own, isPressing: isPressing) }
        for cleared in shares {
            let id = MessageID.random(at: reading.arrival.wall)
            if let message = cleared.reshaped({ Envelope.share($0, id: id, topics: topics) }) {
                queue.enqueue(message, isPressing: isPressing)
            }
        }
    }

    /// Returns whether the interval of a kind lets values leave, for the cloud and for third parties alike.
    private func isDue(_ kind: QuantityKind, of reading: Reading, isPressing: Bool) -> Bool {
        let interval = sampleInterval(kind, reading.person)
        return pacer.withLock { $0.admits(kind, of: reading, every: interval, isPressing: isPressing) }
    }

    /// RR intervals leave with the heart rate of their notification.
    private func clearForCloud(_ reading: Reading) -> Cleared<Reading>? {
        roster.policy.leavesWithHeartRate(reading) ? nil : try? gate.clear(reading)
    }

    private func publishForCloud(_ cleared: Cleared<Reading>, isPressing: Bool) {
        let reading = cleared.value
        var intervals = roster.policy.intervals(with: reading)
        if !intervals.isEmpty, !isDue(.rrInterval, of: reading, isPressing: isPressing) { intervals = [] }
        if let message = cleared.reshaped({
            Envelope.sample($0, intervals: intervals, as: format(), topics: topics)
        }) {
            queue.enqueue(message, isPressing: isPressing)
        }
    }
}
