import Foundation
import GRDB
public import GatewayModel

// A damaged file is exchanged for a copy of what can still be read of it. The copy grows under another name and gets
// that of the file only when it is whole and on the disk: whatever interrupts it, a kill, a power cut, a disk without
// room, the damaged file is still in its place, and the copy is begun anew.
extension OutboxDatabase {
    /// What became of a file that could not be used any more.
    public struct Salvage: Sendable {
        /// Where it is now.
        public let asidePath: String
        /// Messages that were saved from it.
        public let saved: Int
    }

    /// Sets the damaged file aside, with a copy of what can still be read of it in its place. No connection to it may
    /// be open.
    ///
    /// - Parameter now: for the name of the file set aside.
    /// - Throws: what kept it from being done; called again, it begins anew or ends what it had begun.
    public static func replace(
        at path: String, at now: WallTime, marks: StateMarks? = nil
    ) throws(DiskFailure) -> Salvage {
        let copy = copyPath(of: path)
        let saved = try isCopyWhole(beside: path) ? count(at: copy) : copyReadable(of: path, to: copy)
        let aside = try SQLiteFile.setAside(path, at: now)
        TransactionMark.forget(path, in: marks)
        try DurableFile.move(copy, to: path)
        return Salvage(asidePath: aside, saved: saved)
    }

    /// Before the file is opened: what is left of an exchange that was interrupted.
    static func settleCopy(beside path: String) throws(DiskFailure) {
        let copy = copyPath(of: path)
        guard try isCopyWhole(beside: path) else { return try discard(copy) }
        // Of the damaged file, which has its other name already. What could be read of it is in the copy, and to the
        // copy it must not be taken to belong.
        for suffix in ["-wal", "-shm"] { try DurableFile.remove(path + suffix) }
        try DurableFile.move(copy, to: path)
    }

    private static func copyPath(of path: String) -> String { path + ".salvaged" }

    /// The damaged file gives up its name only to a copy that is whole.
    private static func isCopyWhole(beside path: String) throws(DiskFailure) -> Bool {
        guard try !DurableFile.exists(path) else { return false }
        return try DurableFile.exists(copyPath(of: path))
    }

    private static func discard(_ copy: String) throws(DiskFailure) {
        for suffix in ["", "-wal", "-shm"] { try DurableFile.remove(copy + suffix) }
    }

    private static func count(at path: String) throws(DiskFailure) -> Int {
        let database = try OutboxDatabase(at: path)
        defer { try? database.close() }
        return database.count
    }

    // MARK: The copy

    /// How many rows are held in memory at a time.
    private static let batch = 1_000

    /// - Returns: how many messages there are in the copy, which is on the disk by then.
    private static func copyReadable(of path: String, to copy: String) throws(DiskFailure) -> Int {
        try discard(copy)
        do throws(DiskFailure) {
            let saved = try save(from: path, to: copy)
            try DurableFile.sync(copy)
            return saved
        } catch {
            // What it took of the disk is given back.
            try? discard(copy)
            throw error
        }
    }

    private static func save(from path: String, to copy: String) throws(DiskFailure) -> Int {
        // With places as in the file, until the last one is known.
        let database = try OutboxDatabase(at: copy, base: 0)
        defer { try? database.close() }
        if let damaged = try openDamaged(path) {
            defer { try? damaged.close() }
            for order in [Order.up, .down] { try database.save(from: damaged, order) }
            try database.saveGrants(from: damaged)
        }
        // What is in the log beside it would not get the new name with it.
        try SQLiteFile.emptyLog(database.queue, at: copy)
        return database.count
    }

    /// - Returns: nil where nothing of it can be read.
    /// - Throws: anything else, as a disk without room for a connection: it may pass, and nothing is given up for it.
    private static func openDamaged(_ path: String) throws(DiskFailure) -> DatabaseQueue? {
        guard SQLiteFile.isUsable(path) else { return nil }
        var configuration = Configuration()
        // Without it SQLite reads nothing at all of a file that is shorter than its first page says.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA writable_schema = ON") }
        return try DiskFailure.translating("opening", path) {
            do {
                return try DatabaseQueue(path: path, configuration: configuration)
            } catch let error as DatabaseError where unreadable.contains(error.resultCode) {
                return nil
            }
        }
    }

    /// What SQLite says of a file whose first page is damaged; the last one of a number in it that it does not know.
    private static let unreadable: [ResultCode] = [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR]

    /// From the first row until the damage, and from the last one back to it.
    private enum Order {
        case up, down

        var sql: String {
            """
            SELECT * FROM message NOT INDEXED
            WHERE place \(self == .up ? ">" : "<") ? ORDER BY place \(self == .up ? "ASC" : "DESC") LIMIT ?
            """
        }

        var start: Int64 { self == .up ? .min : .max }
    }

    private func save(from damaged: DatabaseQueue, _ order: Order) throws(DiskFailure) {
        var after = order.start
        while true {
            let found = Self.readable(in: damaged, order, after: after)
            let isNew = try save(found.rows)
            // Fewer: the end, or the damage. One that is known: the first way has met the second.
            guard isNew, found.seen == Self.batch, let last = found.last else { return }
            after = last
        }
    }

    /// Up to the damage, where it is met. Rows that this version cannot read are passed over.
    private static func readable(
        in damaged: DatabaseQueue, _ order: Order, after: Int64
    ) -> (rows: [Outbox.Row], last: Int64?, seen: Int) {
        var (rows, last, seen) = ([Outbox.Row](), Int64?.none, 0)
        try? damaged.read { db in
            let cursor = try Row.fetchCursor(db, sql: order.sql, arguments: [after, batch])
            while let row = try cursor.next() {
                seen += 1
                last = row.number(0) ?? last
                if let row = OutboxRow.decode(row, base: 0) { rows.append(row) }
            }
        }
        return (rows, last, seen)
    }

    /// - Returns: whether all of them were new.
    private func save(_ rows: [Outbox.Row]) throws(DiskFailure) -> Bool {
        let new = try DiskFailure.translating("writing", path) {
            try write { db in
                let insert = try db.cachedStatement(sql: OutboxRow.insertIfNew)
                var new = 0
                for row in rows {
                    try OutboxRow.write(row, with: insert, base: 0)
                    new += db.changesCount
                }
                return new
            }
        }
        changed(by: new)
        return new == rows.count
    }

    /// Of which grants the end is to be told, and what the broker has by them.
    private func saveGrants(from damaged: DatabaseQueue) throws(DiskFailure) {
        var (epochs, sent) = ([Int64](), [(epoch: Int64, kind: String, id: MessageID)]())
        // A file of an earlier version has none.
        try? damaged.read { db in
            let cursor = try Row.fetchCursor(db, sql: "SELECT epoch FROM open_grant")
            while let row = try cursor.next() { epochs += row.number(0).map { [$0] } ?? [] }
        }
        try? damaged.read { db in
            let cursor = try Row.fetchCursor(db, sql: "SELECT epoch, kind, id FROM sent")
            while let row = try cursor.next() {
                guard let epoch = row.number(0), let kind = row.text(1), let id = row.id(2) else { continue }
                sent.append((epoch, kind, id))
            }
        }
        try DiskFailure.translating("writing", path) {
            try write { db in
                for epoch in epochs {
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO open_grant (epoch) VALUES (?)", arguments: [epoch])
                }
                for last in sent {
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO sent (epoch, kind, id) VALUES (?, ?, ?)",
                        arguments: [last.epoch, last.kind, Data(last.id.bytes)])
                }
            }
        }
    }
}
