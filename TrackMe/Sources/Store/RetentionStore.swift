import FoundationEssentials
public import GatewayModel
import SQLDatabase
import Synchronization

/// Packing of readings into blocks, and removal of readings and summaries whose time is over.
///
/// The limits rise in one commit, before anything below them is packed or removed, and the intake compares each ID with
/// them. So a kill between two steps changes nothing but the time of the removal. A step goes on behind the series at which the step
/// before it has ended, and begins again behind the last one: each series gets its turn, whatever the others have.
public struct RetentionStore: Sendable {
    /// Series of one query for something to remove.
    private static let seriesOfASearch = 500
    /// Series of one commit: PostgreSQL needs some 0.1 ms for each statement.
    private static let seriesOfAStep = 100

    /// Forms of data that a series has below their limits.
    private struct Due {
        let series: Int64
        let readings, blocks, minutes, hours, late, ids: Bool

        var isEmpty: Bool { !readings && !blocks && !minutes && !hours && !late && !ids }

        init(_ row: Row) {
            func isDue(_ column: String) -> Bool { row[column] as Bool? ?? false }
            series = row["id"]
            (readings, blocks) = (isDue("readings"), isDue("blocks"))
            (minutes, hours) = (isDue("minutes"), isDue("hours"))
            late = isDue("late") || isDue("late_history")
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
    /// Called after the commit that has found a damaged block, on its thread.
    let onDamage: @Sendable (DamagedBlock) -> Void
    private let place = Place()

    init(file: DatabasePool, onDamage: @escaping @Sendable (DamagedBlock) -> Void) {
        (self.file, self.onDamage) = (file, onDamage)
    }

    static func kept(_ db: Database) throws -> KeptSince {
        var kept: [String: Int64] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT name, since FROM kept") {
            kept[row["name"]] = row["since"]
        }
        func since(_ name: String) -> WallTime { WallTime(kept[name] ?? 0) }
        return KeptSince(
            packed: since("packed"), raw: since("raw"), minutes: since("minutes"), hours: since("hours"),
            live: since("live"),
            history: since("history"))
    }

