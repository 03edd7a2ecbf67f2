import Dispatch
import Glibc
import RealTime
public import SQLDatabase
import Synchronization

extension DatabasePool {
    /// Connects to a database of PostgreSQL 15 or later, and brings its schema up to date. Blocking I/O.
    ///
    /// - Parameter threads: transactions that run at the same time off the callers' threads.
    public convenience init(
        postgres address: PostgresAddress, migrations: [Migration], threads: Int = 8
    ) throws { try self.init(PostgresEngine(address, threads: threads), migrations: migrations) }
}

/// Database of PostgreSQL.
///
/// The stores are written for one writer, as SQLite has one. Each write therefore begins with the one advisory lock of the
/// database: exclusive for writes that read before they write, shared for those of `WriteAccess.beside`. A transaction sees
/// each commit before its lock, so READ COMMITTED is serial here.
final class PostgresEngine: DatabaseEngine {
    private static let lock: Int64 = 0x7472_6163_6b6d_65
    private static let leastVersion = 150_000
    /// Attempts of a transaction that others are in the way of.
    private static let mostAttempts = 8
    /// A failover of the server takes about a second.
    private static let connectPatience = Duration.seconds(4)
    private static let connectPause: UInt32 = 200_000

    private let address: PostgresAddress
    /// Name of this process in its notices.
    private let origin = String(UInt64.random(in: .min ... .max), radix: 36)
    private let idle = Mutex<[PostgresConnection]>([])
    private let jobs: JobQueue

    init(_ address: PostgresAddress, threads: Int) {
        self.address = address
        jobs = JobQueue(threads: threads)
    }

    deinit { jobs.stop() }

    // MARK: Schema

