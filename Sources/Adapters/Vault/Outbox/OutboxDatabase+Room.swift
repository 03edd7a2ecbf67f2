import GRDB

// Operation of the database on a full disk: the file keeps its size.
extension OutboxDatabase {
    /// Assumed size of a message in bytes. Only a few messages of the contract are larger, and the log has room for
    /// some of those.
    static let messageBytes = 2_048

    /// Returns the number of messages that can be written without growth of the file.
    public func roomInside() throws(DiskFailure) -> Int {
        try DiskFailure.translating("looking at", path) {
            try queue.read { db in
                let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
                return free * size / Self.messageBytes
            }
        }
    }

    /// Moves the content of the log into the file. The log is then rewritten from its beginning, in its present size.
    public func foldLog() throws(DiskFailure) {
        try DiskFailure.translating("folding the log of", path) {
            try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
        }
    }

    /// Returns the error for too small a value of `roomInside`.
    public func noRoom() -> DiskFailure {
        DiskFailure(
            "writing \(path): the disk is full, and the file has no room inside", isForbidden: false,
            isDamage: false, isFull: true)
    }
}
