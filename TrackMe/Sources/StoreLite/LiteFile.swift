public import GRDB

/// One step of the schema, of one capability. Names are unique and never change; steps run in the order of the list.
public struct Migration: Sendable {
    public let name: String
    let apply: @Sendable (Database) throws -> Void

    public init(_ name: String, apply: @escaping @Sendable (Database) throws -> Void) {
        (self.name, self.apply) = (name, apply)
    }
}

/// The database of a server: one SQLite file with its log beside it. A commit is on the disk when a write returns.
public final class LiteFile: Sendable {
    /// Reason why the file cannot be used.
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    private let pool: DatabasePool

    /// Opens or creates the file, and brings its schema up to date. Blocking I/O.
    public init(path: String, migrations: [Migration]) throws {
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
        pool = try DatabasePool(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
        for migration in migrations {
            migrator.registerMigration(migration.name, foreignKeyChecks: .immediate, migrate: migration.apply)
        }
        try migrator.migrate(pool)
        // GRDB sets NORMAL for a database in WAL mode: a commit could then be lost with the power.
        let synchronous = try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            return try Int.fetchOne(db, sql: "PRAGMA synchronous")
        }
        guard synchronous == 2 else {
            throw Fault(
                description:
                    "\(path): saw synchronous = \(synchronous ?? -1), expected 2 (FULL). Update SQLite.")
        }
    }

    /// Runs `body` in one transaction, off the calling thread.
    public func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await pool.write(body)
    }

    /// Runs `body` in one transaction. Blocks until the disk has it.
    public func writeBlocking<T>(_ body: (Database) throws -> T) throws -> T { try pool.write(body) }

    /// Runs `body` on a snapshot of the last commit, off the calling thread.
    public func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await pool.read(body)
    }

    /// Blocks.
    public func readBlocking<T>(_ body: (Database) throws -> T) throws -> T { try pool.read(body) }

    /// Copies the database, as it is at one instant, to a new file. Blocking I/O.
    public func backUp(to path: String) throws {
        try pool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    }

    /// Writes all commits into the file and empties the log, where erased content may still be. Blocks. False if a reader was
    /// in the way.
    func emptyLog() throws -> Bool {
        try pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
    }

    public func close() throws { try pool.close() }
}
