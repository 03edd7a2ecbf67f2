import Contract
import Foundation
import GRDB
public import GatewayModel

/// The rows of the outbox: SQLite in a file of its own.
///
/// WAL with `synchronous=NORMAL`: what a transaction wrote survives the end of this process when it returns, and a
/// power cut once `sync` has, which is what an SD card pays for; so many transactions share one. Neither leaves a
/// database that cannot be read (<https://www.sqlite.org/pragma.html#pragma_synchronous>).
///
/// Blocking I/O: one thread at a time, never the SOS thread.
public final class OutboxDatabase {
    let path: String
    let queue: DatabaseQueue
    /// Places in the file minus places in `Outbox`, where an earlier run's end at 0.
    public let base: Int64
    /// Rows there are.
    public private(set) var count: Int {
        didSet { transactions.note(count: count) }
    }
    /// Rows that could not be read, as often as they were met: damaged, or of another version.
    var unreadable = 0
    let transactions: TransactionMark
    /// Transactions that the file has lost since it was written, although SQLite finds nothing wrong with it.
    public var loss: StateMarks.Loss? { transactions.loss }

    /// Opens the file, or makes it, readable by its owner alone.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - base: nil at the start; that of the database this one replaces.
    ///   - marks: of its directory.
    public init(at path: String, base: Int64? = nil, marks: StateMarks? = nil) throws(DiskFailure) {
        self.path = path
        try Self.settleCopy(beside: path)
        try SQLiteFile.checkIsUsable(path)
        try DurableFile.create(path)
        (queue, self.base, count, transactions) = try DiskFailure.translating("opening", path) {
            let queue = try DatabaseQueue(path: path, configuration: SQLiteFile.configuration)
            try Self.migrator.migrate(queue)
            let (last, count) = try queue.read { db in
                // Looks at every leaf: damage shows here, before anything is built on it.
                let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM message") ?? 0
                return (try Int64.fetchOne(db, sql: "SELECT max(place) FROM message") ?? 0, count)
            }
            let transactions = try TransactionMark(queue, at: path, count: count, marks: marks)
            return (queue, base ?? last, count, transactions)
        }
        transactions.note(count: count)
    }

    /// One transaction; `count` is to be set after it.
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

    /// Alarms an earlier run left behind, in order.
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

    /// Receipts there are.
    public func receipts() throws(DiskFailure) -> Int {
        try DiskFailure.translating("reading", path) {
            try queue.read { db in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM message WHERE discloses = 'receipt'") ?? 0
            }
        }
    }

    /// One transaction. A kill cannot undo it when it returns; where it throws, nothing has changed.
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

    /// A backlog is acknowledged in order: one statement then deletes thousands, where one each would hold up what
    /// is live.
    static func runs(of places: [Outbox.Place]) -> [ClosedRange<Outbox.Place>] {
        places.sorted().reduce(into: []) { runs, place in
            if let last = runs.last, last.upperBound + 1 >= place {
                runs[runs.count - 1] = last.lowerBound...place
            } else {
                runs.append(place...place)
            }
        }
    }

    /// All transactions until now survive a power cut when it returns.
    public func sync() throws(DiskFailure) {
        try Self.syncLog(of: path)
        synced(upTo: transaction)
    }

    /// Number of the last transaction.
    public var transaction: Int64 { transactions.sequence }

    /// Records that a power cut does not take the transactions up to one.
    public func synced(upTo transaction: Int64) {
        transactions.synced(upTo: transaction, count: count)
    }

    /// Syncs the write-ahead log of a database, which may be in use on another thread.
    public static func syncLog(of path: String) throws(DiskFailure) {
        // SQLite holds no lock on this file, so opening and closing it once more disturbs none.
        try DurableFile.sync(path + "-wal")
    }

    /// How many rows could not be read since this was asked last.
    public func takeUnreadable() -> Int {
        defer { unreadable = 0 }
        return unreadable
    }

    /// The next rows of the backlog.
    ///
    /// - Returns: also the place of the last row looked at, and whether it was the last there is. Rows that
    ///   this version cannot read are left where they are.
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

    /// How many messages are about a person, calls for help among them.
    public func count(of person: PersonID) throws(DiskFailure) -> Int {
        try DiskFailure.translating("reading", path) {
            try queue.read { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM message WHERE person = ?", arguments: [person.text]) ?? 0
            }
        }
    }

    /// Bytes of the file in use.
    public func size() throws(DiskFailure) -> Int { try SQLiteFile.bytes(queue, at: path) }

    /// Which of `places` have a row.
    public func rows(among places: Set<Outbox.Place>) throws(DiskFailure) -> Set<Outbox.Place> {
        try DiskFailure.translating("reading", path) { [base] in
            try queue.read { db in
                let look = try db.cachedStatement(sql: "SELECT 1 FROM message WHERE place = ?")
                return try places.filter { try Int.fetchOne(look, arguments: [$0 + base]) != nil }
            }
        }
    }

    /// The number of rows has changed.
    func changed(by difference: Int) {
        count += difference
    }

    /// Writes everything to the file itself. To be called at an orderly end.
    public func close() throws(DiskFailure) {
        try DiskFailure.translating("closing", path) { try queue.close() }
        synced(upTo: transaction)
    }
}