    /// Raises the limits; they never fall again. Older readings are refused from this commit on.
    public func raise(_ limits: KeptSince) async throws {
        try await file.write { db in
            for (name, time) in [
                ("packed", limits.packed), ("raw", limits.raw), ("minutes", limits.minutes),
                ("hours", limits.hours),
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

    /// Packs or removes at most `most` rows below the limits, in one commit; the readings of a block count as rows, and go together.
    /// The next step goes on with the next series, so that each series gets its turn. Returns the number of rows: 0 when no series
    /// has any.
    public func removeSome(most: Int) async throws -> Int {
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
                let (removed, last) = try await file.write { [onDamage] db in
                    try Self.remove(due, kept, most: most, db, onDamage)
                }
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
        /// Whether a series has IDs that came late.
        func isLate(_ history: Int) -> String {
            """
            (SELECT 1 FROM seen WHERE seen.series = series.id AND seen.history = \(history) LIMIT 1) = 1
            """
        }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT series.id AS id, \(isDue("id", of: "sample", below: "readings")) AS readings,
                    \(isDue("span", of: "block", where: "AND block.form = 0", below: "blocks")) AS blocks,
                    \(isDue("minute", of: "minute", below: "minutes")) AS minutes,
                    \(isDue("hour", of: "hour", below: "hours")) AS hours,
                    \(isLate(0)) AS late, \(isLate(1)) AS late_history,
                    \(isDue("span", of: "block", where: "AND block.form = 1", below: "live")) AS live,
                    \(isDue("span", of: "block", where: "AND block.form = 2", below: "history")) AS history
                FROM series WHERE series.id > :after ORDER BY series.id LIMIT :most
                """,
            arguments: [
                "readings": bound(max(kept.packed, kept.raw)), "blocks": span(kept.raw, .readings),
                "minutes": span(kept.minutes, .minute), "hours": span(kept.hours, .hour),
                "live": span(kept.live, .ids), "history": span(kept.history, .history), "after": after,
                "most": seriesOfASearch,
            ])
        let due = rows.map(Due.init).filter { !$0.isEmpty }
        return (Array(due.prefix(seriesOfAStep)), rows.last.map { $0["id"] })
    }

    /// Packs or removes at most `most` rows of the series, one series after the other.
    ///
    /// - Returns: also the last series that had its turn.
    private static func remove(
        _ due: [Due], _ kept: KeptSince, most: Int, _ db: Database,
        _ onDamage: @escaping @Sendable (DamagedBlock) -> Void
    ) throws -> (removed: Int, last: Int64) {
        let blocks = BlockRows(db: db)
        var (removed, last): (Int, Int64) = (0, 0)
        for one in due where removed < most {
            last = one.series
            if one.blocks {
                let (count, damaged) = try blocks.removeBlocks(
                    of: last, before: span(kept.raw, .readings), most: most - removed)
                for damage in damaged { db.afterCommit { onDamage(damage) } }
                removed += count
            }
            if one.readings, removed < most {
                removed += try blocks.removeReadings(of: last, below: bound(kept.raw), most: most - removed)
            }
            if one.readings, removed < most {
                removed += try blocks.packReadings(of: last, below: bound(kept.packed), most: most - removed)
            }
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
            for history in [false, true] where one.late && removed < most {
                removed += try blocks.packLateIDs(of: last, history: history, most: most - removed)
            }
            for (form, limit) in [(BlockKey.Form.ids, kept.live), (.history, kept.history)]
            where one.ids && removed < most {
                // Whole days: all IDs of an older block are refused.
                try db.execute(
                    sql: "DELETE FROM block WHERE series = ? AND form = ? AND span < ?",
                    arguments: [last, form.rawValue, span(limit, form)])
                removed += db.changesCount
            }
        }
        return (removed, last)
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

    /// Blocks of one read: some megabytes.
    private static let blocksOfACheck = 200

    /// Reads all blocks, some after the other.
    public func damagedBlocks() async throws -> [DamagedBlock] {
        var damaged: [DamagedBlock] = []
        var last: BlockKey?
        repeat {
            let after = last
            let (found, next) = try await file.read { db in
                try BlockRows(db: db).check(after: after, most: Self.blocksOfACheck)
            }
            damaged += found
            last = next
        } while last != nil
        return damaged
    }

    /// Empties the log of the database, where erased rows may still be. False if a reader was in the way.
    public func emptyLog() async throws -> Bool { try await file.emptyLog() }

    /// Oldest data that are still here.
    public func oldest() async throws -> OldestData {
        try await file.read { db in
            /// First value of the key of each series; the least of all.
            func least<Value: DatabaseValueConvertible>(
                _ column: String, of table: String, where condition: String = ""
            ) throws -> Value? {
                try Value.fetchOne(
                    db,
                    sql: """
                        SELECT oldest FROM (SELECT (SELECT \(table).\(column) FROM \(table) WHERE \(table).series = series.id
                            \(condition) ORDER BY \(table).\(column) LIMIT 1) AS oldest FROM series) AS found
                        WHERE oldest IS NOT NULL ORDER BY oldest LIMIT 1
                        """)
            }
            let raw: Data? = try least("id", of: "sample")
            let hourOfBlock: Int64? = try least("span", of: "block", where: "AND block.form = 0")
            let minute: Int64? = try least("minute", of: "minute")
            let hour: Int64? = try least("hour", of: "hour")
            let times = [
                raw.flatMap { MessageID(bytes: Array($0)) }?.wall,
                hourOfBlock.map { WallTime($0 * BlockKey.Form.readings.length) },
            ]
            return OldestData(
                raw: times.compactMap { $0 }.min(),
                minute: minute.map { WallTime($0 * RollUp.minute.rawValue) },
                hour: hour.map { WallTime($0 * RollUp.hour.rawValue) })
        }
    }

    /// Number of the minute or hour of a time.
    private static func span(_ time: WallTime, _ length: RollUp) -> Int64 {
        time.millisecondsSince1970 / length.rawValue
    }

    /// Number of the span of blocks in which a time is.
    private static func span(_ time: WallTime, _ form: BlockKey.Form) -> Int64 {
        time.millisecondsSince1970 / form.length
    }

    /// Below each ID that was made at the time or later.
    private static func bound(_ time: WallTime) -> Data {
        let milliseconds = UInt64(clamping: time.millisecondsSince1970)
        return Data((0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * $0)) })
    }
}

/// Time for which each form of a person's data is kept.
public struct Retention: Hashable, Sendable {
    public let raw: Duration
    public let minutes: Duration
    /// Also of gaps, notices, documents, and of the log of views.
    public let hours: Duration
    /// Time for which the ID of a reading is known after its making. A later one is refused, since it may be a
    /// repetition.
    public let late: Duration

    public init(raw: Duration, minutes: Duration, hours: Duration, late: Duration) {
        (self.raw, self.minutes, self.hours, self.late) = (raw, minutes, hours, late)
    }

    /// Age of the readings that are packed into blocks of an hour. Most have arrived by then: a later one has its block written again.
    private static let packingDelay = Duration.seconds(3_600)

    /// Times until which readings may be packed, and everything may be removed. Hours begin on the hour, so that no hour is half there.
    public func limits(at now: WallTime) -> KeptSince {
        func limit(_ life: Duration, _ unit: Int64) -> WallTime {
            let time = max(now.advanced(by: .zero - life).millisecondsSince1970, 0)
            return WallTime(millisecondsSince1970: time - time % unit)
        }
        return KeptSince(
            packed: limit(Self.packingDelay, RollUp.hour.rawValue), raw: limit(raw, 1),
            minutes: limit(minutes, RollUp.hour.rawValue),
            hours: limit(hours, RollUp.hour.rawValue), live: limit(late, 1), history: limit(hours, 1))
    }
}

/// Times of the oldest data of each form; nil without any.
public struct OldestData: Hashable, Sendable {
    /// By the IDs of the readings; of packed ones the begin of their hour.
    public let raw: WallTime?
    public let minute, hour: WallTime?

    public init(raw: WallTime?, minute: WallTime?, hour: WallTime?) {
        (self.raw, self.minute, self.hour) = (raw, minute, hour)
    }
}

/// Age of the oldest data of one form beside the time for which they are kept.
public struct RetentionAge: Hashable, Sendable, CustomStringConvertible {
    /// Delay of a removal that needs no look: hours end at once, and a server may be off for a night.
    public static let tolerance = Duration.seconds(86_400)

    /// Name in a sentence, and key of the settings.
    public let form, key: String
    /// Nil without any data of the form.
    public let age: Duration?
    public let limit: Duration

    /// Time by which the removal is late; nil within the tolerance.
    public var delay: Duration? {
        guard let age, age - limit > Self.tolerance else { return nil }
        return age - limit
    }

    /// `oldest readings: 7.0 days, kept for 7 (raw_days)`
    public var description: String {
        let age = age.map { Self.days($0) + " days" } ?? "none"
        return "oldest \(form): \(age), kept for \(limit.components.seconds / 86_400) (\(key))"
    }

    /// Sentence for an operator: the cause and the remedy; nil within the tolerance.
    public var finding: String? {
        delay.map { delay in
            "the removal of old \(form) is \(Self.days(delay)) days behind \(key) of [retention]. Let the server run "
                + "until it has caught up; if it does not, its log gives the reason, or the disk of the database is too slow"
        }
    }

    private static func days(_ time: Duration) -> String {
        let tenths = time.components.seconds / 8_640
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Retention {
    /// Ages of readings, minutes and hours, in this order.
    public func ages(of oldest: OldestData, at now: WallTime) -> [RetentionAge] {
        func age(_ form: String, _ key: String, _ time: WallTime?, _ limit: Duration) -> RetentionAge {
            let age = time.map { time -> Duration in
                .milliseconds(max(now.millisecondsSince1970 - time.millisecondsSince1970, 0))
            }
            return RetentionAge(form: form, key: key, age: age, limit: limit)
        }
        return [
            age("readings", "raw_days", oldest.raw, raw), age("minutes", "minute_days", oldest.minute, minutes),
            age("hours", "hour_days", oldest.hour, hours),
        ]
    }
}
