import GRDB
public import GatewayModel

/// History of readings and positions in the house: an SQLite file of its own, in which every row is sealed.
///
/// Without the key, a reader of the file sees the number of series, the quarters of an hour in which each has readings,
/// and the sizes of the sealed rows. The person, kind, device and every value are inside the seal.
///
/// WAL with `synchronous=NORMAL`: a power cut can remove the last transactions, and leaves the file intact
/// (<https://www.sqlite.org/pragma.html#pragma_synchronous>). The loss of the last minute is acceptable for a curve.
/// Data that must not be lost is in the outbox and in the records of alarms.
///
/// Blocking I/O: one thread at a time, never the SOS thread.
public final class HistoryDatabase {
    let path: String
    let queue: DatabaseQueue
    var seal: HistorySeal
    /// Series by their numbers.
    var series: [Int64: HistorySeries]
    /// Persons with positions, by the numbers of their series.
    var locations: [Int64: PersonID]
    /// Number of rows that could not be unsealed: damaged, moved, or forged.
    public internal(set) var unreadable = 0
    private let transactions: TransactionMark
    /// Transactions that the file has lost since they were written, although SQLite reports no damage.
    public var loss: StateMarks.Loss? { transactions.loss }

    /// Opens the file, or creates it, readable by its owner only.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - marks: the marks of the file's directory.
    /// - Throws: `key` if existing rows are sealed with a key that is not among `keys`. Nothing is written in that
    ///   case.
    public init(
        at path: String, keys: HistoryKeys, cipher: any AuthenticatedCipher, marks: StateMarks? = nil
    ) throws(HistoryFailure) {
        self.path = path
        do throws(DiskFailure) {
            try SQLiteFile.checkIsUsable(path)
            try DurableFile.create(path)
            (queue, transactions) = try DiskFailure.translating("opening", path) {
                let queue = try DatabaseQueue(path: path, configuration: SQLiteFile.configuration)
                try Self.migrator.migrate(queue)
                // Reads every page, so that damage is found before the first use.
                try queue.read { db in
                    let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
                    guard found == "ok" else {
                        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found)
                    }
                }
                return (queue, try TransactionMark(queue, at: path, count: nil, marks: marks))
            }
        } catch {
            throw .disk(error)
        }
        seal = try Self.unlock(queue, path, keys, cipher)
        (series, locations) = try Self.allSeries(queue, path, seal)
        transactions.note(count: nil)
    }

    /// Runs `body` in one transaction.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        defer { transactions.note(count: nil) }
        return try transactions.write(to: queue, body)
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("sealed rows by series and time") { db in
            try db.execute(
                sql: """
                    -- A text sealed with the key: tells whether a key is this one.
                    CREATE TABLE key (id INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
                    CREATE TABLE series (
                      place INTEGER PRIMARY KEY, key INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT;
                    -- place: the series times 2^32, and the quarter of an hour or the day.
                    CREATE TABLE raw (
                      place INTEGER PRIMARY KEY, key INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT;
                    CREATE TABLE minutes (
                      place INTEGER PRIMARY KEY, key INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT;
                    CREATE TABLE hours (
                      place INTEGER PRIMARY KEY, key INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT;
                    -- Days with readings that are in no roll-up yet.
                    CREATE TABLE stale (place INTEGER PRIMARY KEY) STRICT;
                    -- Days whose readings are gone: their roll-ups are all there is.
                    CREATE TABLE final (place INTEGER PRIMARY KEY) STRICT;
                    """)
        }
        migrator.registerMigration("positions") { db in
            try db.execute(
                sql: """
                    CREATE TABLE location (
                      place INTEGER PRIMARY KEY, key INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT
                    """)
        }
        return migrator
    }

    /// Returns the number of bytes of the file that are in use.
    public func size() throws(DiskFailure) -> Int { try SQLiteFile.bytes(queue, at: path) }

    /// Sets a damaged file aside and creates a new one. A repair tool can read the rows of the old file with the same
    /// key.
    ///
    /// - Returns: the new database, and the path of the damaged file.
    public static func replace(
        at path: String, keys: HistoryKeys, cipher: any AuthenticatedCipher, at now: WallTime,
        marks: StateMarks? = nil
    ) throws(HistoryFailure) -> (database: HistoryDatabase, asidePath: String) {
        let aside: String
        do throws(DiskFailure) {
            aside = try SQLiteFile.setAside(path, at: now)
        } catch {
            throw .disk(error)
        }
        TransactionMark.forget(path, in: marks)
        return (try HistoryDatabase(at: path, keys: keys, cipher: cipher, marks: marks), aside)
    }

    /// Closes the database, and moves the write-ahead log into the file. Call it at an orderly shutdown.
    public func close() throws(DiskFailure) {
        try DiskFailure.translating("closing", path) { try queue.close() }
        transactions.synced(upTo: transactions.sequence, count: nil)
    }
}
