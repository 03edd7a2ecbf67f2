import Contract
import Foundation
import GRDB
public import GatewayModel

/// The rows of the outbox, in an SQLite file of their own.
///
/// WAL with `synchronous=NORMAL`: a committed transaction survives the end of this process. It survives a power cut
/// after `sync`. A sync is expensive on an SD card, so many transactions share one. Neither event leaves an unreadable
/// database (<https://www.sqlite.org/pragma.html#pragma_synchronous>).
///
/// Blocking I/O: one thread at a time, never the SOS thread.
public final class OutboxDatabase {
    let path: String
    let queue: DatabaseQueue
    /// Offset of the places in the file: place in the file minus place in `Outbox`. In `Outbox`, the places of an
    /// earlier run end at 0.
    public private(set) var base: Int64
    /// Number of rows.
    public private(set) var count: Int {
        didSet { transactions.note(count: count) }
    }
    /// Number of failed reads of rows: damaged, or of another version. A row counts each time.
    var unreadable = 0
    /// A purge had no room to write the file anew.
    var hasTraces = false
    let transactions: TransactionMark
    /// Transactions that the file has lost since they were written, although SQLite reports no damage.
    public var loss: StateMarks.Loss? { transactions.loss }

    /// Opens the file, or creates it, readable by its owner only.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - base: nil at the start; otherwise the base of the database that this one replaces.
    ///   - marks: the marks of the file's directory.
    public init(at path: String, base: Int64? = nil, marks: StateMarks? = nil) throws(DiskFailure) {
        self.path = path
        try Self.settleCopy(beside: path)
        try SQLiteFile.checkIsUsable(path)
        try DurableFile.create(path)
        (queue, self.base, count, transactions) = try DiskFailure.translating("opening", path) {
            let queue = try Self.open(path)
            let (last, count) = try queue.read { db in
                // Reads every leaf page, so that damage is found before the first use.
                let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM message") ?? 0
                return (try Int64.fetchOne(db, sql: "SELECT max(place) FROM message") ?? 0, count)
            }
            let transactions = try TransactionMark(queue, at: path, count: count, marks: marks)
            return (queue, base ?? last, count, transactions)
        }
        transactions.note(count: count)
    }

