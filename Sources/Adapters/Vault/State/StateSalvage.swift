import Foundation
import GRDB
import GatewayModel
import Glibc

/// Exchange of a damaged `state.sqlite` for a copy of its readable rows.
///
/// The copy grows under another name and gets that of the file when it is whole and on the disk. After a kill or a power
/// cut in between, the damaged file is still in its place, and the copy is begun anew.
enum StateSalvage {
    struct Result: Sendable {
        /// Path of the damaged file now.
        let asidePath: String
        /// Number of rows that were saved.
        let saved: Int
    }

    /// Sets the damaged file aside. No connection to it may be open.
    static func replace(at path: String, marks: StateMarks?) throws(DiskFailure) -> Result {
        let copy = copyPath(of: path)
        let saved = try copyRows(of: path, to: copy)
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let aside = try SQLiteFile.setAside(
            path,
            at: WallTime(millisecondsSince1970: Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000))
        TransactionMark.forget(path, in: marks)
        try DurableFile.move(copy, to: path)
        return Result(asidePath: aside, saved: saved)
    }

    /// Ends or undoes an exchange that was interrupted. Called before the file is opened.
    static func settleCopy(beside path: String) throws(DiskFailure) {
        let copy = copyPath(of: path)
        guard try !DurableFile.exists(path) else { return try discard(copy) }
        guard try DurableFile.exists(copy) else { return try discard(copy) }
        // These belong to the damaged file.
        for suffix in ["-wal", "-shm"] { try DurableFile.remove(path + suffix) }
        try DurableFile.move(copy, to: path)
    }

    private static func copyPath(of path: String) -> String { path + ".salvaged" }

    private static func discard(_ copy: String) throws(DiskFailure) {
        for suffix in ["", "-wal", "-shm"] { try DurableFile.remove(copy + suffix) }
    }

    private static func copyRows(of path: String, to copy: String) throws(DiskFailure) -> Int {
        try discard(copy)
        do throws(DiskFailure) {
            let target = try StateSchema.open(copy)
            let saved = try DiskFailure.translating("copying to", copy) {
                defer { try? target.close() }
                let saved = try write(readable(in: path), to: target)
                _ = try target.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
                return saved
            }
            try DurableFile.sync(copy)
            return saved
        } catch {
            // Its space is given back.
            try? discard(copy)
            throw error
        }
    }

    private static func write(_ rows: [StateTable: [StateRow]], to target: DatabaseQueue) throws -> Int {
        try target.write { db in
            for (table, rows) in rows { for row in rows { try StateSchema.apply(.put(table, row), in: db) } }
            return rows.values.reduce(0) { $0 + $1.count }
        }
    }

    /// Rows with a right checksum, from both ends of each table up to the damage.
    ///
    /// - Throws: any other failure, as of a full disk: it may pass, and nothing is given up for it.
    private static func readable(in path: String) throws -> [StateTable: [StateRow]] {
        guard SQLiteFile.isUsable(path) else { return [:] }
        var configuration = Configuration()
        // Without it SQLite reads nothing of a file that is shorter than its first page says.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA writable_schema = ON") }
        let damaged: DatabaseQueue
        do {
            damaged = try DatabaseQueue(path: path, configuration: configuration)
        } catch let error as DatabaseError
            where [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
        {
            return [:]
        }
        defer { try? damaged.close() }
        var found: [StateTable: [StateRow]] = [:]
        // Rows may be missing: not every command is remembered.
        for table in StateTable.allCases where table != .commandMemory {
            let up = rows(of: table, in: damaged, "ASC")
            let known = Set(up.map(\.key))
            found[table] = up + rows(of: table, in: damaged, "DESC").filter { !known.contains($0.key) }
        }
        return found
    }

    private static func rows(of table: StateTable, in damaged: DatabaseQueue, _ order: String) -> [StateRow] {
        var rows: [StateRow] = []
        try? damaged.read { db in
            let cursor = try Row.fetchCursor(
                db,
                sql: "SELECT key, content, sum FROM \(table.rawValue) NOT INDEXED ORDER BY place \(order)")
            while let row = try cursor.next() {
                if let row = StateSchema.decode(row, of: table) { rows.append(row) }
            }
        }
        return rows
    }
}
