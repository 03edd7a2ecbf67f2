import FoundationEssentials
import GatewayModel
import SQLDatabase
import Store

/// Removal of readings and summaries whose time is over.
///
/// The limits rise in one commit, before anything below them is removed, and the intake compares each ID with them. So a
/// kill between two steps changes nothing but the time of the removal.
struct RetentionLite: RetentionStore {
    /// One kind of removal: a query for a series with something to remove, and the statements for at most `:most` rows of it.
    private struct Sweep {
        let find: String
        let statements: [String]
        let limit: StatementArguments
    }

    let file: DatabasePool

    static func kept(_ db: Database) throws -> KeptSince {
        var kept: [String: Int64] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT name, since FROM kept") {
            kept[row["name"]] = row["since"]
        }
        func since(_ name: String) -> WallTime { WallTime(kept[name] ?? 0) }
        return KeptSince(
            raw: since("raw"), minutes: since("minutes"), hours: since("hours"), live: since("live"),
            history: since("history"))
    }

    func raise(_ limits: KeptSince) async throws {
        try await file.write { db in
            for (name, time) in [
                ("raw", limits.raw), ("minutes", limits.minutes), ("hours", limits.hours),
                ("live", limits.live), ("history", limits.history),
            ] {
                try db.execute(
                    sql: """
                        INSERT INTO kept (name, since) VALUES (?, ?)
                        ON CONFLICT (name) DO UPDATE SET
                            since = \(db.dialect.greatest("kept.since", "excluded.since"))
                        """, arguments: [name, time.millisecondsSince1970])
            }
        }
    }

    func removeSome(most: Int) async throws -> Int {
        let kept = try await file.read { try Self.kept($0) }
        for sweep in Self.sweeps(kept) {
            // Searched on a snapshot: the writer is not held meanwhile.
            guard
                let series = try await file.read({ db in
                    try Int64.fetchOne(db, sql: sweep.find, arguments: sweep.limit)
                })
            else { continue }
            return try await file.write { db in
                var count = 0
                for statement in sweep.statements {
                    try db.execute(
                        sql: statement, arguments: sweep.limit + ["series": series, "most": most])
                    count = db.changesCount
                }
                return count
            }
        }
        return try await removeRecords(kept, most: most)
    }

    private static func sweeps(_ kept: KeptSince) -> [Sweep] {
        let ids = "SELECT id FROM sample WHERE series = :series AND id < :limit ORDER BY id LIMIT :most"
        var sweeps = [
            Sweep(
                find: """
                    SELECT id FROM series WHERE EXISTS (
                        SELECT 1 FROM sample WHERE sample.series = series.id AND sample.id < :limit) LIMIT 1
                    """,
                statements: [
                    """
                    INSERT INTO seen (history, series, id) SELECT flags & 1, series, id FROM sample
                    WHERE series = :series AND id IN (\(ids)) ON CONFLICT DO NOTHING
                    """, "DELETE FROM sample WHERE series = :series AND id IN (\(ids))",
                ], limit: ["limit": bound(kept.raw)])
        ]
        for (name, limit) in [
            ("minute", kept.minutes.millisecondsSince1970 / RollUp.minute.rawValue),
            ("hour", kept.hours.millisecondsSince1970 / RollUp.hour.rawValue),
        ] {
            sweeps.append(
                Sweep(
                    find: """
                        SELECT id FROM series WHERE EXISTS (
                            SELECT 1 FROM \(name) WHERE \(name).series = series.id AND \(name) < :limit) LIMIT 1
                        """,
                    statements: [
                        """
                        DELETE FROM \(name) WHERE series = :series AND \(name) IN (SELECT \(name) FROM \(name)
                            WHERE series = :series AND \(name) < :limit ORDER BY \(name) LIMIT :most)
                        """
                    ], limit: ["limit": limit]))
        }
        for (history, limit) in [(0, kept.live), (1, kept.history)] {
            sweeps.append(
                Sweep(
                    find: """
                        SELECT id FROM series WHERE EXISTS (
                            SELECT 1 FROM seen WHERE history = \(history) AND seen.series = series.id
                                AND seen.id < :limit) LIMIT 1
                        """,
                    statements: [
                        """
                        DELETE FROM seen WHERE history = \(history) AND series = :series AND id IN (SELECT id FROM seen
                            WHERE history = \(history) AND series = :series AND id < :limit ORDER BY id LIMIT :most)
                        """
                    ], limit: ["limit": bound(limit)]))
        }
        return sweeps
    }

    private func removeRecords(_ kept: KeptSince, most: Int) async throws -> Int {
        let day = kept.hours.millisecondsSince1970 / DataViewDay.length
        return try await file.write { db in
            var count = 0
            for table in ["gap", "notice", "document"] {
                try db.execute(
                    sql: """
                        DELETE FROM \(table) WHERE (gateway, person, id) IN (
                            SELECT gateway, person, id FROM \(table) WHERE id < ? LIMIT ?)
                        """,
                    arguments: [Self.bound(kept.history), most])
                count += db.changesCount
            }
            try db.execute(
                sql: "DELETE FROM alarm WHERE begin < ?", arguments: [kept.hours.millisecondsSince1970])
            try db.execute(sql: "DELETE FROM data_view WHERE day < ?", arguments: [day])
            return count
        }
    }

    func emptyLog() async throws -> Bool {
        let file = file
        return try await Task.detached { try file.emptyLog() }.value
    }

    /// Below each ID that was made at the time or later.
    private static func bound(_ time: WallTime) -> Data {
        let milliseconds = UInt64(clamping: time.millisecondsSince1970)
        return Data((0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * $0)) })
    }
}
