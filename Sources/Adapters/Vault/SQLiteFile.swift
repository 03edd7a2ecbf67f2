import GRDB
import GatewayModel
import Glibc

/// Common parts of the gateway's databases. Each is one SQLite file with its log beside it.
enum SQLiteFile {
    static var configuration: Configuration { configuration(isSynced: true) }

    /// - Parameter isSynced: the log is synced before it moves into the file. Without it nothing is synced, also when the file
    ///   is made or opened: it survives the end of the process, and a power cut may damage it.
    static func configuration(isSynced: Bool) -> Configuration {
        var configuration = Configuration()
        // GRDB makes a file with a log with syncs, and leaves them on.
        configuration.journalMode = isSynced ? .wal : .default
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    \(isSynced ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL");
                    PRAGMA cell_size_check = ON;
                    -- Rows that were sent, withdrawn or erased are overwritten, not only unlinked. See `removeTraces`.
                    PRAGMA secure_delete = ON;
                    PRAGMA temp_store = MEMORY;
                    -- 1 MB of pages: the budget is a small box.
                    PRAGMA cache_size = -1024;
                    PRAGMA journal_size_limit = 4194304;
                    """)
        }
        return configuration
    }

    /// Returns the number of bytes of the pages in use.
    static func bytes(_ queue: DatabaseQueue, at path: String) throws(DiskFailure) -> Int {
        try DiskFailure.translating("looking at", path) {
            try queue.read { db in
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
                return (pages - free) * size
            }
        }
    }

    /// Removes the traces of deleted rows from the file and from its log.
    ///
    /// `secure_delete` overwrites deleted rows and freed pages. But when SQLite moves rows to another page, the unused part of
    /// the first page keeps a copy of them (seen with SQLite 3.40). Only a file that is written anew is free of such copies.
    ///
    /// - Parameter limit: size in bytes of the pages in use above which the file is not written anew. Writing it anew needs
    ///   twice that room on the disk, and the database waits meanwhile.
    static func removeTraces(
        _ queue: DatabaseQueue, at path: String, upTo limit: Int = .max
    ) throws(DiskFailure) {
        let isRewritten = try bytes(queue, at: path) <= limit
        try DiskFailure.translating("removing deleted data from", path) {
            try queue.writeWithoutTransaction { db in
                if isRewritten {
                    // Not in memory: the copy is as large as the database.
                    try db.execute(sql: "PRAGMA temp_store = FILE")
                    defer { try? db.execute(sql: "PRAGMA temp_store = MEMORY") }
                    try db.execute(sql: "VACUUM")
                }
                _ = try db.checkpoint(.truncate)
            }
        }
    }

    /// Empties the write-ahead log.
    static func emptyLog(_ queue: DatabaseQueue, at path: String) throws(DiskFailure) {
        try DiskFailure.translating("emptying the log of", path) {
            try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        }
    }

    /// - Returns: the new path of the damaged database.
    static func setAside(_ path: String, at now: WallTime) throws(DiskFailure) -> String {
        let aside = "\(path).damaged-\(now.millisecondsSince1970)"
        for suffix in ["", "-wal", "-shm"] {
            guard try DurableFile.exists(path + suffix) else { continue }
            try DurableFile.move(path + suffix, to: aside + suffix)
        }
        DurableFile.prune(asideOf: path)
        return aside
    }

    /// Checks, before a database is opened, that its paths are files that this process may use. SQLite would only
    /// report that it cannot open them, again and again.
    ///
    /// - Throws: that the database is damaged. A wrong file in the place of its log or index is only set aside: the
    ///   index holds no data of its own, and changes that were lost with the log show in the transaction mark.
    static func checkIsUsable(_ path: String) throws(DiskFailure) {
        for suffix in ["-wal", "-shm"] where !isUsable(path + suffix) {
            _ = try DurableFile.setAside(path + suffix)
        }
        guard !isUsable(path) else { return }
        throw DiskFailure(
            "\(path) is not a file that the gateway can read and write", isForbidden: false, isDamage: true)
    }

    /// Returns whether the path is a regular file that this process may read and write, or does not exist.
    static func isUsable(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT }
        return status.st_mode & S_IFMT == S_IFREG && (access(path, R_OK | W_OK) == 0 || errno != EACCES)
    }
}
