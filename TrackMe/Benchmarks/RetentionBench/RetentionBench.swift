import Accounts
import ArgumentParser
import Foundation
import GatewayModel
import PostgresEngine
import RealTime
import SQLDatabase
import SQLiteEngine
import Schema
import Store

/// Room of a house's readings in the store, and the time of their packing and removal beside their arrival.
@main
struct RetentionBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the room of readings in the store, and the time of their packing and removal.")

    @Option(help: "File of a new SQLite database.") var sqlite: String?
    @Option(help: "Connection string of an empty PostgreSQL database.") var postgres: String?
    @Option(help: "Days that the house lives through.") var days = 100
    @Option(help: "Days of readings that are kept.") var rawDays = 7
    @Flag(help: "IDs with 74 random bits, as houses made them before there were sequences.")
    var randomIDs = false
    @Option(help: "Number of series that live through 26 hours instead, with readings kept for 6 hours.")
    var series: Int?

    private static let begin: Int64 = 1_772_323_200_000  // 2026-03-01T00:00:00Z
    private static let hour: Int64 = 3_600_000

    func run() async throws {
        let file: DatabasePool
        if let postgres {
            file = try DatabasePool(
                postgres: try PostgresAddress(postgres), migrations: Schema.migrations)
        } else if let sqlite {
            file = try DatabasePool(path: sqlite, migrations: Schema.migrations)
        } else {
            throw ValidationError("expected --sqlite FILE or --postgres ADDRESS")
        }
        let stores = Stores(in: file)
        if let series {
            try await liveManySeries(series, stores, file)
        } else {
            try await liveHouse(stores, file)
        }
        try file.close()
    }

    // MARK: A house

    private static let kinds: [(kind: QuantityKind, least: Int, most: Int, scale: Double)] = [
        (.heartRate, 48, 150, 1), (.oxygenSaturation, 88, 100, 1), (.respirationRate, 8, 30, 1),
        (.bodyTemperature, 355, 385, 10), (.runningCadence, 0, 180, 1),
    ]

    private func liveHouse(_ stores: Stores, _ file: DatabasePool) async throws {
        let life = Retention(
            raw: .seconds(rawDays * 86_400), minutes: .seconds(90 * 86_400), hours: .seconds(400 * 86_400),
            late: .seconds(100 * 86_400))
        let subject = HousePerson(GatewayID("house-12")!, PersonID("maria")!)
        var ids = MessageIDSequence(RandomReserve())
        var values = Self.kinds.map { ($0.least + $0.most) / 2 }
        let clock = ContinuousClock()
        var (arrival, care, slowest) = (Duration.zero, Duration.zero, Duration.zero)
        for hour in 0..<days * 24 {
            let start = Self.begin + Int64(hour) * Self.hour
            // Ten minutes of readings in one batch.
            for part in 0..<6 {
                var batch: [IntakeItem] = []
                batch.reserveCapacity(3_000)
                for second in part * 600..<(part + 1) * 600 {
                    for (index, kind) in Self.kinds.enumerated() {
                        // Connections have their own phases; a notification is up to 30 ms early or late.
                        let jitter = Int64.random(in: -15...15) + Int64.random(in: -15...15)
                        let wall = WallTime(
                            millisecondsSince1970: start + Int64(second) * 1_000 + Int64(index) * 170 + 100
                                + jitter)
                        if Int.random(in: 0..<4) == 0 {
                            values[index] = min(
                                max(values[index] + Int.random(in: -2...2), kind.least), kind.most)
                        }
                        let id = randomIDs ? MessageID.random(at: wall) : ids.next(at: wall)
                        batch.append(
                            .sample(
                                StoredSample(
                                    subject: subject, kind: kind.kind, device: DeviceID("device-\(index)")!,
                                    id: id,
                                    time: wall, value: Double(values[index]) / kind.scale)))
                    }
                }
                let now = WallTime(millisecondsSince1970: start + Int64(part + 1) * 600_000)
                arrival += try clock.measure { _ = try stores.intake.keep(batch, at: now) }
            }
            let now = WallTime(millisecondsSince1970: start + Self.hour)
            try await stores.retention.raise(life.limits(at: now))
            while true {
                let begin = clock.now
                let count = try await stores.retention.removeSome(most: 1_000)
                let took = clock.now - begin
                care += took
                slowest = max(slowest, took)
                if count == 0 { break }
            }
            try vacuum()
            if (hour + 1) % 240 == 0 {
                let line = "day \((hour + 1) / 24): \(try Self.bytes(file) / 1_000_000) MB\n"
                FileHandle.standardError.write(Data(line.utf8))
            }
        }
        let readings = days * 86_400 * Self.kinds.count
        let perReading = { (time: Duration) in
            String(
                format: "%.2f",
                Double(time.components.seconds) * 1e6 / Double(readings) + Double(time.components.attoseconds)
                    / 1e12 / Double(readings))
        }
        print(
            "\(readings) readings of \(Self.kinds.count) series at 1 Hz, \(days) days, IDs \(randomIDs ? "random" : "of a sequence")"
        )
        print(
            "arrival \(perReading(arrival)) us a reading; packing and removal \(perReading(care)) us a reading, longest step \(slowest)"
        )
        try await printRoom(file)
    }

    private func printRoom(_ file: DatabasePool) async throws {
        let lines = try await file.read { db -> [String] in
            var lines: [String] = []
            for (form, name) in [(0, "packed readings"), (1, "packed IDs")] {
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) AS blocks, CAST(coalesce(sum(length(content)), 0) AS BIGINT) AS bytes
                        FROM block WHERE form = ?
                        """, arguments: [form])
                lines.append(
                    "\(name): \((row?["blocks"] as Int?) ?? 0) blocks, \((row?["bytes"] as Int?) ?? 0) bytes")
            }
            let size =
                db.dialect == .sqlite
                ? "SELECT name, CAST(sum(pgsize) AS INTEGER) AS bytes FROM dbstat GROUP BY name HAVING sum(pgsize) > 100000 ORDER BY 2 DESC"
                : """
                SELECT relname::text AS name, CAST(pg_total_relation_size(relid) AS BIGINT) AS bytes FROM pg_stat_user_tables
                WHERE pg_total_relation_size(relid) > 100000 ORDER BY 2 DESC
                """
            for row in try Row.fetchAll(db, sql: size) {
                lines.append("table \(row["name"] as String): \(row["bytes"] as Int) bytes")
            }
            let rest =
                db.dialect == .sqlite
                ? "SELECT 'free pages: ' || (freelist_count * 4096) || ' bytes' AS line FROM pragma_freelist_count()"
                : "SELECT 'dead rows: ' || CAST(sum(n_dead_tup) AS TEXT) AS line FROM pg_stat_user_tables"
            lines += try String.fetchAll(db, sql: rest)
            return lines
        }
        for line in lines { print(line) }
        // Readings of five series, past their time.
        let gone = max(days - rawDays, 0) * 86_400 * Self.kinds.count
        if gone > 0 {
            print(
                String(
                    format: "an ID without its reading: %.2f bytes",
                    Double(try contents(1, file)) / Double(gone)))
        }
        let all = Double(try Self.bytes(file)) / 1e6
        print(String(format: "in all: %.1f MB after %d days", all, days))
        guard days < 100 || rawDays != 7, gone > 0 else { return }
        try printComputed(file, gone: gone)
    }

    /// Prints the room of 100 days with the retention by default, as far as it follows from that of fewer days.
    private func printComputed(_ file: DatabasePool, gone: Int) throws {
        func room(_ table: String) throws -> Double {
            let bytes = try file.readBlocking { db in
                try Int.fetchOne(
                    db,
                    sql: db.dialect == .sqlite
                        ? "SELECT CAST(sum(pgsize) AS INTEGER) FROM dbstat WHERE name IN (?, 'sqlite_autoindex_' || ? || '_1')"
                        : "SELECT CAST(pg_total_relation_size(relid) AS BIGINT) FROM pg_stat_user_tables WHERE relname = ? AND relname = ?",
                    arguments: [table, table])
            }
            return Double(bytes ?? 0)
        }
        func count(_ table: String) throws -> Double {
            Double(try file.readBlocking { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } ?? 0)
        }
        let (ids, readings) = (Double(try contents(1, file)), Double(try contents(0, file)))
        let packed = Double(rawDays * 86_400 * Self.kinds.count)
        let perDay = Double(86_400 * Self.kinds.count)
        // The part of the pages of blocks that is no content, for both forms alike.
        let pages = try room("block") / (ids + readings)
        let series = Double(Self.kinds.count)
        let parts: [(String, Double)] = [
            ("IDs of 93 days", 93 * perDay * ids / Double(gone) * pages),
            ("readings of 7 days", 7 * perDay * readings / packed * pages),
            ("minutes of 90 days", 90 * 1_440 * series * (try room("minute")) / max(try count("minute"), 1)),
            ("hours of 100 days", 100 * 24 * series * (try room("hour")) / max(try count("hour"), 1)),
            ("readings that are not packed yet", try room("sample")),
        ]
        for (name, bytes) in parts { print(String(format: "computed: %@: %.1f MB", name, bytes / 1e6)) }
        print(
            String(
                format: "computed for 100 days with the retention by default: %.0f MB",
                parts.reduce(0) { $0 + $1.1 } / 1e6))
    }

    /// Bytes of the contents of the blocks of a form.
    private func contents(_ form: Int, _ file: DatabasePool) throws -> Int {
        try file.readBlocking { db in
            try Int.fetchOne(
                db, sql: "SELECT CAST(coalesce(sum(length(content)), 0) AS BIGINT) FROM block WHERE form = ?",
                arguments: [form]) ?? 0
        }
    }

    /// Bytes of the whole database.
    private static func bytes(_ file: DatabasePool) throws -> Int {
        try file.readBlocking { db in
            try Int.fetchOne(
                db,
                sql: db.dialect == .sqlite
                    ? "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
                    : "SELECT pg_database_size(current_database())") ?? 0
        }
    }

    /// Does the work of autovacuum for an hour: a day of this program takes seconds, and autovacuum would come too late.
    private func vacuum() throws {
        guard let postgres else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/psql")
        process.arguments = ["-qXc", "VACUUM sample, block, minute, hour, latest, seen", postgres]
        try process.run()
        process.waitUntilExit()
    }

    // MARK: Many series

    private func liveManySeries(_ count: Int, _ stores: Stores, _ file: DatabasePool) async throws {
        let (hours, raw) = (26, Duration.seconds(6 * 3_600))
        let life = Retention(
            raw: raw, minutes: .seconds(86_400), hours: .seconds(400 * 86_400), late: .seconds(2 * 86_400))
        let subjects = (0..<count / 5).map { HousePerson(GatewayID("house-\($0)")!, PersonID("maria")!) }
        var ids = MessageIDSequence(RandomReserve())
        let clock = ContinuousClock()
        var (worst, longest, arrival) = (Duration.zero, Duration.zero, Duration.zero)
        for hour in 0..<hours {
            let start = Self.begin + Int64(hour) * Self.hour
            for part in 0..<6 {
                let now = WallTime(millisecondsSince1970: start + Int64(part) * 600_000)
                for some in stride(from: 0, to: subjects.count, by: 400) {
                    let batch = subjects[some..<min(some + 400, subjects.count)].flatMap { subject in
                        Self.kinds.enumerated().map { index, kind in
                            IntakeItem.sample(
                                StoredSample(
                                    subject: subject, kind: kind.kind, device: DeviceID("device-\(index)")!,
                                    id: ids.next(at: now), time: now, value: 70))
                        }
                    }
                    arrival += try clock.measure { _ = try stores.intake.keep(batch, at: now) }
                }
            }
            let now = WallTime(millisecondsSince1970: start + Self.hour)
            try await stores.retention.raise(life.limits(at: now))
            let begin = clock.now
            // As many steps as a round of the server has.
            for _ in 0..<1_000 { guard try await stores.retention.removeSome(most: 1_000) > 0 else { break } }
            longest = max(longest, clock.now - begin)
            try vacuum()
            let oldest = try await stores.retention.oldest()
            for age in life.ages(of: oldest, at: now) {
                worst = max(worst, (age.age ?? .zero) - age.limit)
            }
        }
        print(
            "\(count) series with a reading in 10 minutes for \(hours) hours, readings kept for 6 hours, minutes for 24"
        )
        print("arrival of an hour \(arrival / hours); longest round of packing and removal \(longest)")
        print("oldest data beyond their limit after any round: \(worst)")
        let unpacked = try await file.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(DISTINCT series) FROM sample WHERE time < ?",
                arguments: [Self.begin + Int64(hours - 2) * Self.hour]) ?? 0
        }
        print("series with a reading that should be packed and is not: \(unpacked)")
        guard worst <= .seconds(3_600), unpacked == 0 else { throw ExitCode.failure }
    }
}
