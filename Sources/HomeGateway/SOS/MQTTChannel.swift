import Consent
import Contract
import GatewayModel
import Logging
import RealTime
import SOSLocal
import Synchronization

/// The broker as a way to call for help: encodes an order, has it cleared, queues it, and tells what
/// became of it.
final class MQTTChannel: Sendable {
    static let id = ChannelID(checked: "mqtt")

    /// What the channel tells the rest. All are called on the dispatch or the broker's thread and return
    /// at once.
    struct Reports: Sendable {
        let toMachine: @Sendable (SOSEvent) -> Void
        let toFeed: @Sendable (FeedEvent) -> Void
        let say: @Sendable (Annunciator.Word) -> Void
        let log: @Sendable (Logger.Level, Logger.Message, Logger.Metadata) -> Void
    }

    private let gate: ConsentGate
    private let queue: OutboundQueue
    private let topics: Topics
    private let names: [PersonID: String]
    private let reports: Reports
    /// What a message on its way is for.
    private let onTheWay = Mutex<[MessageID: Dispatcher.Order]>([:])

    init(
        gate: ConsentGate, queue: OutboundQueue, topics: Topics, names: [PersonID: String], reports: Reports
    ) {
        self.gate = gate
        self.queue = queue
        self.topics = topics
        self.names = names
        self.reports = reports
    }

    /// A message has left the queue for good; those that are no order are none of its business. From any
    /// thread.
    func settled(_ envelope: Envelope, _ fate: OutboundQueue.Fate) {
        guard let order = onTheWay.withLock({ $0.removeValue(forKey: envelope.id) }) else { return }
        switch (order, fate) {
        case (.dispatch(let order), .acknowledged):
            reports.toMachine(.handedOver(order.alarm, Self.id))
        case (.dispatch(let order), .refused(let reason)):
            fail(order, because: "the broker does not take the call: \(reason)")
        case (.dispatch(let order), .withheld):
            fail(order, because: Self.termsMissing)
        case (.retract, .acknowledged):
            break
        case (.retract(let retraction), .refused(let reason)):
            fail(retraction, because: "the broker does not take it: \(reason)")
        case (.retract(let retraction), .withheld):
            fail(retraction, because: Self.termsMissing)
        case (_, .postponed):
            break
        }
    }

    func dispatch(_ order: DispatchOrder) {
        let now = Clock.wall()
        let id = MessageID.random(at: now)
        let envelope = Envelope.sos(
            order, personName: names[order.person] ?? order.person.text, id: id, at: now, topics: topics)
        guard let cleared = try? gate.discloseInEmergency(envelope, message: id, at: now) else {
            return fail(order, because: Self.termsMissing)
        }
        onTheWay.withLock { $0[id] = .dispatch(order) }
        queue.enqueue(cleared)
        reports.toMachine(.dispatched(order.alarm, Self.id))
        reports.toFeed(.dispatch(order, through: Self.id, at: Clock.moment()))
    }

    func retract(_ retraction: Retraction) {
        let now = Clock.wall()
        let id = MessageID.random(at: now)
        let envelope = Envelope.sos(retraction, id: id, at: now, topics: topics)
        // Terms withdrawn since the call: the withdrawal forbids even the cancellation.
        guard let cleared = try? gate.discloseInEmergency(envelope, message: id, at: now) else {
            return fail(retraction, because: Self.termsMissing)
        }
        onTheWay.withLock { $0[id] = .retract(retraction) }
        queue.enqueue(cleared)
        reports.toFeed(.cancelled(retraction, through: Self.id, at: Clock.moment()))
    }

    private static let termsMissing = "the AutomatedSOS terms are not accepted"

    private func fail(_ order: DispatchOrder, because reason: String) {
        reports.toMachine(.channelFailed(order.alarm, Self.id, reason: reason))
        reports.toFeed(.notCalled(order.alarm, of: order.person, why: reason, at: Clock.moment()))
        reports.say(.nobodyCalled(order.person, reason: reason))
        reports.log(.critical, "nobody was called", ["alarm": "\(order.alarm)", "reason": "\(reason)"])
    }

    private func fail(_ retraction: Retraction, because reason: String) {
        reports.say(.notRetracted(retraction.person, reason: reason))
        reports.log(.error, "call not taken back", ["alarm": "\(retraction.alarm)", "reason": "\(reason)"])
    }
}
