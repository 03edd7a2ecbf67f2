import GatewayModel
import Testing
import Vault

@testable import Consent
@testable import Contract

@Suite struct `The outbox` {
    private func all(_ outbox: inout Outbox) -> [MessageID] {
        var ids: [MessageID] = []
        while let next = outbox.next(clear: { Cleared($0) }).cleared { ids.append(next.value.id) }
        return ids
    }

    @Test func `sends alarms first, then live, then backlog`() {
        var outbox = Outbox()
        outbox.restore([Sample.envelope(1)])
        outbox.enqueue(Sample.cleared(2))
        outbox.enqueue(Sample.cleared(3, lane: .alarm))
        let order = all(&outbox)
        #expect(order == [3, 2, 1].map(Sample.id))
    }

    @Test func `knows whether an alarm waits to be offered`() {
        var outbox = Outbox()
        outbox.enqueue(Sample.cleared(1))
        #expect(!outbox.isAlarmWaiting)
        outbox.enqueue(Sample.cleared(2, lane: .alarm))
        #expect(outbox.isAlarmWaiting)
        _ = all(&outbox)
        #expect(!outbox.isAlarmWaiting)
        outbox.connectionLost()
        #expect(outbox.isAlarmWaiting)
    }

    @Test func `keeps the order within a lane`() {
        var outbox = Outbox()
        for number in 1...5 { outbox.enqueue(Sample.cleared(number)) }
        let order = all(&outbox)
        #expect(order == (1...5).map(Sample.id))
    }

    @Test func `keeps a message until it is acknowledged`() {
        var outbox = Outbox()
        outbox.enqueue(Sample.cleared(1))
        _ = all(&outbox)
        #expect(outbox.count == 1)
        let settled = outbox.settle(Sample.id(1))
        #expect(settled?.id == Sample.id(1))
        #expect(outbox.isEmpty)
        let again = outbox.settle(Sample.id(1))
        #expect(again == nil, "a second acknowledgement is nobody's")
    }

    @Test func `gives what was in flight again after a lost connection, in order, with the same ids`() {
        var outbox = Outbox()
        for number in 1...4 { outbox.enqueue(Sample.cleared(number)) }
        _ = outbox.next(clear: { Cleared($0) })
        _ = outbox.next(clear: { Cleared($0) })
        outbox.connectionLost()
        let order = all(&outbox)
        #expect(order == (1...4).map(Sample.id))
    }

    @Test func `lets live data pass the backlog of an outage`() {
        var outbox = Outbox()
        for number in 1...3 { outbox.enqueue(Sample.cleared(number)) }
        outbox.connectionLost()
        outbox.enqueue(Sample.cleared(9))
        let order = all(&outbox)
        #expect(order == [9, 1, 2, 3].map(Sample.id))
    }

    @Test func `lets live data pass what was queued while there was no connection`() {
        var outbox = Outbox()
        outbox.connectionLost()
        for number in 1...3 { outbox.enqueue(Sample.cleared(number)) }
        outbox.retireLive()
        outbox.enqueue(Sample.cleared(9))
        let order = all(&outbox)
        #expect(order == [9, 1, 2, 3].map(Sample.id))
    }

    @Test func `asks for consent at the instant of leaving and forgets what has none`() {
        var outbox = Outbox()
        outbox.enqueue(Sample.cleared(1))
        outbox.enqueue(Sample.cleared(2))
        let (first, withheld) = outbox.next { $0.id == Sample.id(1) ? nil : Cleared($0) }
        #expect(first?.value.id == Sample.id(2))
        #expect(withheld.map(\.id) == [Sample.id(1)])
        #expect(outbox.count == 1)
    }

    @Test func `forgets the waiting messages of a withdrawal`() {
        var outbox = Outbox()
        for number in 1...3 { outbox.enqueue(Sample.cleared(number)) }
        let purged = outbox.purge { $0.id != Sample.id(2) }
        #expect(purged.map(\.id) == [1, 3].map(Sample.id))
        let order = all(&outbox)
        #expect(order == [Sample.id(2)])
    }

    @Test func `drops the oldest reading when it is full, and never an alarm`() {
        var outbox = Outbox(capacity: 2)
        outbox.enqueue(Sample.cleared(1, lane: .alarm))
        let hasDropped = [2, 3, 4].map { outbox.enqueue(Sample.cleared($0)) }
        #expect(hasDropped == [false, false, true])
        #expect(outbox.droppedCount == 1)
        let order = all(&outbox)
        #expect(order == [1, 3, 4].map(Sample.id))
    }

    @Test func `keeps only the newest word of a retained topic`() {
        var outbox = Outbox()
        outbox.enqueue(Sample.cleared(1, topic: "status", isRetained: true))
        outbox.enqueue(Sample.cleared(2))
        outbox.enqueue(Sample.cleared(3, topic: "status", isRetained: true))
        let order = all(&outbox)
        #expect(order == [2, 3].map(Sample.id))
    }
}
