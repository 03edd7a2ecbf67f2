import Foundation
import GRDB
import GatewayModel
import Samples
import Testing
import Vault

@testable import Consent
@testable import Contract

/// What goes to third parties, in the outbox.
@Suite struct `What waits for a third party` {
    private func disclosure(
        _ party: PartyID = ConsentSample.clinic, _ epoch: Int64 = 4, _ kind: QuantityKind = .heartRate
    ) -> Disclosure {
        .share(with: party, of: ConsentSample.maria, kind: .quantity(kind), epoch: LedgerSequence(epoch))
    }

    private func share(_ number: Int, _ disclosure: Disclosure, at seconds: Int? = nil) -> Envelope {
        var random = SystemRandomNumberGenerator()
        let id = seconds.map { MessageID(wall: ConsentSample.wall($0), using: &random) } ?? Sample.id(number)
        return Envelope(
            id: id, lane: .live, retention: .sample, disclosure: disclosure, topic: "t",
            payload: Array("share \(number)".utf8))
    }

    private func receipt(_ number: Int) -> Envelope {
        Envelope(
            id: Sample.id(number), lane: .live, retention: .certain,
            disclosure: .receipt(of: ConsentSample.maria),
            topic: "r", payload: [])
    }

    @Test func `comes back whole after a restart`() throws {
        let rig = try StoredOutbox()
        let left = [share(1, disclosure()), receipt(2), share(3, disclosure(ConsentSample.study, 9, .glucose))]
        try rig.enqueue(left)
        try rig.restart()
        #expect(try rig.offered() == left)
    }

    @Test func `is deleted by the grant it waits under, each party's apart and the cloud's not`() throws {
        let rig = try StoredOutbox()
        let (old, new, other) = (
            disclosure(), disclosure(ConsentSample.clinic, 6), disclosure(ConsentSample.study, 5)
        )
        try rig.enqueue(
            [share(1, old), share(2, old), share(3, new), share(4, other), Sample.envelope(5), receipt(6)])
        let deleted = try rig.database.purge { $0.disclosure != old }
        #expect(deleted == [old: 2])
        try rig.restart()
        #expect(try rig.offered().map(\.id) == [3, 4, 5, 6].map(Sample.id))
    }