    func migrate(_ migrations: [Migration]) throws {
        try checkServer()
        try transaction(Self.begin(.alone)) { db in
            guard let connection = db.postgres else { return }
            connection.isSchema = true
            defer { connection.isSchema = false }
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS schema_migration (
                        name TEXT PRIMARY KEY, applied TIMESTAMPTZ NOT NULL DEFAULT now())
                    """)
            let applied = Set(try String.fetchAll(db, sql: "SELECT name FROM schema_migration"))
            if let unknown = applied.subtracting(migrations.map(\.name)).sorted().first {
                throw DatabaseError(
                    .other,
                    "the database has the step \(unknown) of a later version, expected none: update this server"
                )
            }
            for migration in migrations where !applied.contains(migration.name) {
                try migration.apply(db)
                try db.execute(
                    sql: "INSERT INTO schema_migration (name) VALUES (?)", arguments: [migration.name])
            }
        }
    }

    /// Names are compared byte by byte, as SQLite does it.
    private func checkServer() throws {
        let row = try readBlocking { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT current_setting('server_version_num')::bigint AS version, datcollate AS collation,
                        pg_encoding_to_char(encoding)::text AS encoding FROM pg_database WHERE datname = current_database()
                    """)
        }
        guard let row else { return }
        guard row["version"] as Int >= Self.leastVersion else {
            throw DatabaseError(
                .other,
                "saw PostgreSQL \(row["version"] as Int), expected 15 or later: update the database server")
        }
        let (collation, encoding): (String, String) = (row["collation"], row["encoding"])
        guard ["C", "POSIX", "C.UTF-8", "C.utf8"].contains(collation), encoding == "UTF8" else {
            throw DatabaseError(
                .other,
                "saw a database with the encoding \(encoding) and the locale \(collation), expected UTF8 and C: make a new one "
                    + "with createdb --template=template0 --encoding=UTF8 --locale=C")
        }
    }

    // MARK: Transactions

    private static let beginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    private static func begin(_ access: WriteAccess) -> String {
        let lock =
            switch access {
            case .alone: "pg_advisory_xact_lock"
            case .beside: "pg_advisory_xact_lock_shared"
            }
        return "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT \(lock)(\(Self.lock))"
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await jobs.run { try self.transaction(Self.begin(.alone), body) }
    }

    func writeBlocking<T>(_ access: WriteAccess, _ body: (Database) throws -> T) throws -> T {
        try transaction(Self.begin(access), body)
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await jobs.run { try self.transaction(Self.beginRead, body) }
    }

    /// While the database keeps one part of a batch, this process reads the next one.
    var writesAtOnce: Int { 2 }

    func readBlocking<T>(_ body: (Database) throws -> T) throws -> T {
        try transaction(Self.beginRead, body)
    }

    private func transaction<T>(_ begin: String, _ body: (Database) throws -> T) throws -> T {
        for attempt in 1... {
            let connection = try connection()
            do {
                let (value, actions) = try connection.transaction(begin, body)
                idle.withLock { $0.append(connection) }
                for action in actions { action() }
                return value
            } catch let failure as PostgresConnection.Failure {
                if failure.endsConnection {
                    // The others have most likely ended with it.
                    idle.withLock { $0 = [] }
                } else {
                    idle.withLock { $0.append(connection) }
                }
                guard failure.isConflict || failure.endsConnection, attempt < Self.mostAttempts else {
                    throw failure.error
                }
                usleep(UInt32.random(in: 1_000...5_000) * UInt32(attempt))
            } catch let error as DatabaseError where error.kind == .outcomeUnknown {
                idle.withLock { $0 = [] }
                throw error
            } catch {
                idle.withLock { $0.append(connection) }
                throw error
            }
        }
        throw DatabaseError(.conflict, "no attempt is left")
    }

    private func connection() throws -> PostgresConnection {
        if let known = idle.withLock({ $0.popLast() }) { return known }
        let end = ContinuousClock.now.advanced(by: Self.connectPatience)
        while true {
            do { return try PostgresConnection(address, origin: origin) } catch let failure
                as PostgresConnection.Failure
            {
                throw failure.error
            } catch let error as DatabaseError where error.kind == .noConnection {
                guard ContinuousClock.now < end else { throw error }
                usleep(Self.connectPause)
            }
        }
    }

    // MARK: Notices

    /// Nothing of it is kept, so nobody waits for a disk.
    func announce(_ notices: [DatabaseNotice]) async throws {
        try await jobs.run {
            try self.transaction("BEGIN; SET LOCAL synchronous_commit = off") { db in
                for notice in notices { try db.announce(notice) }
            }
        }
    }

    func listener() -> (any NoticeListener)? { PostgresListener(address, origin: origin) }

    // MARK: Operation

    func backUp(to path: String) throws {
        throw DatabaseError(
            .other,
            "the data are in PostgreSQL: copy them with pg_dump --format=custom, or with pg_basebackup for a copy that can be "
                + "rolled forward")
    }

    /// The log is the server's, and its standbys need it.
    func emptyLog() async throws -> Bool { true }

    func report() throws -> [String] {
        let connection = try connection()
        let place = "\(connection.place), \(connection.isEncrypted ? "encrypted" : "in clear text")"
        idle.withLock { $0.append(connection) }
        let row = try readBlocking { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT current_setting('server_version') AS version, current_database()::text AS name,
                        current_setting('synchronous_commit') AS synchronous,
                        current_setting('synchronous_standby_names') AS standbys, current_setting('fsync') AS fsync,
                        current_setting('full_page_writes') AS pages,
                        (SELECT count(*) FROM schema_migration) AS steps
                    """)
        }
        guard let row else { return [] }
        let standbys: String = row["standbys"]
        var lines = [
            "database: PostgreSQL \(row["version"] as String), \(row["name"] as String) at \(place)",
            "commits: synchronous_commit = \(row["synchronous"] as String), "
                + (standbys.isEmpty ? "no synchronous standby" : "synchronous standbys \(standbys)"),
            "schema: \(row["steps"] as Int) steps",
        ]
        for setting in ["fsync", "pages"] where row[setting] as String != "on" {
            lines.append(
                "warning: \(setting == "pages" ? "full_page_writes" : setting) is off: a power failure destroys the "
                    + "database; set it to on")
        }
        if let warning = address.warning { lines.append("warning: \(warning)") }
        return lines
    }

    func close() throws {
        jobs.stop()
        idle.withLock { $0 = [] }
    }
}

extension Database {
    fileprivate var postgres: PostgresConnection? { connection as? PostgresConnection }
}

/// Threads for transactions of asynchronous callers. They start when they are needed.
private final class JobQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var threads = 0
        var idle = 0
        var isStopped = false
    }

    private let most: Int
    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    init(threads: Int) { most = threads }

    /// Runs `body` on one of the threads.
    func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            let isStarting = state.withLock { state -> Bool? in
                guard !state.isStopped else { return nil }
                state.jobs.append { continuation.resume(with: Result { try body() }) }
                guard state.idle < state.jobs.count, state.threads < most else { return false }
                state.threads += 1
                return true
            }
            guard let isStarting else {
                continuation.resume(throwing: DatabaseError(.noConnection, "the database is closed"))
                return
            }
            if isStarting { start() }
            signal.signal()
        }
    }

    private func start() {
        do throws(SystemCallError) {
            _ = try NamedThread("database") { [self] in work() }
        } catch {
            // The other threads take the job. Without any, the callers run on the pool of Swift.
            let isAlone = state.withLock { state in
                state.threads -= 1
                return state.threads == 0
            }
            if isAlone { DispatchQueue.global().async { [self] in work(isLasting: false) } }
        }
    }

    private func work(isLasting: Bool = true) {
        while true {
            state.withLock { $0.idle += 1 }
            signal.wait()
            let job = state.withLock { state in
                state.idle -= 1
                return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            }
            // A signal without a job is the end.
            guard let job else { return }
            job()
            guard isLasting else { return }
        }
    }

    /// Ends the threads after the jobs that wait.
    func stop() {
        let count = state.withLock { state -> Int in
            guard !state.isStopped else { return 0 }
            state.isStopped = true
            return most
        }
        for _ in 0..<count { signal.signal() }
    }
}
