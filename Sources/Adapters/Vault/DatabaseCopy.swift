import GRDB

/// Copy of a database that another process may be writing. Blocking I/O.
public enum DatabaseCopy {
    /// Writes the state of one moment to a new file, without the traces of deleted rows.
    ///
    /// - Parameters:
    ///   - path: of the database, with its write-ahead log beside it.
    ///   - copy: absolute; must not exist. Needs as much room as the database.
    /// - Throws: `isDamage` where SQLite finds the database damaged.
    public static func write(of path: String, to copy: String) throws(DiskFailure) {
        // First, for the mode: SQLite would make it readable for others.
        try DurableFile.create(copy)
        try DiskFailure.translating("copying", path) {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            try queue.inDatabase { db in try db.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        }
    }
}
