import GRDB
public import GatewayModel
import Synchronization

/// Messages that wait for the thread of the outbox, in a file of their own while a disk holds that thread up: a kill does
/// not lose them, and the next run takes them over.
///
/// The file has the form of the outbox. It is written without a sync, so a write ends when the kernel has the data, however
/// slow the disk is; a power cut may lose it. It is opened at its first use, and holds no row on a disk that keeps up.
///
/// Blocking I/O. From any thread; one call at a time has the file.
public final class OutboxSpill: Sendable {
    private struct File {
        let queue: DatabaseQueue
        /// Last place in the file of a row of an earlier run. The rows of this run are behind it.
        let base: Int64
    }

    private struct State {
        var file: File?
        /// Place in `Outbox` of the last row of this run; 0 without one.
        var last: Outbox.Place = 0
    }

    private let path: String
    private let now: @Sendable () -> WallTime
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: absolute. The file is opened later.
    ///   - now: for the name of a damaged file that is set aside.
    public init(at path: String, now: @escaping @Sendable () -> WallTime) {
        (self.path, self.now) = (path, now)
    }

    /// Messages that the last run left behind, in order, and the number of rows that cannot be read.
    ///
    /// Errors: a damaged file is set aside.
    public func earlier() throws(DiskFailure) -> (rows: [Outbox.Row], unreadable: Int) {
        guard try DurableFile.exists(path) else { return ([], 0) }
        return try state.withLock { state throws(DiskFailure) in
            try use(&state, "reading") { file in
                try file.queue.read { db in
                    let stored = try Row.fetchAll(
                        db, sql: "SELECT \(OutboxRow.columns) FROM message WHERE place <= ? ORDER BY place",
                        arguments: [file.base])
                    let rows = stored.compactMap { OutboxRow.decode($0, base: file.base) }
                    return (rows, stored.count - rows.count)
                }
            }
        }
    }

    /// Deletes the messages of the last run.
    public func discardEarlier() throws(DiskFailure) {
        try state.withLock { state throws(DiskFailure) in
            try use(&state, "writing") { try Self.delete("place <= ?", $0) }
        }
    }

    /// Writes messages that wait, and deletes those that wait no more.
    ///
    /// - Parameter waiting: called with the place of the last message in the file. Returns the messages after it, and the
    ///   place of the first one that waits still. No `settle` comes in between.
    public func add(
        _ waiting: (_ after: Outbox.Place) -> (rows: [Outbox.Row], first: Outbox.Place)
    ) throws(DiskFailure) {
        try state.withLock { state throws(DiskFailure) in
            let (rows, first) = waiting(state.last)
            guard let last = rows.last else { return }
            try use(&state, "writing") { file in
                try file.queue.write { db in
                    let insert = try db.cachedStatement(sql: OutboxRow.insert)
                    for row in rows { try OutboxRow.write(row, with: insert, base: file.base) }
                    try db.execute(
                        sql: "DELETE FROM message WHERE place > ? AND place < ?",
                        arguments: [file.base, first + file.base])
                }
            }
            state.last = last.place
        }
    }

    /// Deletes the messages of this run, without a trace, once the outbox has them all.
    ///
    /// - Parameter isDurable: whether the outbox has all messages up to a place, or needs them no more.
    public func settle(_ isDurable: (Outbox.Place) -> Bool) throws(DiskFailure) {
        try state.withLock { state throws(DiskFailure) in
            guard state.last > 0, isDurable(state.last) else { return }
            try use(&state, "writing") { try Self.delete("place > ?", $0) }
            state.last = 0
        }
    }

    public func close() {
        state.withLock { state in
            try? state.file?.queue.close()
            state = State()
        }
    }

    // MARK: The file

    private static func delete(_ condition: String, _ file: File) throws {
        try file.queue.writeWithoutTransaction { db in
            try db.execute(sql: "DELETE FROM message WHERE \(condition)", arguments: [file.base])
            _ = try db.checkpoint(.truncate)
        }
    }

    private func use<Result>(
        _ state: inout State, _ doing: String, _ body: (File) throws -> Result
    ) throws(DiskFailure) -> Result {
        do throws(DiskFailure) {
            let file = try opened(&state)
            return try DiskFailure.translating(doing, path) { try body(file) }
        } catch {
            guard error.isDamage else { throw error }
            try? state.file?.queue.close()
            state = State()
            _ = try SQLiteFile.setAside(path, at: now())
            throw error
        }
    }

    private func opened(_ state: inout State) throws(DiskFailure) -> File {
        if let file = state.file { return file }
        try SQLiteFile.checkIsUsable(path)
        try DurableFile.create(path)
        let file = try DiskFailure.translating("opening", path) {
            let queue = try OutboxDatabase.open(path, isSynced: false)
            let last = try queue.read { try Int64.fetchOne($0, sql: "SELECT max(place) FROM message") }
            return File(queue: queue, base: last ?? 0)
        }
        state.file = file
        return file
    }
}
