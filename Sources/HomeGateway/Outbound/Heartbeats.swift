import Consent
import Contract
import GatewayModel
import Hub
import OutboxService
import RealTime
import Synchronization

/// Sends heartbeats at their interval: the newest only, and only while there is a broker to take it. A sign of
/// life that waited would tell of a moment that is over.
final class Heartbeats: Sendable {
    private struct State: Sendable {
        var rhythm: HeartbeatRhythm
        /// On its way to the broker.
        var waiting: MessageID?
    }

    private let state: Mutex<State>
    private let queue: OutboundQueue
    private let gate: ConsentGate
    private let topics: Topics

    init(every interval: Duration, queue: OutboundQueue, gate: ConsentGate, topics: Topics) {
        state = Mutex(State(rhythm: HeartbeatRhythm(every: interval)))
        (self.queue, self.gate, self.topics) = (queue, gate, topics)
    }

    /// From now on at this interval. From any thread.
    func change(to interval: Duration) {
        state.withLock { $0.rhythm.change(to: interval) }
    }

    /// About once a second. `heartbeat` is asked only where one is sent.
    func tick(at now: Moment, _ heartbeat: () -> Heartbeat) {
        guard queue.isConnected else { return }
        let interval = state.withLock { state -> Duration? in
            guard state.waiting == nil, state.rhythm.isDue(at: now.boot) else { return nil }
            return state.rhythm.interval
        }
        guard let interval else { return }
        let envelope = Envelope.heartbeat(
            heartbeat(), version: Gateway.version, interval: interval, id: .random(at: now.wall),
            at: now.wall, topics: topics)
        guard let cleared = try? gate.clear(envelope) else { return }
        state.withLock { $0.waiting = envelope.id }
        queue.enqueue(cleared)
    }

    /// A message has left the queue for good, whichever it was.
    func settled(_ id: MessageID) {
        state.withLock { state in
            if state.waiting == id { state.waiting = nil }
        }
    }
}
