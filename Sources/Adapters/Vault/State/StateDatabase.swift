import GRDB
import Synchronization

/// `state.sqlite`: the state of the gateway that outlives it, except for the open alarms, the ledger of consent and the
/// files that persons edit.
///
/// WAL with `synchronous=FULL`: a transaction is on the disk when `apply` returns, so that neither a kill nor a power cut
/// takes it. Every row has a checksum, and the number of the last transaction stands in `state.marks`.
///
/// The file is opened at the first use. A damaged file is set aside, with a copy of its readable rows in its place. Where
/// the disk fails, the next use tries again. The files of earlier versions are imported at each opening.
///
/// Blocking I/O: at the start, and then on the thread of `StateWriter` alone.
public final class StateDatabase: Sendable {
    /// Event of the file that the installer has to know.
    public enum Report: Sendable {
        /// A file was damaged.
        case damage(DiskFailure)
        /// Transactions are missing.
        case loss(StateMarks.Loss)
        /// A file of an earlier version was imported and removed.
        case imported(file: String)
        /// A file of an earlier version cannot be read; the next start tries again.
        case notImported(DiskFailure)
    }

    private struct Connection {
        let queue: DatabaseQueue
        let transactions: TransactionMark
    }

    public let path: String
    private let directory: String
    private let marks: StateMarks?
    private let report: @Sendable (Report) -> Void
    private let connection = Mutex<Connection?>(nil)

    /// - Parameters:
    ///   - directory: the state directory, absolute.
    ///   - marks: marks of this directory.
    ///   - report: called on the thread of the call that opens the file or finds the damage.
    public init(
        in directory: String, marks: StateMarks? = nil, report: @escaping @Sendable (Report) -> Void = { _ in }
    ) {
        path = StateSchema.path(in: directory)
        (self.directory, self.marks, self.report) = (directory, marks, report)
    }

    /// Rows of a table, by key. Rows whose checksum is wrong are left out: the opening reports them.
    public func rows(of table: StateTable) throws(DiskFailure) -> [StateRow] {
        try perform("reading") { connection in
            try connection.queue.read { db in try StateSchema.rows(of: table, in: db).sound }
        }
    }

    /// The row of a key; nil where there is none.
    public func row(_ table: StateTable, key: String) throws(DiskFailure) -> StateRow? {
        try perform("reading") { connection in
            try connection.queue.read { db in
                try Row.fetchOne(
                    db, sql: "SELECT key, content, sum FROM \(table.rawValue) WHERE key = ?", arguments: [key]
                ).flatMap { StateSchema.decode($0, of: table) }
            }
        }
    }

    /// Carries out the changes in one transaction, which is durable when this returns. Where it throws, nothing has
    /// changed.
    public func apply(_ changes: [StateChange]) throws(DiskFailure) {
        guard !changes.isEmpty else { return }
        try perform("writing") { connection in
            try connection.transactions.write(to: connection.queue) { db in
                for change in changes { try StateSchema.apply(change, in: db) }
            }
            connection.transactions.synced(upTo: connection.transactions.sequence, count: nil)
        }
    }

    /// Removes the traces of deleted rows from the file and from the log beside it.
    public func removeTraces() throws(DiskFailure) {
        let path = path
        try perform("removing deleted data from") { connection in
            try SQLiteFile.removeTraces(connection.queue, at: path)
        }
    }

    /// Writes everything to the file itself. Called at an orderly end.
    public func close() {
        connection.withLock { connection in
            try? connection?.queue.close()
            connection = nil
        }
    }

    // MARK: Opening

    /// Opens the file if necessary. A damage that shows is repaired once, and the work is tried again.
    private func perform<Result: Sendable>(
        _ doing: String, _ body: (Connection) throws -> Result
    ) throws(DiskFailure) -> Result {
        let outcome: Swift.Result<Result, DiskFailure> = connection.withLock { connection in
            Swift.Result { () throws(DiskFailure) in
                do throws(DiskFailure) {
                    return try attempt(doing, &connection, body)
                } catch {
                    guard error.isDamage else { throw error }
                    try? connection?.queue.close()
                    connection = nil
                    try replace(because: error)
                    return try attempt(doing, &connection, body)
                }
            }
        }
        return try outcome.get()
    }

    private func attempt<Result>(
        _ doing: String, _ connection: inout Connection?, _ body: (Connection) throws -> Result
    ) throws(DiskFailure) -> Result {
        let opened: Connection
        if let known = connection { opened = known } else { opened = try open() }
        connection = opened
        return try DiskFailure.translating(doing, path) { try body(opened) }
    }

    private func open() throws(DiskFailure) -> Connection {
        try StateSalvage.settleCopy(beside: path)
        let queue = try StateSchema.open(path)
        let opened = try DiskFailure.translating("opening", path) {
            Connection(
                queue: queue, transactions: try TransactionMark(queue, at: path, count: nil, marks: marks))
        }
        if let loss = opened.transactions.loss {
            try DiskFailure.translating("writing", path) {
                // The commands of the missing transactions are not remembered.
                try opened.transactions.write(to: queue) { db in
                    try StateSchema.apply(.clear(.commandMemory), in: db)
                }
            }
            report(.loss(loss))
        }
        opened.transactions.synced(upTo: opened.transactions.sequence, count: nil)
        try importEarlierFiles(opened)
        return opened
    }

    /// Imports the files of earlier versions in one transaction, and removes them when it is durable. After a kill in
    /// between, the same rows are written again.
    private func importEarlierFiles(_ opened: Connection) throws(DiskFailure) {
        let found = EarlierStateFiles(in: directory, marks: marks).load()
        for failure in found.failures { report(failure.isDamage ? .damage(failure) : .notImported(failure)) }
        guard !found.changes.isEmpty else { return }
        try DiskFailure.translating("writing", path) {
            try opened.transactions.write(to: opened.queue) { db in
                try StateSchema.insert(found.changes, in: db)
            }
        }
        opened.transactions.synced(upTo: opened.transactions.sequence, count: nil)
        for file in found.files {
            try file.remove()
            report(.imported(file: file.path))
        }
    }

    private func replace(because failure: DiskFailure) throws(DiskFailure) {
        let salvage = try StateSalvage.replace(at: path, marks: marks)
        report(
            .damage(
                DiskFailure(
                    "\(failure); \(salvage.saved) rows were saved; the damaged file is kept as \(salvage.asidePath)",
                    isForbidden: false, isDamage: true, asidePath: salvage.asidePath)))
    }
}
