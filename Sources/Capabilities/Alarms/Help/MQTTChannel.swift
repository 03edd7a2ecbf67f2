package import Consent
package import Contract
package import GatewayModel
package import HelpLine
import Hub
package import OutboxService
import RealTime
import SOSLocal
import Synchronization

/// The broker as a help channel: encodes a message, queues it, and reports its result.
///
/// The queue keeps a message until the broker has it. An attempt fails only if the broker refuses it permanently or the
/// consent is withdrawn while it waits.
package final class MQTTChannel: HelpChannel {
    package static let id = ChannelID.mqtt

    private let queue: OutboundQueue
    private let topics: Topics
    private let reports: ChannelReports
    /// The help messages that are in the queue, by their ids.
    private let onTheWay = Mutex<[MessageID: HelpMessage]>([:])

    package init(queue: OutboundQueue, topics: Topics, reports: ChannelReports) {
        self.queue = queue
        self.topics = topics
        self.reports = reports
    }

    package var id: ChannelID { Self.id }

    package func send(_ message: Cleared<HelpMessage>) {
        let now = Clock.wall()
        let id = MessageID.random(at: now)
        let topics = topics
        guard let cleared = message.reshaped({ Envelope.sos($0, id: id, at: now, topics: topics) }) else {
            return
        }
        onTheWay.withLock { $0[id] = message.value }
        // This comes first: the broker's thread may receive the acknowledgement before this thread continues.
        if case .call(let order, _) = message.value { reports.about(.dispatched(order.alarm)) }
        queue.enqueue(cleared)
    }

    /// The queue keeps the notice until the broker has it, also over a restart: with that it is handed over.
    package func send(_ notice: Cleared<NoticeMessage>) {
        let topics = topics
        guard let cleared = notice.reshaped({ Envelope.notice($0.notice, topics: topics) }) else { return }
        queue.enqueue(cleared)
        reports.noticed(notice.value, .handedOver)
    }

    /// Records that a message has left the queue for good. Other messages than calls are ignored. From any thread.
    package func settled(_ envelope: Envelope, _ fate: OutboxDelivery.Fate) {
        if case .postponed = fate { return }
        guard let message = onTheWay.withLock({ $0.removeValue(forKey: envelope.id) }) else { return }
        switch fate {
        case .acknowledged: reports.about(message.arrived)
        case .refused(let reason):
            reports.about(message.failed(because: "the broker does not take it: \(reason)"))
        case .withheld: reports.about(message.failed(because: Dispatcher.termsMissing))
        case .postponed, .outdated: break
        }
    }

    /// The session probes the connection all the time: its state is the test.
    package func test() {
        reports.tested(
            queue.isConnected
                ? .works(detail: "the broker answers")
                : .fails(
                    reason: "no session with the broker; check the network and [broker] in the settings"))
    }

    /// Needs no thread: the broker's thread carries the messages.
    package func run() async throws {}
    package func stop() {}
}

extension Envelope {
    fileprivate static func sos(
        _ message: HelpMessage, id: MessageID, at time: WallTime, topics: Topics
    ) -> Envelope {
        switch message {
        case .call(let order, let profile): .sos(order, of: profile, id: id, at: time, topics: topics)
        case .retraction(let retraction, _): .sos(retraction, id: id, at: time, topics: topics)
        }
    }
}
