import GRDB
public import GatewayModel

extension OutboxDatabase {
    /// What became of a database that could not be used any more.
    public struct Salvage {
        public let database: OutboxDatabase
        public let summary: Summary

        public struct Summary: Sendable {
            /// Where the damaged file is now.
            public let asidePath: String
            public let saved: Int
        }
    }

    /// Sets the damaged file aside, begins a new one, and saves into it what can still be read: from the first
    /// row until the damage, and from the last one back to it.
    ///
    /// - Parameters:
    ///   - base: of the database that was in use; nil where none could be opened.
    ///   - now: for the name of the file set aside.
    public static func replace(
        at path: String, base: Int64?, at now: WallTime
    ) throws(DiskFailure) -> Salvage {
        let aside = try SQLiteFile.setAside(path, at: now)
        // With places as in the file, until the last one is known.
        let saved = try save(from: aside, into: OutboxDatabase(at: path, base: 0))
        return Salvage(
            database: try OutboxDatabase(at: path, base: base),
            summary: Salvage.Summary(asidePath: aside, saved: saved))
    }

    /// How many rows are held in memory at a time.
    private static let batch = 1_000

    /// From the first row until the damage, and from the last one back to it.
    private static func save(
        from aside: String, into database: OutboxDatabase
    ) throws(DiskFailure) -> Int {
        defer { try? database.close() }
        var configuration = Configuration()
        // Without it SQLite reads nothing at all of a file that is shorter than its first page says.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA writable_schema = ON") }
        guard let damaged = try? DatabaseQueue(path: aside, configuration: configuration) else { return 0 }
        defer { try? damaged.close() }
        for order in ["ASC", "DESC"] {
            var after: Int64?
            while true {
                let rows = readable(in: damaged, order, after: after)
                let isNew = try database.save(rows)
                // Fewer: the end, or the damage. One that is known: the first way has met the second.
                guard isNew, rows.count == batch else { break }
                after = rows.last?.place
            }
        }
        return database.count
    }

    /// Up to the damage, where it is met.
    private static func readable(
        in damaged: DatabaseQueue, _ order: String, after: Int64?
    ) -> [Outbox.Row] {
        var rows: [Outbox.Row] = []
        try? damaged.read { db in
            let isUp = order == "ASC"
            let cursor = try Row.fetchCursor(
                db,
                sql: """
                    SELECT * FROM message NOT INDEXED
                    WHERE place \(isUp ? ">" : "<") ? ORDER BY place \(order) LIMIT ?
                    """, arguments: [after ?? (isUp ? .min : .max), batch])
            while let row = try cursor.next() {
                if let row = OutboxRow.decode(row, base: 0) { rows.append(row) }
            }
        }
        return rows
    }

    /// - Returns: whether all of them were new.
    private func save(_ rows: [Outbox.Row]) throws(DiskFailure) -> Bool {
        let before = count
        let held = try DiskFailure.translating("writing", path) {
            try queue.write { db in
                let insert = try db.cachedStatement(sql: OutboxRow.insert)
                for row in rows { try OutboxRow.write(row, with: insert, base: 0) }
                return try Int.fetchOne(db, sql: "SELECT count(*) FROM message") ?? 0
            }
        }
        changed(by: held - before)
        return held - before == rows.count
    }
}
