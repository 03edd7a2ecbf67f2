package import Consent
package import Contract
package import GatewayModel
package import Hub
import RealTime

/// Publishes the gateway's retained status message: its presence, its version and the conditions that may leave the
/// house. From any thread.
package final class StatusPublisher: Sendable {
    private let version: String
    private let roster: DeviceRoster
    private let queue: OutboundQueue
    private let gate: ConsentGate
    private let topics: Topics

    package init(
        version: String, roster: DeviceRoster, queue: OutboundQueue, gate: ConsentGate, topics: Topics
    ) {
        (self.version, self.roster, self.queue) = (version, roster, queue)
        (self.gate, self.topics) = (gate, topics)
    }

    /// - Parameter conditions: all that hold; those of persons who have not accepted the data policy are left out.
    package func publishStatus(_ conditions: [HealthCondition]) {
        let shown = HealthCondition.leaving(conditions, of: roster.wearables) {
            gate.holds(.dataPolicy, for: $0)
        }
        guard let cleared = try? gate.clear(message(.online, shown)) else { return }
        queue.enqueue(cleared)
    }

    /// Message that the broker publishes when the session ends; nil while nobody has accepted anything.
    package var will: Cleared<Envelope>? { try? gate.clear(message(.offline, [])) }

    private func message(_ presence: Envelope.Presence, _ conditions: [HealthCondition]) -> Envelope {
        let now = Clock.wall()
        return .status(
            presence, version: version, conditions: conditions, id: .random(at: now), at: now, topics: topics)
    }
}
