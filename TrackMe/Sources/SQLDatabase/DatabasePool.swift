/// One step of the schema, of one capability. Names are unique and never change; steps run in the order of the list.
///
/// The text is written as for SQLite. The engine of PostgreSQL reads `INTEGER`, `REAL`, `BLOB`, `AUTOINCREMENT`, `STRICT` and
/// `WITHOUT ROWID` as their counterparts; a text with another peculiarity of SQLite is refused by PostgreSQL.
public struct Migration: Sendable {
    public let name: String
    package let apply: @Sendable (Database) throws -> Void

    public init(_ name: String, apply: @escaping @Sendable (Database) throws -> Void) {
        (self.name, self.apply) = (name, apply)
    }
}

/// Writes that run at the same time as a write.
public enum WriteAccess: Sendable {
    /// None. The transaction reads the last commit, and no other one writes until its end.
    case alone
    /// Others of this kind. Each may change a row only by statements that give the same result in any order, such as an
    /// insertion by a unique key that does nothing at a conflict, or an addition.
    case beside
}

/// Database behind the stores. An engine makes it: SQLite on one machine, PostgreSQL for more.
public final class DatabasePool: Sendable {
    private let engine: any DatabaseEngine

    /// Brings the schema up to date. Blocking I/O.
    package init(_ engine: any DatabaseEngine, migrations: [Migration]) throws {
        self.engine = engine
        try engine.migrate(migrations)
    }

    /// Runs `body` in one transaction, off the calling thread. The commit is on the disk when it returns.
    ///
    /// - Parameter body: may run again after a conflict, so it acts on the transaction alone.
    public func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await engine.write(body)
    }

    /// Runs `body` in one transaction. Blocks until the disk has it.
    ///
    /// - Parameter body: may run again after a conflict, so it acts on the transaction alone.
    public func writeBlocking<T>(
        _ access: WriteAccess = .alone, _ body: (Database) throws -> T
    ) throws -> T { try engine.writeBlocking(access, body) }

    /// Number of writes with `WriteAccess.beside` that are worth running at the same time.
    public var writesAtOnce: Int { engine.writesAtOnce }

    /// Runs `body` on a snapshot of the last commit, off the calling thread.
    public func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await engine.read(body)
    }

    /// Blocks.
    public func readBlocking<T>(_ body: (Database) throws -> T) throws -> T { try engine.readBlocking(body) }

    /// Tells the other processes with this database something that is in no table.
    public func announce(_ notices: [DatabaseNotice]) async throws {
        guard !notices.isEmpty else { return }
        try await engine.announce(notices)
    }

    /// Listener of the notices of all processes; nil on SQLite, which one server uses.
    public func listener() -> (any NoticeListener)? { engine.listener() }

    /// Copies the database, as it is at one instant, to a new file. Blocking I/O.
    public func backUp(to path: String) throws { try engine.backUp(to: path) }

    /// Removes erased rows from the log of the database, where there is one beside it, off the calling thread. False if a
    /// reader was in the way.
    public func emptyLog() async throws -> Bool { try await engine.emptyLog() }

    /// Lines for the operator about the database. Blocks.
    public func report() throws -> [String] { try engine.report() }

    public func close() throws { try engine.close() }
}

/// Database of one kind.
public protocol DatabaseEngine: Sendable {
    func migrate(_ migrations: [Migration]) throws
    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T
    func writeBlocking<T>(_ access: WriteAccess, _ body: (Database) throws -> T) throws -> T
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T
    func readBlocking<T>(_ body: (Database) throws -> T) throws -> T
    var writesAtOnce: Int { get }
    func announce(_ notices: [DatabaseNotice]) async throws
    func listener() -> (any NoticeListener)?
    func backUp(to path: String) throws
    func emptyLog() async throws -> Bool
    func report() throws -> [String]
    func close() throws
}
