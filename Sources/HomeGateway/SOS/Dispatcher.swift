import Consent
import Contract
import GatewayModel
import RealTime
import SOSLocal
import Synchronization

/// Carries the machine's orders to the channels, and what becomes of them back to the machine.
///
/// A thread of its own: the order is encoded and cleared here, so that neither costs the SOS thread
/// anything. One channel so far, the broker.
final class Dispatcher: Sendable {
    static let mqtt = ChannelID(checked: "mqtt")

    enum Order: Sendable {
        case dispatch(DispatchOrder)
        case retract(Retraction)
    }

    /// What the dispatcher tells the rest. All are called on the dispatch thread and return at once.
    struct Reports: Sendable {
        let toMachine: @Sendable (SOSEvent) -> Void
        let toFeed: @Sendable (FeedEvent) -> Void
        /// Consent is missing: this person's alarm calls nobody.
        let nobodyCalled: @Sendable (PersonID, _ reason: String) -> Void
    }

    private let orders: Mailbox<Order>
    private let gate: ConsentGate
    private let queue: OutboundQueue
    private let topics: Topics
    private let names: [PersonID: String]
    private let reports: Reports
    /// Which alarm a message on its way belongs to.
    private let onTheWay = Mutex<[MessageID: AlarmID]>([:])
    private let isStopping = Atomic(false)

    init(
        gate: ConsentGate, queue: OutboundQueue, topics: Topics, names: [PersonID: String], reports: Reports
    ) throws {
        orders = try Mailbox()
        self.gate = gate
        self.queue = queue
        self.topics = topics
        self.names = names
        self.reports = reports
    }

    /// From any thread, at once.
    func carry(_ order: Order) {
        orders.put(order)
    }

    func run() async throws {
        await (try NamedThread("dispatch") { [self] in loop() }).finished()
    }

    /// Ends after what was ordered before it.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        orders.wakeup.signal()
    }

    /// A message has left the queue for good; those that are no order are none of its business. From any
    /// thread.
    func settled(_ envelope: Envelope, _ fate: OutboundQueue.Fate) {
        guard let alarm = onTheWay.withLock({ $0.removeValue(forKey: envelope.id) }) else { return }
        switch fate {
        case .acknowledged: reports.toMachine(.handedOver(alarm, Self.mqtt))
        case .refused(let reason): reports.toMachine(.channelFailed(alarm, Self.mqtt, reason: reason))
        }
    }

    private func loop() {
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            let waiting = orders.take().values
            for order in waiting { perform(order) }
            if isLast { return }
            if waiting.isEmpty { _ = Poll.wait([Poll.Interest(orders.wakeup.descriptor)], timeout: nil) }
        }
    }

    private func perform(_ order: Order) {
        switch order {
        case .dispatch(let order): dispatch(order)
        case .retract(let retraction): retract(retraction)
        }
    }

    private func dispatch(_ order: DispatchOrder) {
        let now = Clock.wall()
        let id = newID(at: now)
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
        reports.toMachine(.dispatched(order.alarm, Self.mqtt))
        reports.toFeed(.dispatch(order, through: Self.mqtt, at: Clock.moment()))
    }

    private func fail(_ order: DispatchOrder, because withheld: ConsentGate.Withheld) {
        let reason = "the AutomatedSOS terms are not accepted, so nobody may be called"
        reports.toMachine(.channelFailed(order.alarm, Self.mqtt, reason: "\(withheld)"))
        reports.toFeed(.notCalled(order.alarm, of: order.person, why: reason, at: Clock.moment()))
        reports.nobodyCalled(order.person, reason)
    }

    private func retract(_ retraction: Retraction) {
        let now = Clock.wall()
        let id = newID(at: now)
        let envelope = Envelope.sos(retraction, id: id, at: now, topics: topics)
        // Terms withdrawn since the call: the withdrawal forbids even the cancellation.
        guard let cleared = try? gate.discloseInEmergency(envelope, message: id, at: now) else { return }
        queue.enqueue(cleared)
        reports.toFeed(.cancelled(retraction, through: Self.mqtt, at: Clock.moment()))
    }

    private func newID(at wall: WallTime) -> MessageID {
        var random = SystemRandomNumberGenerator()
        return MessageID(wall: wall, using: &random)
    }
}
