import GRDB
public import GatewayModel

/// Readings kept in the house: SQLite in a file of its own, every row sealed.
///
/// What can be read without the key: how many series there are, in which quarters of an hour each had readings, and
/// how large the sealed rows are. Whose they are, of what kind and device, and every value are inside.
///
/// WAL with `synchronous=NORMAL`: a power cut may take the last transactions, and leaves the file sound
/// (<https://www.sqlite.org/pragma.html#pragma_synchronous>). A curve without its last minute is still the curve;
/// what must not be lost is in the outbox and in the records of alarms.
///
/// Blocking I/O: one thread at a time, never the SOS thread.
public final class HistoryDatabase {
    let path: String
    let queue: DatabaseQueue
    var seal: HistorySeal
    /// What each number of a series means.
    var series: [Int64: HistorySeries]
    /// Rows that did not open: damaged, moved, or forged.
    public internal(set) var unreadable = 0
    private let transactions: TransactionMark
    /// Transactions that the file has lost since it was written, although SQLite finds nothing wrong with it.
    public var loss: StateMarks.Loss? { transactions.loss }

    /// Opens the file, or makes it, readable by its owner alone.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - marks: of its directory.
    /// - Throws: `key` where rows there are sealed with a key that is not among `keys`; nothing is written then.
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
                // Looks at every page: damage shows here, before anything is built on it.
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
        series = try Self.allSeries(queue, path, seal)
        transactions.note(count: nil)
    }

    /// One transaction.
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
        return migrator
    }

    /// Bytes of the file in use.
    public func size() throws(DiskFailure) -> Int { try SQLiteFile.bytes(queue, at: path) }

    /// Sets a damaged file aside and begins a new one. Its rows can be read with the same key by whoever mends it.
    ///
    /// - Returns: also where the damaged file is now.
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

    /// Writes everything to the file itself. To be called at an orderly end.
    public func close() throws(DiskFailure) {
        try DiskFailure.translating("closing", path) { try queue.close() }
        transactions.synced(upTo: transactions.sequence, count: nil)
    }
}
