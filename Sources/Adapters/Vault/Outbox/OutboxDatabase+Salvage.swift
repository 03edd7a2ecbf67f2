import Foundation
import GRDB
public import GatewayModel

// Replacement of a damaged file by a copy of its readable rows. The copy is written under another name. It gets the
// name of the file only when it is complete and on the disk. After an interruption (a kill, a power cut, a full disk)
// the damaged file is still in its place, and the copy is begun again.
extension OutboxDatabase {
    /// Result of the replacement of an unusable file.
    public struct Salvage: Sendable {
        /// Present path of the damaged file.
        public let asidePath: String
        /// Number of messages that were saved from it.
        public let saved: Int
    }

    /// Sets the damaged file aside, and puts a copy of its readable rows in its place. No connection to it may be open.
    ///
    /// - Parameter now: for the name of the file that is set aside.
    /// - Throws: the failure that prevented it. A second call begins again, or completes an interrupted exchange.
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

    /// Completes or discards an interrupted exchange. To be called before the file is opened.
    static func settleCopy(beside path: String) throws(DiskFailure) {
        let copy = copyPath(of: path)
        guard try isCopyWhole(beside: path) else { return try discard(copy) }
        // These belong to the damaged file, which has its new name already. Its readable rows are in the copy, and
        // SQLite must not apply these files to the copy.
        for suffix in ["-wal", "-shm"] { try DurableFile.remove(path + suffix) }
        try DurableFile.move(copy, to: path)
    }

    private static func copyPath(of path: String) -> String { path + ".salvaged" }

    /// Whether the damaged file was renamed, which happens only after the copy is complete.
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

    /// Number of rows in memory at a time.
    private static let batch = 1_000

    /// - Returns: the number of messages in the copy, which is synced to the disk.
    private static func copyReadable(of path: String, to copy: String) throws(DiskFailure) -> Int {
        try discard(copy)
        do throws(DiskFailure) {
            let saved = try save(from: path, to: copy)
            try DurableFile.sync(copy)
            return saved
        } catch {
            // Free the disk space of the incomplete copy.
            try? discard(copy)
            throw error
        }
    }

    private static func save(from path: String, to copy: String) throws(DiskFailure) -> Int {
        // The places stay as in the file, because the last one is not known yet.
        let database = try OutboxDatabase(at: copy, base: 0)
        defer { try? database.close() }
        if let damaged = try openDamaged(path) {
            defer { try? damaged.close() }
            for order in [Order.up, .down] { try database.save(from: damaged, order) }
            try database.saveGrants(from: damaged)
        }
        // The log beside the copy would not be renamed with it.
        try SQLiteFile.emptyLog(database.queue, at: copy)
        return database.count
    }

    /// - Returns: nil if the file is unreadable.
    /// - Throws: any other failure, for example a disk without space for a connection. It may pass, and no row is given
    ///   up for it.
    private static func openDamaged(_ path: String) throws(DiskFailure) -> DatabaseQueue? {
        guard SQLiteFile.isUsable(path) else { return nil }
        var configuration = Configuration()
        // Without it SQLite refuses to read a file that is shorter than its first page says.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA writable_schema = ON") }
        return try DiskFailure.translating("opening", path) {
            do {
                return try DatabaseQueue(path: path, configuration: configuration)
            } catch let error as DatabaseError where unreadable.contains(error.resultCode) {
                return nil
            }
        }
    }

    /// Results of SQLite for a file with a damaged first page. The last one is for an unknown number in that page.
    private static let unreadable: [ResultCode] = [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR]

    /// Reading order: from the first row up to the damage, or from the last row back to it.
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
            // Fewer rows than a batch: the end, or the damage. A known row: the two passes have met.
            guard isNew, found.seen == Self.batch, let last = found.last else { return }
            after = last
        }
    }

    /// Reads rows up to the damage, if there is any. Rows that this version cannot read are skipped.
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

    /// - Returns: whether all rows were new.
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

    /// Copies the grants that have not been reported as ended, and the last messages that the broker has by them.
    private func saveGrants(from damaged: DatabaseQueue) throws(DiskFailure) {
        var (epochs, sent) = ([Int64](), [(epoch: Int64, kind: String, id: MessageID)]())
        // Files of earlier versions do not have these tables.
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