    /// - Parameter isSynced: nothing is synced without it.
    static func open(_ path: String, isSynced: Bool = true) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path, configuration: SQLiteFile.configuration(isSynced: isSynced))
        try migrator.migrate(queue)
        return queue
    }

    /// Runs `body` in one transaction. The caller updates `count` afterwards.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try transactions.write(to: queue, body)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("messages in the order of sending") { db in
            try db.execute(
                sql: """
                    CREATE TABLE message (
                      place INTEGER PRIMARY KEY,
                      id BLOB NOT NULL,
                      lane INTEGER NOT NULL,
                      retention TEXT NOT NULL,
                      discloses TEXT NOT NULL,
                      person TEXT,
                      kind TEXT,
                      topic TEXT NOT NULL,
                      payload BLOB NOT NULL,
                      retained INTEGER NOT NULL
                    ) STRICT;
                    -- Costs nothing for a reading: alarms are few, and asked for first.
                    CREATE INDEX message_alarm ON message(place) WHERE lane = 0;
                    """)
        }
        migrator.registerMigration("what goes to third parties, and by which grant") { db in
            try db.execute(
                sql: """
                    ALTER TABLE message ADD COLUMN party TEXT;
                    ALTER TABLE message ADD COLUMN epoch INTEGER;
                    -- Grants whose end was not told yet.
                    CREATE TABLE open_grant (epoch INTEGER PRIMARY KEY) STRICT;
                    -- The last message of each kind that the broker has, by the grant it went by.
                    CREATE TABLE sent (
                      epoch INTEGER NOT NULL,
                      kind TEXT NOT NULL,
                      id BLOB NOT NULL,
                      PRIMARY KEY (epoch, kind)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("what is told of runners, and in which run") { db in
            try db.execute(
                sql: """
                    ALTER TABLE message ADD COLUMN run TEXT;
                    ALTER TABLE message ADD COLUMN bib INTEGER;
                    -- Costs nothing for a reading: thousands of runners, of whom one leaves.
                    CREATE INDEX message_runner ON message(run, bib) WHERE run IS NOT NULL;
                    """)
        }
        migrator.registerMigration("when it arrived, where its id does not tell") { db in
            try db.execute(sql: "ALTER TABLE message ADD COLUMN arrived INTEGER")
        }
        migrator.registerMigration("a checksum of each row") { db in
            try db.execute(sql: "ALTER TABLE message ADD COLUMN sum INTEGER")
        }
        return migrator
    }

    /// Returns the alarms of earlier runs, in order.
    public func alarms() throws(DiskFailure) -> [Outbox.Row] {
        try DiskFailure.translating("reading", path) { [base] in
            try queue.read { db in
                let rows = try Row.fetchCursor(
                    db,
                    sql:
                        "SELECT \(OutboxRow.columns) FROM message WHERE lane = 0 AND place <= ? ORDER BY place",
                    arguments: [base])
                var alarms: [Outbox.Row] = []
                while let row = try rows.next() {
                    if let row = OutboxRow.decode(row, base: base) {
                        alarms.append(row)
                    } else {
                        unreadable += 1
                    }
                }
                return alarms
            }
        }
    }

    /// Returns the number of receipts.
    public func receipts() throws(DiskFailure) -> Int {
        try DiskFailure.translating("reading", path) {
            try queue.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM message WHERE discloses = 'receipt'") ?? 0
            }
        }
    }

    /// Executes the changes in one transaction. On return a kill cannot undo it. If it throws, nothing has changed.
    public func carryOut(_ changes: Outbox.Changes) throws(DiskFailure) {
        let deleted = try DiskFailure.translating("writing", path) { [base] in
            try write { db in
                let insert = try db.cachedStatement(sql: OutboxRow.insert)
                for row in changes.rows { try OutboxRow.write(row, with: insert, base: base) }
                let delete = try db.cachedStatement(sql: "DELETE FROM message WHERE place BETWEEN ? AND ?")
                var deleted = 0
                for run in Self.runs(of: changes.deleted) {
                    try delete.execute(arguments: [run.lowerBound + base, run.upperBound + base])
                    deleted += db.changesCount
                }
                for (series, id) in changes.sent { try Self.note(sent: id, of: series, in: db) }
                return deleted
            }
        }
        count += changes.rows.count - deleted
    }

    /// Takes over messages that an earlier run could not write in time; those that it wrote in the end are there already, and
    /// are left out. To be called before the first message of this run is written.
    public func takeOver(_ rows: [Outbox.Row]) throws(DiskFailure) {
        struct Key: Hashable {
            let id: MessageID
            let topic: String
        }
        let taken = try DiskFailure.translating("writing", path) { [base] in
            try write { db in
                var there: Set<Key> = []
                let latest = try Row.fetchCursor(
                    db, sql: "SELECT id, topic FROM message ORDER BY place DESC LIMIT ?",
                    arguments: [Self.mostWrittenLate])
                while let row = try latest.next() {
                    guard let id = row.id(0), let topic = row.text(1) else { continue }
                    there.insert(Key(id: id, topic: topic))
                }
                let insert = try db.cachedStatement(sql: OutboxRow.insert)
                var taken: Int64 = 0
                for row in rows
                where there.insert(Key(id: row.envelope.id, topic: row.envelope.topic)).inserted {
                    taken += 1
                    let new = Outbox.Row(place: taken, envelope: row.envelope)
                    try OutboxRow.write(new, with: insert, base: base)
                }
                return taken
            }
        }
        base += taken
        count += Int(taken)
    }

    /// Rows that a run may have written after one that it had spilled: what memory holds, and one transaction.
    private static let mostWrittenLate = Outbox.unwrittenCapacity + Outbox.rowsSize

    /// Returns the places as ranges. A backlog is acknowledged in order, so one statement deletes thousands of rows.
    /// One statement for each row would delay live data.
    static func runs(of places: [Outbox.Place]) -> [ClosedRange<Outbox.Place>] {
        places.sorted().reduce(into: []) { runs, place in
            if let last = runs.last, last.upperBound + 1 >= place {
                runs[runs.count - 1] = last.lowerBound...place
            } else {
                runs.append(place...place)
            }
        }
    }

    /// Syncs all transactions so far: they survive a power cut when it returns.
    public func sync() throws(DiskFailure) {
        try Self.syncLog(of: path)
        synced(upTo: transaction)
    }

    /// Number of the last transaction.
    public var transaction: Int64 { transactions.sequence }

    /// Records that the transactions up to this one survive a power cut.
    public func synced(upTo transaction: Int64) {
        transactions.synced(upTo: transaction, count: count)
    }

    /// Syncs the write-ahead log of a database, which may be in use on another thread.
    public static func syncLog(of path: String) throws(DiskFailure) {
        // SQLite holds no lock on this file, so opening and closing it again does not interfere.
        try DurableFile.sync(path + "-wal")
    }

    /// Returns the number of unreadable rows since the last call.
    public func takeUnreadable() -> Int {
        defer { unreadable = 0 }
        return unreadable
    }

    /// Returns the next rows of the backlog.
    ///
    /// - Returns: the rows, the place of the last row that was read, and whether it was the last row of all. Rows that
    ///   this version cannot read stay in the file.
    public func page(
        _ request: Outbox.PageRequest
    ) throws(DiskFailure) -> (rows: [Outbox.Row], last: Outbox.Place?, isEnd: Bool) {
        try DiskFailure.translating("reading", path) { [base] in
            try queue.read { db in
                let statement = try db.cachedStatement(
                    sql: """
                        SELECT \(OutboxRow.columns) FROM message
                        WHERE place > ? AND place < ? AND lane <> 0
                        ORDER BY place LIMIT ?
                        """)
                let (after, _) = request.after.addingReportingOverflow(base)
                let (before, isBeyond) = request.before.addingReportingOverflow(base)
                let cursor = try Row.fetchCursor(
                    statement,
                    arguments: [
                        request.after == .min ? Int64.min : after, isBeyond ? Int64.max : before,
                        request.limit,
                    ])
                var (rows, last, seen) = ([Outbox.Row](), Outbox.Place?.none, 0)
                while let row = try cursor.next() {
                    seen += 1
                    last = row.number(0).map { $0 - base } ?? last
                    if let row = OutboxRow.decode(row, base: base) {
                        rows.append(row)
                    } else {
                        unreadable += 1
                    }
                }
                return (rows, last, seen < request.limit)
            }
        }
    }

    /// Returns the number of messages about a person, including calls for help.
    public func count(of person: PersonID) throws(DiskFailure) -> Int {
        try DiskFailure.translating("reading", path) {
            try queue.read { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM message WHERE person = ?", arguments: [person.text]) ?? 0
            }
        }
    }

    /// Returns the number of bytes of the file that are in use.
    public func size() throws(DiskFailure) -> Int { try SQLiteFile.bytes(queue, at: path) }

    /// Returns those of `places` that have a row.
    public func rows(among places: Set<Outbox.Place>) throws(DiskFailure) -> Set<Outbox.Place> {
        try DiskFailure.translating("reading", path) { [base] in
            try queue.read { db in
                let look = try db.cachedStatement(sql: "SELECT 1 FROM message WHERE place = ?")
                return try places.filter { try Int.fetchOne(look, arguments: [$0 + base]) != nil }
            }
        }
    }

    /// Adds a difference to the number of rows.
    func changed(by difference: Int) {
        count += difference
    }

    /// Closes the database, and moves the write-ahead log into the file. Call it at an orderly shutdown.
    public func close() throws(DiskFailure) {
        try DiskFailure.translating("closing", path) { try queue.close() }
        synced(upTo: transaction)
    }
}
