import Consent
import Contract
import GatewayModel
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
        /// Consent is missing: this person's alarm calls nobody.
        let nobodyCalled: @Sendable (PersonID, _ reason: String) -> Void
    }

    private let gate: ConsentGate
    private let queue: OutboundQueue
    private let topics: Topics
    private let names: [PersonID: String]
    private let reports: Reports
    /// Which alarm a message on its way belongs to.
    private let onTheWay = Mutex<[MessageID: AlarmID]>([:])

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
        guard let alarm = onTheWay.withLock({ $0.removeValue(forKey: envelope.id) }) else { return }
        switch fate {
        case .acknowledged: reports.toMachine(.handedOver(alarm, Self.id))
        case .refused(let reason): reports.toMachine(.channelFailed(alarm, Self.id, reason: reason))
        }
    }

    func dispatch(_ order: DispatchOrder) {
        let now = Clock.wall()
        let id = MessageID.random(at: now)
        let envelope = Envelope.sos(
            order, personName: names[order.person] ?? order.person.text, id: id, at: now, topics: topics)
        do throws(ConsentGate.Withheld) {
            let cleared = try gate.discloseInEmergency(envelope, message: id, at: now)
            onTheWay.withLock { $0[id] = order.alarm }
            queue.enqueue(cleared)
        } catch {
            fail(order, because: error)
            return
        }
        reports.toMachine(.dispatched(order.alarm, Self.id))
        reports.toFeed(.dispatch(order, through: Self.id, at: Clock.moment()))
    }

    private func fail(_ order: DispatchOrder, because withheld: ConsentGate.Withheld) {
        let reason = "the AutomatedSOS terms are not accepted, so nobody may be called"
        reports.toMachine(.channelFailed(order.alarm, Self.id, reason: "\(withheld)"))
        reports.toFeed(.notCalled(order.alarm, of: order.person, why: reason, at: Clock.moment()))
        reports.nobodyCalled(order.person, reason)
    }

    func retract(_ retraction: Retraction) {
        let now = Clock.wall()
        let id = MessageID.random(at: now)
        let envelope = Envelope.sos(retraction, id: id, at: now, topics: topics)
        // Terms withdrawn since the call: the withdrawal forbids even the cancellation.
        guard let cleared = try? gate.discloseInEmergency(envelope, message: id, at: now) else { return }
        queue.enqueue(cleared)
        reports.toFeed(.cancelled(retraction, through: Self.id, at: Clock.moment()))
    }
}
