import GRDB
import Synchronization

/// The number of the last transaction that changed a database, in the database (`user_version`) and in its mark: a
/// database that is behind its mark has lost transactions, although SQLite finds nothing wrong with it. That is so of a
/// log that was cut, and of a file that was emptied.
///
/// One thread at a time writes, as to the database.
final class TransactionMark: Sendable {
    private struct Progress {
        var sequence: Int64
        /// The last one that is on the disk for sure.
        var durable: Int64
    }

    private let name: String
    private let marks: StateMarks?
    private let progress: Mutex<Progress>
    var sequence: Int64 { progress.withLock(\.sequence) }
    /// Transactions that were lost since the mark was written.
    let loss: StateMarks.Loss?

    /// - Parameters:
    ///   - path: of the database.
    ///   - count: rows there are; nil where they are not counted.
    /// - Throws: that SQLite finds damage, where there are more or fewer rows than the last transaction left.
    init(_ queue: DatabaseQueue, at path: String, count: Int?, marks: StateMarks?) throws {
        name = path.split(separator: "/").last.map(String.init) ?? path
        self.marks = marks
        let sequence = try queue.read { db in try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
        let mark = marks?[name]
        if let mark, let count, mark.sequence == sequence, let expected = Int(mark.detail), expected != count {
            let found = try queue.read { db in try String.fetchOne(db, sql: "PRAGMA quick_check(1)") }
            guard found == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found) }
            loss = .damage(changes: Int64(abs(expected - count)))
        } else {
            loss = marks?.loss(of: name, found: sequence)
        }
        progress = Mutex(Progress(sequence: sequence, durable: min(mark?.durable ?? sequence, sequence)))
    }

    /// One transaction.
    func write<Result>(to queue: DatabaseQueue, _ body: (Database) throws -> Result) throws -> Result {
        // SQLite keeps 32 bits of it: enough for one a second over 68 years.
        let next = sequence + 1
        let (result, hasChanged) = try queue.write { db in
            let before = db.totalChangesCount
            let result = try body(db)
            let hasChanged = db.totalChangesCount != before
            if hasChanged { try db.execute(sql: "PRAGMA user_version = \(next)") }
            return (result, hasChanged)
        }
        if hasChanged { progress.withLock { $0.sequence = next } }
        return result
    }

    /// Records the last transaction; after each.
    func note(count: Int?) {
        let (sequence, durable) = progress.withLock { ($0.sequence, $0.durable) }
        marks?.note(
            name, sequence, durable: durable, detail: count.map { "\($0)" } ?? "-")
    }

    /// The transactions up to `transaction` are on the disk.
    func synced(upTo transaction: Int64, count: Int?) {
        progress.withLock { $0.durable = transaction }
        note(count: count)
    }

    /// Another database takes the place of one that is known to be damaged.
    static func forget(_ path: String, in marks: StateMarks?) {
        marks?.note(path.split(separator: "/").last.map(String.init) ?? path, 0, isSynced: true)
    }
}
