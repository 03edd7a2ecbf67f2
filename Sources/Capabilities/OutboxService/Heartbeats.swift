package import Consent
package import Contract
package import GatewayModel
import RealTime
import Synchronization

/// Sends heartbeats at their interval: only the newest, and only while the broker is connected. A heartbeat that waited
/// would describe a moment that is over.
package final class Heartbeats: Sendable {
    private struct State: Sendable {
        var rhythm: HeartbeatRhythm
        /// Heartbeat that the broker has not acknowledged yet.
        var waiting: MessageID?
    }

    private let state: Mutex<State>
    private let version: String
    private let queue: OutboundQueue
    private let gate: ConsentGate
    private let topics: Topics

    package init(
        every interval: Duration, version: String, queue: OutboundQueue, gate: ConsentGate, topics: Topics
    ) {
        state = Mutex(State(rhythm: HeartbeatRhythm(every: interval)))
        (self.version, self.queue, self.gate, self.topics) = (version, queue, gate, topics)
    }

    package convenience init(_ core: GatewayCore, every interval: Duration) {
        self.init(
            every: interval, version: core.version, queue: core.queue, gate: core.gate, topics: core.topics)
    }

    /// Changes the interval, counted from the last heartbeat. From any thread.
    package func change(to interval: Duration) {
        state.withLock { $0.rhythm.change(to: interval) }
    }

    /// Sends a heartbeat where one is due. Call it about once a second.
    ///
    /// - Parameter heartbeat: called only where one is sent.
    package func tick(at now: Moment, _ heartbeat: () -> Heartbeat) {
        guard queue.isConnected else { return }
        let interval = state.withLock { state -> Duration? in
            guard state.waiting == nil, state.rhythm.isDue(at: now.boot) else { return nil }
            return state.rhythm.interval
        }
        guard let interval else { return }
        let envelope = Envelope.heartbeat(
            heartbeat(), version: version, interval: interval, id: .random(at: now.wall),
            at: now.wall, topics: topics)
        guard let cleared = try? gate.clear(envelope) else { return }
        state.withLock { $0.waiting = envelope.id }
        queue.enqueue(cleared)
    }

    /// Notes that a message has left the queue, a heartbeat or another one.
    package func settled(_ message: Envelope, _ fate: OutboxDelivery.Fate) {
        // It stays in the queue.
        if case .postponed = fate { return }
        state.withLock { state in
            if state.waiting == message.id { state.waiting = nil }
        }
    }
}
