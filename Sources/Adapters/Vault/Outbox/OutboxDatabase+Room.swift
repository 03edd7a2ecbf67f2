import GRDB

// How the database gets along on a disk without room: the file stays as large as it is.
extension OutboxDatabase {
    /// Bytes: more than any message of the contract takes but a few, some of which the log has room for.
    static let messageBytes = 2_048

    /// How many messages can be written without the file growing.
    public func roomInside() throws(DiskFailure) -> Int {
        try DiskFailure.translating("looking at", path) {
            try queue.read { db in
                let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
                let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
                return free * size / Self.messageBytes
            }
        }
    }

    /// What stands in the log goes to the file: the log is written anew from its beginning then, in the room that it
    /// has.
    public func foldLog() throws(DiskFailure) {
        try DiskFailure.translating("folding the log of", path) {
            try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
        }
    }

    /// What is to be said where `roomInside` is not enough.
    public func noRoom() -> DiskFailure {
        DiskFailure(
            "writing \(path): the disk is full, and the file has no room inside", isForbidden: false,
            isDamage: false, isFull: true)
    }
}
