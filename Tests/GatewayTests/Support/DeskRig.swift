import Contract
import Foundation
import GRDB
import GatewayModel
import HomeGateway
import Hub
import OutboxService
import RealTime
import Samples
import TestSupport

@testable import Consent
@testable import Vault

/// The outbox's loop with a file of its own, turn by turn, and its reports.
final class DeskRig {
    enum Word: Hashable {
        case fails, works, replaced, roomLeft, grantEnded, lost, unread
        case loaded(Int)
        case gaveUp(Int)
        case unreadable(Int)
    }

    /// The state of the disk as reported to the loop.
    final class Disk {
        var room: DiskRoom?
    }

    private let told = Recorder<Word>()
    let disk = Disk()
    var words: [Word] { told.values }
    let directory: URL
    let path: String
    let queue: OutboundQueue
    let delivery: OutboxDelivery
    private let gate = ConsentGate(ledger: ConsentLedger(persons: [Sample.maria]))
    private(set) var desk: OutboxLoop?
    /// Ahead of the real clock, which the loop uses for its wait after a failure: a slow test does not wait longer.
    private(set) var now = Clock.boot()

    init(limits: OutboxWriter.Limits = DeskRig.ample) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appending(path: "outbox.sqlite").path
        queue = OutboundQueue(gate: gate)
        delivery = OutboxDelivery(queue)
        desk = OutboxLoop(
            path: path, delivery: delivery, limits: limits, open: [], diskRoom: { [disk] in disk.room },
            gap: {
                .gap($0, of: $1, id: .random(at: $0.to), at: $0.to, topics: Sample.topics)
            },
            report: { [told] in told.add(Word($0)) })
        try decide(.accepted)
    }

    /// Records what the person decides about the data policy.
    func decide(_ verdict: ConsentDecision.Verdict) throws {
        _ = try gate.record(
            ConsentDecision(
                person: Sample.maria, subject: .dataPolicy, verdict: verdict, by: "test", means: .commandLine,
                at: Clock.wall()))
    }

    deinit {
        desk?.close()
        try? FileManager.default.removeItem(at: directory)
    }

    static let ample = OutboxWriter.Limits(
        group: .zero, quota: 1 << 30, age: .seconds(1_000_000_000))

    /// Stores the messages of an earlier run; before the first turn.
    func leave(_ envelopes: [Envelope]) throws {
        let database = try OutboxDatabase(at: path)
        var outbox = Outbox()
        outbox.loaded(alarms: [], stored: database.count, at: now)
        for envelope in envelopes { outbox.enqueue(Cleared(envelope), at: now) }
        while outbox.hasUnwritten {
            try database.carryOut(outbox.takeChanges())
            outbox.written(stored: database.count)
        }
        try database.close()
    }

    /// Changes the file as another program, beside the loop.
    func alter(_ sql: String) throws {
        let other = try DatabaseQueue(path: path)
        try other.writeWithoutTransaction { db in try db.execute(sql: sql) }
        try other.close()
    }

    /// Simulates a full disk from now on: the file cannot grow.
    func forbidGrowth() throws {
        try desk?.database?.queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA max_page_count = 1")
        }
    }

    /// Runs a turn late enough to retry after any failure of the last one.
    func turn(
        purging purges: [OutboxWriter.Purge] = [], errands: [OutboxWriter.Errand] = [], isLast: Bool = false
    ) {
        now = now.advanced(by: .seconds(600))
        _ = desk?.turn(at: now, purging: purges, errands: errands, isLast: isLast)
    }

    /// Returns the number of rows in the file.
    func rows() throws -> Int {
        let other = try DatabaseQueue(path: path)
        defer { try? other.close() }
        return try other.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM message") ?? 0 }
    }

    /// Lets the broker accept all messages.
    @discardableResult
    func drained() -> [MessageID] {
        if !queue.isConnected { delivery.connected() }
        var ids: [MessageID] = []
        var idle = 0
        // More than one turn: a failed operation is tried again, and acknowledged messages are deleted by the next
        // turn.
        while idle < 5 {
            turn()
            let before = ids.count
            while let next = delivery.next() {
                ids.append(next.value.id)
                delivery.acknowledged(next.value.id)
            }
            idle = ids.count == before ? idle + 1 : 0
        }
        return ids
    }
}

extension DeskRig.Word {
    init(_ report: OutboxWriter.Report) {
        self =
            switch report {
            case .loaded(let stored): .loaded(stored)
            case .disk(let failure): failure == nil ? .works : .fails
            case .replaced: .replaced
            case .lost: .lost
            case .unreadable(let count): .unreadable(count)
            case .unread: .unread
            case .gaveUp(let count, _): .gaveUp(count)
            case .roomLeft: .roomLeft
            case .grantEnded: .grantEnded
            }
    }
}
