package import Alarms
import Consent
import Contract
package import GatewayModel
import Hub
package import OutboxService
import RealTime
import Settings

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

    /// - Parameters:
    ///   - openAlarms: a reading of a person with an open alarm leaves at once.
    ///   - limits: a reading near one of them leaves at once.
    package init(_ core: GatewayCore, openAlarms: OpenAlarms, limits: LimitsInForce) {
        (gate, queue, topics, roster) = (core.gate, core.queue, core.topics, core.roster)
        (self.openAlarms, self.limits) = (openAlarms, limits)
        format = { core.settings().broker.readings }
    }

    package func consume(_ reading: Reading) { publish(reading) }

    /// A value that its sensor disowns is not published: it would be read as a measurement.
    private func publish(_ reading: Reading) {
        guard !reading.isDisowned else { return }
        let isPressing = openAlarms.isAnyOpen(of: reading.person) || limits.isNearLimit(reading)
        publishForCloud(reading, isPressing: isPressing)
        let wall = Clock.wall()
        for cleared in gate.clearShares(of: reading, at: wall) {
            let id = MessageID.random(at: reading.arrival.wall)
            if let message = cleared.reshaped({ Envelope.share($0, id: id, topics: topics) }) {
                queue.enqueue(message, isPressing: isPressing)
            }
        }
    }

    /// RR intervals leave with the heart rate of their notification.
    private func publishForCloud(_ reading: Reading, isPressing: Bool) {
        let policy = roster.policy
        guard !policy.leavesWithHeartRate(reading), let cleared = try? gate.clear(reading),
            let message = cleared.reshaped({
                Envelope.sample(
                    $0, intervals: policy.intervals(with: $0), as: format(), topics: topics)
            })
        else { return }
        queue.enqueue(message, isPressing: isPressing)
    }
}
