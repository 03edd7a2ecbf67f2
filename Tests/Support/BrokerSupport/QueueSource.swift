public import GatewayModel
public import MQTTBridge
import Synchronization
public import TestSupport

@testable public import Consent
@testable public import Contract

/// An outbox in memory that checks the session keeps the rules of `OutboundSource`.
public final class QueueSource: OutboundSource {
    public struct State {
        public var waiting: [Envelope] = []
        public var inFlight: [MessageID: Envelope] = [:]
        /// The order in which they were first given.
        public var order: [MessageID: Int] = [:]
        public var given: [MessageID: Int] = [:]
        public var acknowledged: [MessageID: Int] = [:]
        public var refused: [MessageID: String] = [:]
        public var losses = 0
        public var mostInFlight = 0
        public var violations: [String] = []
        /// No more than this many are given until it is moved.
        public var gate = Int.max
    }

    private let state: Mutex<State>
    /// The number of acknowledgements so far, and of refusals.
    public let answers = Recorder<Int>()

    public init(_ envelopes: [Envelope], gate: Int = .max) {
        state = Mutex(State(waiting: envelopes.reversed(), gate: gate))
    }

    public var snapshot: State { state.withLock { $0 } }

    public func setGate(to gate: Int) { state.withLock { $0.gate = gate } }
    public func add(_ envelope: Envelope) { state.withLock { $0.waiting.insert(envelope, at: 0) } }

    public func next() -> Cleared<Envelope>? {
        state.withLock { state in
            guard state.acknowledged.count + state.inFlight.count < state.gate,
                let envelope = state.waiting.popLast()
            else { return nil }
            state.inFlight[envelope.id] = envelope
            state.given[envelope.id, default: 0] += 1
            state.order[envelope.id] = state.order[envelope.id] ?? state.order.count
            state.mostInFlight = max(state.mostInFlight, state.inFlight.count)
            return Cleared(envelope)
        }
    }

    public func acknowledged(_ id: MessageID) {
        let count = state.withLock { state in
            if state.inFlight.removeValue(forKey: id) == nil {
                state.violations.append("acknowledged, not in flight: \(id)")
            }
            state.acknowledged[id, default: 0] += 1
            return state.acknowledged.count
        }
        answers.add(count)
    }

    public func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {
        state.withLock { state in
            if state.inFlight.removeValue(forKey: id) == nil {
                state.violations.append("refused, not in flight: \(id)")
            }
            state.refused[id] = reason
        }
        answers.add(-1)
    }

    public func connectionLost() {
        state.withLock { state in
            state.losses += 1
            // As the outbox does: the oldest comes first again.
            state.waiting += state.inFlight.values.sorted {
                state.order[$0.id, default: 0] > state.order[$1.id, default: 0]
            }
            state.inFlight = [:]
        }
    }
}

extension Envelope {
    /// `count` messages to one topic, the payload being the id.
    public static func numbered(_ count: Int, topic: String = "trackme/v1/test/samples") -> [Envelope] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { number in
            let id = MessageID(wall: WallTime(millisecondsSince1970: Int64(number)), using: &random)
            return Envelope(
                id: id, lane: .live, retention: .moment, disclosure: .gateway, topic: topic,
                payload: Array("\"\(id)\"".utf8))
        }
    }
}
