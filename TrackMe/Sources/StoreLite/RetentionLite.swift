import FoundationEssentials
import GatewayModel
import SQLDatabase
import Store
import Synchronization

/// Removal of readings and summaries whose time is over.
///
/// The limits rise in one commit, before anything below them is removed, and the intake compares each ID with them. So a
/// kill between two steps changes nothing but the time of the removal. A step goes on behind the series at which the step
/// before it has ended, and begins again behind the last one: each series gets its turn, whatever the others have.
struct RetentionLite: RetentionStore {
    /// Series of one query for something to remove.
    private static let seriesOfASearch = 500
    /// Series of one commit: PostgreSQL needs some 0.1 ms for each statement.
    private static let seriesOfAStep = 100

    /// Forms of data that a series has below their limits.
    private struct Due {
        let series: Int64
        let raw, minutes, hours, ids: Bool

        var isEmpty: Bool { !raw && !minutes && !hours && !ids }

        init(_ row: Row) {
            func isDue(_ column: String) -> Bool { row[column] as Bool? ?? false }
            series = row["id"]
            (raw, minutes, hours) = (isDue("raw"), isDue("minutes"), isDue("hours"))
            ids = isDue("live") || isDue("history")
        }
    }

    /// Last series of the step before; 0 at the begin of a round. A new process begins with the first series: those that were
    /// done have nothing left.
    private final class Place: Sendable {
        private let series = Mutex<Int64>(0)

        var last: Int64 {
            get { series.withLock { $0 } }
            set { series.withLock { $0 = newValue } }
        }
    }

    let file: DatabasePool
    private let place = Place()

