import Contract
import GatewayModel
import Samples
import Vault

@testable import Consent

/// An outbox with a scripted disk.
final class OutboxRig {
    var outbox: Outbox
    var now = BootInstant(nanoseconds: 1_000_000_000)
    /// The content of the disk.
    var rows: [Outbox.Place: Outbox.Row] = [:]

    init(
        liveCapacity: Int = 16, unwrittenCapacity: Int = 100, settledCapacity: Int = 10_000,
        isConnected: Bool = true
    ) {
        outbox = Outbox(
            liveCapacity: liveCapacity, unwrittenCapacity: unwrittenCapacity, settledCapacity: settledCapacity)
        outbox.loaded(alarms: [], stored: 0, at: now)
        if isConnected { _ = outbox.connected() }
    }

    func enqueue(
        _ numbers: Int..., lane: Envelope.Lane = .live, topic: String = "t",
        retention: Envelope.Retention? = nil
    ) {
        for number in numbers {
            outbox.enqueue(Sample.cleared(number, lane: lane, topic: topic, retention: retention), at: now)
        }
    }

    /// Writes a transaction that succeeds.
    func write() {
        let changes = outbox.takeChanges()
        for row in changes.rows { rows[row.place] = row }
        for place in changes.deleted { rows[place] = nil }
        outbox.written(stored: rows.count)
    }

    func read() {
        while let request = outbox.takePageRequest() {
            let found = rows.values.filter {
                $0.place > request.after && $0.place < request.before && $0.envelope.lane != .alarm
            }.sorted { $0.place < $1.place }
            let page = Array(found.prefix(request.limit))
            outbox.read(
                page, upTo: page.last?.place, isEnd: page.count < request.limit, for: request, at: now)
        }
    }

    func next() -> MessageID? { outbox.next(at: now, clear: { Cleared($0) }).cleared?.value.id }
    func wait(_ duration: Duration) { now = now.advanced(by: duration) }

    /// Refuses a message in flight, as a broker does.
    @discardableResult
    func refuse(_ number: Int, _ refusal: Outbox.Refusal) -> Outbox.Refused? {
        outbox.refused(Sample.id(number), refusal, at: now)
    }

    func settle(_ number: Int) -> MessageID? { outbox.settle(Sample.id(number)).first?.id }
    func gaps() -> [SampleGap] { outbox.takeGaps().map(\.gap) }

    /// Returns all messages that are offered now, in order.
    func offered() -> [MessageID] {
        var ids: [MessageID] = []
        while true {
            read()
            if let id = next() {
                ids.append(id)
            } else if !outbox.wantsPage {
                return ids
            }
        }
    }
}