    @Test func `and is on its way is deleted and not counted: the broker may have it`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue((1...3).map { share($0, disclosure()) })
        _ = rig.outbox.connected()
        // Offered, one of them.
        let request = try #require({ rig.outbox.takePageRequest() }())
        let (rows, last, isEnd) = try rig.database.page(request)
        rig.outbox.read(rows, upTo: last, isEnd: isEnd, for: request, at: rig.now)
        let offered = rig.outbox.next(at: rig.now, clear: { Cleared($0) }).cleared?.value
        #expect(offered?.id == Sample.id(1))
        #expect(rig.outbox.sharesUnderway == [disclosure(): [Sample.id(1)]])
        let deleted = try rig.database.purge(notCounting: rig.outbox.placesOffered) { _ in false }
        #expect(deleted == [disclosure(): 2])
        #expect(rig.database.count == 0)
    }

    @Test func `and has just been acknowledged does not count as deleted unsent`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue((1...3).map { share($0, disclosure()) })
        _ = try rig.offered()
        _ = rig.outbox.settle(Sample.id(1))
        _ = rig.outbox.connectionLost(at: rig.now)
        let deleted = try rig.database.purge(notCounting: rig.outbox.placesOffered) { _ in false }
        #expect(deleted == [disclosure(): 2])
        // Known no longer than it stands there.
        try rig.write()
        #expect(rig.outbox.placesOffered.isEmpty)
    }

    @Test func `is thinned by itself, with a gap for the party in its place`() throws {
        let rig = try StoredOutbox()
        let (clinic, study) = (disclosure(), disclosure(ConsentSample.study, 9))
        for second in 0..<60 {
            try rig.enqueue([share(second, clinic, at: second)])
            if second.isMultiple(of: 2) { try rig.enqueue([share(second, study, at: second)]) }
        }
        let dropped = try rig.database.thin(sparing: []) { gap, series in
            .gap(gap, of: series, id: Sample.id(gap.dropped), at: gap.to, topics: Sample.topics)
        }
        #expect(dropped == 59 + 29)
        let gaps = try rig.offered().filter { $0.topic.hasSuffix("/gap") }
        #expect(Set(gaps.map(\.disclosure)) == [clinic, study])
        #expect(
            Set(gaps.map(\.topic)) == [
                "trackme/v1/house-12/parties/clinic/maria/heart-rate/gap",
                "trackme/v1/house-12/parties/study/maria/heart-rate/gap",
            ])
        // A gap goes with the readings it speaks of.
        #expect(try rig.database.purge { $0.disclosure != clinic } == [clinic: 2])
    }

    @Test func `is remembered by the last of each kind that the broker has, over a restart`() throws {
        let rig = try StoredOutbox()
        #expect(try rig.database.ended(besides: [LedgerSequence(4)]).isEmpty)
        try rig.enqueue([
            share(1, disclosure()), share(2, disclosure()),
            share(3, disclosure(ConsentSample.clinic, 4, .glucose)),
            share(4, disclosure(ConsentSample.study, 9)),
        ])
        _ = try rig.offered()
        for number in 1...3 { _ = rig.outbox.settle(Sample.id(number)) }
        // Refused by the broker: it has it not.
        _ = rig.outbox.settle(Sample.id(4), isDelivered: false)
        try rig.write()
        try rig.restart()
        let sent = try rig.database.lastSent(by: LedgerSequence(4))
        #expect(sent == [.quantity(.heartRate): Sample.id(2), .quantity(.glucose): Sample.id(3)])
        #expect(try rig.database.lastSent(by: LedgerSequence(9)).isEmpty)
        // The end of the grant is told once, however often one asks until it is.
        #expect(try rig.database.ended(besides: []) == [LedgerSequence(4)])
        try rig.restart()
        #expect(try rig.database.ended(besides: []) == [LedgerSequence(4)])
        try rig.database.forget([LedgerSequence(4)])
        #expect(try rig.database.ended(besides: []).isEmpty)
        #expect(try rig.database.lastSent(by: LedgerSequence(4)).isEmpty)
    }

    @Test func `is remembered by what the broker has though the file was damaged`() throws {
        let rig = try StoredOutbox()
        #expect(try rig.database.ended(besides: [LedgerSequence(4)]).isEmpty)
        try rig.enqueue([share(1, disclosure())])
        _ = try rig.offered()
        _ = rig.outbox.settle(Sample.id(1))
        try rig.write()
        try rig.database.close()
        _ = try OutboxDatabase.replace(at: rig.path, at: ConsentSample.wall(0))
        rig.database = try OutboxDatabase(at: rig.path)
        #expect(try rig.database.lastSent(by: LedgerSequence(4)) == [.quantity(.heartRate): Sample.id(1)])
        #expect(try rig.database.ended(besides: []) == [LedgerSequence(4)])
    }

    @Test func `is not forgotten as sent by a transaction that failed`() throws {
        let rig = try StoredOutbox()
        try rig.enqueue([share(1, disclosure())])
        _ = try rig.offered()
        _ = rig.outbox.settle(Sample.id(1))
        _ = rig.outbox.takeChanges()
        rig.outbox.notWritten()
        try rig.write()
        #expect(try rig.database.lastSent(by: LedgerSequence(4)) == [.quantity(.heartRate): Sample.id(1)])
    }

    @Test func `keeps the way out open while a receipt is not acknowledged, over a restart`() throws {
        let rig = try StoredOutbox()
        #expect(!rig.outbox.owesLastWord)
        try rig.enqueue([receipt(1), share(2, disclosure())])
        #expect(rig.outbox.owesLastWord)
        try rig.restart()
        #expect(rig.outbox.owesLastWord)
        _ = try rig.offered()
        _ = rig.outbox.settle(Sample.id(1))
        #expect(!rig.outbox.owesLastWord)
    }

    /// As version 0.1.0 of July made it.
    @Test func `does not keep an outbox of an earlier version from opening with all it has`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "earlier-\(UUID()).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        try DatabaseQueue(path: path).write { db in
            try db.execute(
                sql: """
                    CREATE TABLE message (place INTEGER PRIMARY KEY, id BLOB NOT NULL, lane INTEGER NOT NULL,
                      retention TEXT NOT NULL, discloses TEXT NOT NULL, person TEXT, kind TEXT,
                      topic TEXT NOT NULL, payload BLOB NOT NULL, retained INTEGER NOT NULL) STRICT;
                    CREATE INDEX message_alarm ON message(place) WHERE lane = 0;
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('messages in the order of sending');
                    """)
            for number in 1...3 {
                try db.execute(
                    sql:
                        "INSERT INTO message VALUES (?, ?, 1, 'sample', 'readings', 'maria', 'heart-rate', 't', ?, 0)",
                    arguments: [number, Data(Sample.id(number).bytes), Data("{}".utf8)])
            }
        }
        // A copy of it whose schema cannot be brought up to date is saved from as well.
        let damaged = path + ".old"
        try FileManager.default.copyItem(atPath: path, toPath: damaged)
        let database = try OutboxDatabase(at: path)
        #expect(database.count == 3)
        #expect(try database.purge { _ in true }.isEmpty)
        try database.close()
        let salvage = try OutboxDatabase.replace(at: damaged, at: ConsentSample.wall(0))
        #expect(salvage.saved == 3)
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: damaged + suffix)
            try? FileManager.default.removeItem(atPath: salvage.asidePath + suffix)
        }
    }
}