    init(file: DatabasePool) { self.file = file }

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
        let begin = place.last
        var isSecondRound = false
        while true {
            // Searched on a snapshot: the writer is not held meanwhile.
            let after = place.last
            let (due, last) = try await file.read { try Self.dueSeries(after: after, kept, $0) }
            if due.isEmpty {
                if isSecondRound, last.map({ $0 >= begin }) ?? true { return 0 }
                place.last = last ?? 0
                guard last == nil else { continue }
                isSecondRound = true
                let removed = try await removeRecords(kept, most: most)
                if removed > 0 { return removed }
            } else {
                let (removed, last) = try await file.write { try Self.remove(due, kept, most: most, $0) }
                place.last = last
                if removed > 0 { return removed }
            }
        }
    }

    /// Series behind `after` with something to remove, in order.
    ///
    /// - Returns: also the last series that was looked at; nil at the end.
    private static func dueSeries(
        after: Int64, _ kept: KeptSince, _ db: Database
    ) throws -> (due: [Due], last: Int64?) {
        /// Whether the oldest row of a series is below its limit: one look at the begin of its range of the key.
        func isDue(_ column: String, of table: String, where condition: String = "", below limit: String)
            -> String
        {
            """
            (SELECT \(table).\(column) FROM \(table) WHERE \(table).series = series.id \(condition)
                ORDER BY \(table).\(column) LIMIT 1) < :\(limit)
            """
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT series.id AS id, \(isDue("id", of: "sample", below: "raw")) AS raw,
                    \(isDue("minute", of: "minute", below: "minutes")) AS minutes,
                    \(isDue("hour", of: "hour", below: "hours")) AS hours,
                    \(isDue("id", of: "seen", where: "AND seen.history = 0", below: "live")) AS live,
                    \(isDue("id", of: "seen", where: "AND seen.history = 1", below: "history")) AS history
                FROM series WHERE series.id > :after ORDER BY series.id LIMIT :most
                """,
            arguments: [
                "raw": bound(kept.raw), "minutes": span(kept.minutes, .minute),
                "hours": span(kept.hours, .hour), "live": bound(kept.live), "history": bound(kept.history),
                "after": after, "most": seriesOfASearch,
            ])
        let due = rows.map(Due.init).filter { !$0.isEmpty }
        return (Array(due.prefix(seriesOfAStep)), rows.last.map { $0["id"] })
    }

    /// Removes at most `most` rows of the series, one series after the other.
    ///
    /// - Returns: also the last series that had its turn.
    private static func remove(
        _ due: [Due], _ kept: KeptSince, most: Int, _ db: Database
    ) throws -> (removed: Int, last: Int64) {
        var (removed, last): (Int, Int64) = (0, 0)
        for one in due where removed < most {
            last = one.series
            if one.raw { removed += try removeReadings(of: last, below: kept.raw, most: most - removed, db) }
            for (isDue, table, limit) in [
                (one.minutes, "minute", span(kept.minutes, .minute)),
                (one.hours, "hour", span(kept.hours, .hour)),
            ] where isDue && removed < most {
                try db.execute(
                    sql: """
                        DELETE FROM \(table) WHERE series = :series AND \(table) IN (SELECT \(table) FROM \(table)
                            WHERE series = :series AND \(table) < :limit ORDER BY \(table) LIMIT :most)
                        """,
                    arguments: ["series": last, "limit": limit, "most": most - removed])
                removed += db.changesCount
            }
            for (history, limit) in [(0, kept.live), (1, kept.history)] where one.ids && removed < most {
                try db.execute(
                    sql: """
                        DELETE FROM seen WHERE history = \(history) AND series = :series AND id IN (SELECT id FROM seen
                            WHERE history = \(history) AND series = :series AND id < :limit ORDER BY id LIMIT :most)
                        """,
                    arguments: ["series": last, "limit": bound(limit), "most": most - removed])
                removed += db.changesCount
            }
        }
        return (removed, last)
    }

    /// Removes the oldest readings of a series. Their IDs are remembered from the same commit on.
    private static func removeReadings(
        of series: Int64, below limit: WallTime, most: Int, _ db: Database
    ) throws -> Int {
        let ids = "SELECT id FROM sample WHERE series = :series AND id < :limit ORDER BY id LIMIT :most"
        let arguments: StatementArguments = ["series": series, "limit": bound(limit), "most": most]
        try db.execute(
            sql: """
                INSERT INTO seen (history, series, id) SELECT flags & 1, series, id FROM sample
                WHERE series = :series AND id IN (\(ids)) ON CONFLICT DO NOTHING
                """, arguments: arguments)
        try db.execute(
            sql: "DELETE FROM sample WHERE series = :series AND id IN (\(ids))", arguments: arguments)
        return db.changesCount
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

    func oldest() async throws -> OldestData {
        try await file.read { db in
            /// First value of the key of each series; the least of all.
            func least<Value: DatabaseValueConvertible>(_ column: String, of table: String) throws -> Value? {
                try Value.fetchOne(
                    db,
                    sql: """
                        SELECT oldest FROM (SELECT (SELECT \(table).\(column) FROM \(table) WHERE \(table).series = series.id
                            ORDER BY \(table).\(column) LIMIT 1) AS oldest FROM series) AS found
                        WHERE oldest IS NOT NULL ORDER BY oldest LIMIT 1
                        """)
            }
            let raw: Data? = try least("id", of: "sample")
            let minute: Int64? = try least("minute", of: "minute")
            let hour: Int64? = try least("hour", of: "hour")
            return OldestData(
                raw: raw.flatMap { MessageID(bytes: Array($0)) }?.wall,
                minute: minute.map { WallTime($0 * RollUp.minute.rawValue) },
                hour: hour.map { WallTime($0 * RollUp.hour.rawValue) })
        }
    }

    /// Number of the minute or hour of a time.
    private static func span(_ time: WallTime, _ length: RollUp) -> Int64 {
        time.millisecondsSince1970 / length.rawValue
    }

    /// Below each ID that was made at the time or later.
    private static func bound(_ time: WallTime) -> Data {
        let milliseconds = UInt64(clamping: time.millisecondsSince1970)
        return Data((0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * $0)) })
    }
}
