import Contract
import GatewayModel
import Samples
import Testing
import Vault

@testable import Consent

@Suite struct `The outbox` {
    private func ids(_ numbers: Int...) -> [MessageID] { numbers.map(Sample.id) }

    @Test func `offers a reading only when it is durable`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        #expect(rig.offered().isEmpty)
        rig.write()
        #expect(rig.offered() == ids(1))
    }

    @Test func `offers an alarm at once`() {
        let rig = OutboxRig()
        rig.enqueue(1, lane: .alarm)
        #expect(rig.outbox.isAlarmWaiting)
        #expect(rig.offered() == ids(1))
        #expect(!rig.outbox.isAlarmWaiting)
    }

    @Test func `offers what the disk does not take in time all the same`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        rig.now = rig.now.advanced(by: Outbox.patience)
        rig.enqueue(2)
        #expect(rig.offered() == ids(1))
    }

    @Test func `never writes what the broker had before the disk`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        rig.now = rig.now.advanced(by: Outbox.patience)
        _ = rig.offered()
        rig.outbox.settle(Sample.id(1))
        #expect(rig.outbox.isEmpty)
        rig.write()
        #expect(rig.rows.isEmpty)
        #expect(rig.outbox.isEmpty)
    }

    @Test func `writes a reading with few deletions, and the many that wait in pieces after it`() {
        let rig = OutboxRig(liveCapacity: 3_000, unwrittenCapacity: 3_000)
        for number in 1...1_200 { rig.enqueue(number) }
        rig.write()
        for id in rig.offered() { rig.outbox.settle(id) }
        #expect(rig.outbox.hasManySettled)
        #expect(rig.outbox.diskNeed == .now)
        rig.enqueue(2_000)
        let first = rig.outbox.takeChanges()
        #expect(first.rows.map(\.envelope.id) == [Sample.id(2_000)])
        // The oldest: they lie together.
        #expect(first.deleted.sorted() == Array(1...64))
        rig.outbox.written(stored: 1_200 + 1 - 64)
        #expect(rig.offered() == [Sample.id(2_000)])
        var pieces: [Int] = []
        while rig.outbox.hasSettled {
            let changes = rig.outbox.takeChanges()
            pieces.append(changes.deleted.count)
            rig.outbox.written(stored: 1_200 + 1 - 64 - pieces.reduce(0, +))
        }
        #expect(pieces == [512, 512, 1_200 - 64 - 2 * 512])
        #expect(rig.outbox.count == 1)
    }

    @Test func `lets readings wait for those that follow, and nothing that is kept for certain`() {
        let rig = OutboxRig(liveCapacity: 1_000, unwrittenCapacity: 1_000, isConnected: false)
        rig.enqueue(1)
        #expect(rig.outbox.diskNeed == .soon)
        #expect(rig.outbox.hasUnwritten && !rig.outbox.isWriteUrgent)
        rig.outbox.enqueue(Sample.cleared(2, retention: .certain), at: rig.now)
        #expect(rig.outbox.diskNeed == .now)
        rig.write()
        #expect(rig.outbox.diskNeed == .nothing)
        #expect(rig.rows.count == 2)
        rig.enqueue(3)
        rig.enqueue(4, lane: .alarm)
        #expect(rig.outbox.diskNeed == .now)
        rig.write()
        for number in 1...255 { rig.enqueue(10 + number) }
        #expect(rig.outbox.diskNeed == .soon)
        rig.enqueue(300)
        #expect(rig.outbox.diskNeed == .now)
        rig.write()
        #expect(rig.rows.count == 4 + 256)
    }

    @Test func `writes as many rows as there is room for, the first ones, and the rest later`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2)
        rig.outbox.enqueue(Sample.cleared(3, retention: .certain), at: rig.now)
        let first = rig.outbox.takeChanges(rows: 2)
        #expect(first.rows.map(\.envelope.id) == ids(1, 2))
        rig.outbox.written(stored: 2)
        #expect(rig.offered() == ids(1, 2))
        #expect(rig.outbox.isWriteUrgent, "what is kept for certain waits")
        rig.outbox.settle(Sample.id(1))
        let none = rig.outbox.takeChanges(rows: 0)
        #expect(none.rows.isEmpty && none.deleted == [1])
        rig.outbox.written(stored: 1)
        #expect(rig.offered().isEmpty)
        rig.write()
        #expect(rig.rows.values.map(\.envelope.id) == ids(3))
        #expect(rig.offered() == ids(3))
    }

    @Test func `never writes what the broker had before there was room for it`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2, 3)
        rig.now = rig.now.advanced(by: Outbox.patience)
        _ = rig.offered()
        rig.outbox.settle(Sample.id(2))
        let first = rig.outbox.takeChanges(rows: 1)
        #expect(first.rows.map(\.envelope.id) == ids(1) && first.deleted.isEmpty)
        rig.outbox.written(stored: 1)
        rig.write()
        #expect(rig.rows.values.map(\.envelope.id) == ids(3))
    }

    @Test func `reads no further than it can remember what is to be deleted`() {
        let rig = OutboxRig(unwrittenCapacity: 1_000, settledCapacity: 300, isConnected: false)
        for number in 1...600 { rig.enqueue(number) }
        rig.write()
        _ = rig.outbox.connected()
        var taken = 0
        rig.read()
        // The disk deletes nothing.
        while let id = rig.next() {
            rig.outbox.settle(id)
            taken += 1
            rig.read()
        }
        #expect(taken < 600 && !rig.outbox.wantsPage)
        rig.write()
        #expect(rig.outbox.wantsPage)
        #expect(rig.offered().count == 600 - taken)
    }

    /// A passing is offered again after a kill, whether or not it had been written here.
    @Test func `sends what waits twice under one id once, and keeps neither when it is acknowledged`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2, 1)
        rig.write()
        #expect(rig.offered() == ids(1, 2))
        rig.outbox.settle(Sample.id(1))
        rig.outbox.settle(Sample.id(2))
        rig.write()
        #expect(rig.rows.isEmpty)
        #expect(rig.outbox.isEmpty)
    }

    @Test func `sends what is told again in other words, under its id, once`() {
        let rig = OutboxRig()
        for payload in ["{}", "{\"received\":2}"] {
            rig.outbox.enqueue(Sample.cleared(1, payload: payload), at: rig.now)
        }
        rig.write()
        #expect(rig.offered() == ids(1))
        rig.outbox.settle(Sample.id(1))
        rig.write()
        #expect(rig.rows.isEmpty && rig.outbox.isEmpty)
    }

    @Test func `passes over what may not leave now, and offers it when it is asked again`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2)
        rig.write()
        let first = Sample.id(1)
        func next(_ isWaiting: Bool) -> MessageID? {
            rig.read()
            let offer = rig.outbox.next(
                at: rig.now, clear: { isWaiting && $0.id == first ? nil : Cleared($0) },
                mayWait: { $0.id == first })
            #expect(offer.withheld.isEmpty)
            return offer.cleared?.value.id
        }
        #expect(next(true) == Sample.id(2))
        #expect(next(true) == nil && next(false) == nil)
        rig.write()
        #expect(rig.rows.count == 2 && rig.outbox.count == 2)
        rig.outbox.offerAgain()
        #expect(next(true) == nil)
        rig.outbox.offerAgain()
        #expect(next(false) == first)
        rig.outbox.settle(first)
        rig.outbox.settle(Sample.id(2))
        rig.write()
        #expect(rig.rows.isEmpty)
    }

    @Test func `offers what it passed over before what stands behind it, also where that was read already`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2, 3)
        rig.write()
        _ = rig.outbox.connectionLost(at: rig.now)
        _ = rig.outbox.connected()
        func next(_ isWaiting: Bool) -> MessageID? {
            rig.read()
            return rig.outbox.next(
                at: rig.now, clear: { isWaiting && $0.id == Sample.id(1) ? nil : Cleared($0) },
                mayWait: { _ in true }
            ).cleared?.value.id
        }
        #expect(next(true) == Sample.id(2))
        rig.outbox.offerAgain()
        #expect([next(false), next(false), next(false)] == [Sample.id(1), Sample.id(3), nil])
    }

    @Test func `deletes by a purge what it passed over before the disk had it`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        rig.now = rig.now.advanced(by: Outbox.patience)
        let next = rig.outbox.next(at: rig.now, clear: { _ in nil }, mayWait: { _ in true }).cleared?.value
        #expect(next == nil && rig.outbox.count == 1)
        let purged = rig.outbox.purge { _ in true }
        #expect(purged.map(\.id) == ids(1))
        rig.write()
        #expect(rig.rows.isEmpty && rig.outbox.isEmpty)
    }

    @Test func `of what waits twice under one id one is left when the connection is lost`() {
        let rig = OutboxRig()
        rig.enqueue(1, 1)
        rig.write()
        #expect(rig.offered() == ids(1))
        rig.write()
        #expect(rig.rows.count == 1)
        _ = rig.outbox.connectionLost(at: rig.now)
        _ = rig.outbox.connected()
        #expect(rig.offered() == ids(1))
    }

    @Test func `of many deletions those that fail wait with the rest`() {
        let rig = OutboxRig(liveCapacity: 3_000, unwrittenCapacity: 3_000)
        for number in 1...600 { rig.enqueue(number) }
        rig.write()
        for id in rig.offered() { rig.outbox.settle(id) }
        _ = rig.outbox.takeChanges()
        rig.outbox.notWritten()
        #expect(rig.outbox.count == 0)
        while rig.outbox.hasSettled { rig.write() }
        #expect(rig.rows.isEmpty)
    }

    @Test func `deletes on the disk what the broker acknowledged while it was being written`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        rig.now = rig.now.advanced(by: Outbox.patience)
        let changes = rig.outbox.takeChanges()
        _ = rig.offered()
        rig.outbox.settle(Sample.id(1))
        for row in changes.rows { rig.rows[row.place] = row }
        rig.outbox.written(stored: 1)
        rig.write()
        #expect(rig.rows.isEmpty)
        #expect(rig.outbox.isEmpty)
    }

    @Test func `keeps a message until it is acknowledged`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        rig.write()
        _ = rig.offered()
        #expect(rig.outbox.count == 1)
        #expect(rig.settle(1) == Sample.id(1))
        #expect(rig.outbox.isEmpty)
        rig.write()
        #expect(rig.rows.isEmpty)
        #expect(rig.settle(1) == nil, "a second acknowledgement is nobody's")
    }

    @Test func `deletes an acknowledged alarm at once, and a reading at leisure`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        rig.enqueue(2, lane: .alarm)
        rig.write()
        _ = rig.offered()
        _ = rig.settle(1)
        #expect(rig.outbox.hasSettled && !rig.outbox.hasUnwritten)
        _ = rig.settle(2)
        #expect(rig.outbox.diskNeed == .now)
        rig.write()
        #expect(rig.rows.isEmpty)
        #expect(rig.outbox.diskNeed == .nothing)
    }

    @Test func `sends alarms first, then live, then backlog`() {
        let rig = OutboxRig(isConnected: false)
        rig.enqueue(1, 2)
        rig.write()
        _ = rig.outbox.connected()
        rig.enqueue(3)
        rig.enqueue(4, lane: .alarm)
        rig.write()
        #expect(rig.offered() == ids(4, 3, 1, 2))
    }

    @Test func `lets live data pass a backlog that is being sent`() {
        let rig = OutboxRig(isConnected: false)
        rig.enqueue(1, 2, 3)
        rig.write()
        _ = rig.outbox.connected()
        rig.read()
        #expect(rig.next() == Sample.id(1))
        rig.enqueue(9)
        rig.write()
        #expect(rig.offered() == ids(9, 2, 3))
    }

    @Test func `gives what was in flight again after a lost connection, in order, with the same ids`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2, 3, 4)
        rig.write()
        for _ in 1...2 { _ = rig.next() }
        _ = rig.outbox.connectionLost(at: rig.now)
        #expect(rig.offered().isEmpty, "nothing is offered without a connection")
        _ = rig.outbox.connected()
        #expect(rig.offered() == ids(1, 2, 3, 4))
    }

    @Test func `gives what the disk had not taken again after a lost connection`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2)
        rig.now = rig.now.advanced(by: Outbox.patience)
        #expect(rig.offered() == ids(1, 2))
        _ = rig.outbox.connectionLost(at: rig.now)
        _ = rig.outbox.connected()
        #expect(rig.offered() == ids(1, 2))
        rig.write()
        _ = rig.outbox.connectionLost(at: rig.now)
        _ = rig.outbox.connected()
        #expect(rig.offered() == ids(1, 2), "from the disk, and once")
    }

    @Test func `does not read again what is on its way`() {
        let rig = OutboxRig(isConnected: false)
        rig.enqueue(1)
        rig.now = rig.now.advanced(by: Outbox.patience)
        _ = rig.outbox.connected()
        #expect(rig.offered() == ids(1), "the disk hangs")
        rig.write()
        rig.enqueue(2)
        rig.write()
        #expect(rig.offered() == ids(2))
    }

    @Test func `a page of a connection that has ended is not sent on the next one`() throws {
        let rig = OutboxRig(isConnected: false)
        rig.enqueue(1)
        rig.write()
        _ = rig.outbox.connected()
        let wanted = rig.outbox.takePageRequest()
        let request = try #require(wanted)
        _ = rig.outbox.connectionLost(at: rig.now)
        rig.outbox.read(Array(rig.rows.values), upTo: 1, isEnd: true, for: request, at: rig.now)
        _ = rig.outbox.connected()
        #expect(rig.offered() == ids(1))
    }

    @Test func `a slow broker gets from the disk what memory has no room for, in order`() {
        let rig = OutboxRig(liveCapacity: 4)
        for number in 1...10 {
            rig.enqueue(number)
            rig.write()
        }
        #expect(Set(rig.offered()) == Set((1...10).map(Sample.id)))
        #expect(rig.outbox.count == 10)
    }

    @Test func `goes on where the disk refused`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        _ = rig.outbox.takeChanges()
        rig.enqueue(2)
        rig.outbox.notWritten()
        #expect(rig.outbox.count == 2)
        rig.write()
        #expect(rig.offered() == ids(1, 2))
    }

    @Test func `what an earlier run left is backlog, its alarms are not`() {
        var outbox = Outbox()
        let now = BootInstant(nanoseconds: 0)
        _ = outbox.connected()
        outbox.enqueue(Sample.cleared(5, lane: .alarm), at: now)
        outbox.loaded(
            alarms: [Outbox.Row(place: -1, envelope: Sample.envelope(3, lane: .alarm))], stored: 2, at: now)
        #expect(outbox.count == 3)
        let first = outbox.next(at: now, clear: { Cleared($0) }).cleared?.value.id
        #expect(first == Sample.id(3))
        #expect(outbox.wantsPage)
    }

    @Test func `asks for consent at the instant of leaving and forgets what has none`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2)
        rig.write()
        let offer = rig.outbox.next(at: rig.now, clear: { $0.id == Sample.id(1) ? nil : Cleared($0) })
        #expect(offer.cleared?.value.id == Sample.id(2))
        #expect(offer.withheld.map(\.id) == ids(1))
        #expect(rig.outbox.takeWithheld().values.reduce(0, +) == 1, "a purge that comes later counts it")
        rig.write()
        #expect(rig.rows.count == 1, "the one in flight")
    }

    @Test func `forgets the waiting messages of a withdrawal, written or not`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        rig.write()
        rig.enqueue(2, 3)
        #expect(rig.outbox.purge { $0.id != Sample.id(2) }.map(\.id) == ids(1, 3))
        #expect(rig.outbox.takeWithheld().values.reduce(0, +) == 2)
        #expect(rig.outbox.takeWithheld().isEmpty)
        rig.write()
        #expect(rig.offered() == ids(2))
        #expect(rig.rows.count == 1)
    }

    @Test func `gives up the oldest reading while the disk takes none, never an alarm, and counts the gap`() {
        let rig = OutboxRig(unwrittenCapacity: 4, isConnected: false)
        rig.enqueue(1, lane: .alarm)
        rig.enqueue(2, 3, 4, 5, 6)
        #expect(rig.gaps().isEmpty, "not while there is no room")
        rig.write()
        let gaps = rig.gaps()
        #expect(gaps.map(\.dropped) == [2])
        #expect(gaps.first?.reason == .storage)
        #expect(rig.gaps().isEmpty, "told once")
        _ = rig.outbox.connected()
        #expect(rig.offered() == ids(1, 4, 5, 6))
    }

    @Test func `keeps only the newest word of a retained topic, and none over a lost connection`() {
        let rig = OutboxRig()
        let moments = (1...3).map { Sample.cleared($0, topic: "status", retention: .moment, isRetained: true) }
        rig.outbox.enqueue(moments[0], at: rig.now)
        rig.outbox.enqueue(moments[1], at: rig.now)
        #expect(rig.offered() == [moments[1].value.id])
        rig.outbox.enqueue(moments[2], at: rig.now)
        let outdated = rig.outbox.connectionLost(at: rig.now)
        #expect(outdated.map(\.id) == [moments[1], moments[2]].map(\.value.id))
        #expect(rig.outbox.isEmpty)
        rig.write()
        #expect(rig.rows.isEmpty)
    }

    @Test func `writes anew what memory knows when the database is replaced`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2)
        rig.write()
        _ = rig.next()
        rig.rows = [2: Outbox.Row(place: 2, envelope: Sample.envelope(2))]
        rig.outbox.replaced(holding: [2], stored: 1)
        rig.write()
        #expect(rig.rows.keys.sorted() == [1, 2])
    }

    @Test func `knows up to which place a kill loses nothing`() {
        let rig = OutboxRig()
        #expect(rig.outbox.isDurable(through: rig.outbox.lastPlace))
        rig.enqueue(1, 2)
        let place = rig.outbox.lastPlace
        #expect(!rig.outbox.isDurable(through: place))
        rig.enqueue(3)
        let changes = rig.outbox.takeChanges(rows: 2)
        #expect(changes.rows.count == 2 && !rig.outbox.isDurable(through: place), "on its way is not there")
        rig.outbox.written(stored: 2)
        #expect(rig.outbox.isDurable(through: place) && !rig.outbox.isDurable(through: place + 1))
        rig.write()
        #expect(rig.outbox.isDurable(through: place + 1))
    }

    @Test func `is not durable while the disk takes nothing`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        _ = rig.outbox.takeChanges()
        rig.outbox.notWritten()
        #expect(!rig.outbox.isDurable(through: rig.outbox.lastPlace))
    }
}
