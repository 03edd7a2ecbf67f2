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
    private let sealer: any MessageSealer
    /// Returns the form in which the cloud gets readings; asked for each reading.
    private let format: @Sendable () -> ReadingFormat

    package init(_ core: GatewayCore, sealer: any MessageSealer) {
        (gate, queue, topics) = (core.gate, core.queue, core.topics)
        self.sealer = sealer
        format = { core.settings().broker.readings }
    }

    package func consume(_ reading: Reading) { publish(reading) }

    /// A value that its sensor disowns is not published: it would be read as a measurement.
    private func publish(_ reading: Reading) {
        guard !reading.isDisowned else { return }
        publishForCloud(reading)
        let wall = Clock.wall()
        for cleared in gate.clearShares(of: reading, at: wall) {
            let id = MessageID.random(at: reading.arrival.wall)
            let envelope = Envelope.share(cleared.value, id: id, sealedBy: sealer, topics: topics)
            if let message = envelope.flatMap({ envelope in cleared.reshaped { _ in envelope } }) {
                queue.enqueue(message)
            }
        }
    }

    private func publishForCloud(_ reading: Reading) {
        guard let cleared = try? gate.clear(reading),
            let message = cleared.reshaped({
                Envelope.sample($0, as: format(), topics: topics)
            })
        else { return }
        queue.enqueue(message)
    }
}
