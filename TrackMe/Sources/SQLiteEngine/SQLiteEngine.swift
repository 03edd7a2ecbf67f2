import GRDB
import Glibc
public import SQLDatabase

extension SQLDatabase.DatabasePool {
    /// Opens or creates a SQLite file with its log beside it, and brings its schema up to date. Blocking I/O.
    public convenience init(path: String, migrations: [Migration]) throws {
        try self.init(try SQLiteEngine(path: path), migrations: migrations)
    }
}

/// One SQLite file. A commit is on the disk when a write returns, and writes follow each other.
final class SQLiteEngine: DatabaseEngine {
    private let path: String
    private let pool: GRDB.DatabasePool

    init(path: String) throws {
        self.path = path
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA cell_size_check = ON;
                    -- Data that were withdrawn or erased are overwritten, not only unlinked.
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA cache_size = -16384;
                    PRAGMA journal_size_limit = 67108864;
                    """)
        }
        pool = try converted { try GRDB.DatabasePool(path: path, configuration: configuration) }
    }

    func migrate(_ migrations: [Migration]) throws {
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name, foreignKeyChecks: .immediate) { db in
                try migration.apply(SQLDatabase.Database(SQLiteConnection(db)))
            }
        }
        try converted { [migrator] in try migrator.migrate(pool) }
        // GRDB sets NORMAL for a database in WAL mode: a commit could then be lost with the power.
        let synchronous = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard synchronous == 2 else {
            throw DatabaseError(
                .other, "\(path): saw synchronous = \(synchronous ?? -1), expected 2 (FULL). Update SQLite.")
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (SQLDatabase.Database) throws -> T) async throws -> T {
        let result: (T, [@Sendable () -> Void])
        do {
            result = try await pool.write { db in
                let database = SQLDatabase.Database(SQLiteConnection(db))
                return (try body(database), database.commitActions)
            }
        } catch let error as GRDB.DatabaseError {
            throw DatabaseError(error)
        }
        for action in result.1 { action() }
        return result.0
    }

    func writeBlocking<T>(_ access: WriteAccess, _ body: (SQLDatabase.Database) throws -> T) throws -> T {
        let (value, actions) = try converted {
            try pool.write { db in
                let database = SQLDatabase.Database(SQLiteConnection(db))
                return (try body(database), database.commitActions)
            }
        }
        for action in actions { action() }
        return value
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (SQLDatabase.Database) throws -> T) async throws -> T {
        do {
            return try await pool.read { try body(SQLDatabase.Database(SQLiteConnection($0))) }
        } catch let error as GRDB.DatabaseError {
            throw DatabaseError(error)
        }
    }

    var writesAtOnce: Int { 1 }

    func readBlocking<T>(_ body: (SQLDatabase.Database) throws -> T) throws -> T {
        try converted { try pool.read { try body(SQLDatabase.Database(SQLiteConnection($0))) } }
    }

    func announce(_ notices: [DatabaseNotice]) async throws {}

    func listener() -> (any NoticeListener)? { nil }

    /// The copy is readable by this account alone, whatever the umask is: it holds the data of all persons.
    func backUp(to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw DatabaseError(
                .other,
                "\(path): \(String(cString: strerror(errno))). Choose a name without a file, in a directory where this "
                    + "account may write")
        }
        _ = Glibc.close(descriptor)
        do {
            try converted {
                try pool.writeWithoutTransaction { db in
                    try db.execute(sql: "VACUUM INTO ?", arguments: [path])
                }
            }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Writes all commits into the file and empties the log, where erased content may still be.
    func emptyLog() async throws -> Bool {
        do {
            return try await pool.writeWithoutTransaction { db in
                try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
            }
        } catch let error as GRDB.DatabaseError {
            throw DatabaseError(error)
        }
    }

    func report() throws -> [String] { ["database: SQLite, \(path)"] }

    func close() throws { try converted { try pool.close() } }
}

/// Runs `body` with errors of GRDB as those of `SQLDatabase`.
func converted<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as GRDB.DatabaseError { throw DatabaseError(error) }
}

extension SQLDatabase.DatabaseError {
    /// GRDB's text holds the SQL and no argument.
    fileprivate init(_ error: GRDB.DatabaseError) {
        let kind: Kind =
            switch error.resultCode {
            case .SQLITE_CONSTRAINT: .constraint
            case .SQLITE_BUSY, .SQLITE_LOCKED: .conflict
            case .SQLITE_CANTOPEN: .noConnection
            default: .other
            }
        self.init(kind, error.description)
    }
}
