public import GatewayModel
public import SQLDatabase
import Store

/// Weekly tables in SQLite. The database refuses to change or delete them.
public struct GroupReleaseStore: Sendable {
    static let migration = Migration("group-releases-1") { db in
        let columns = bucketColumns.map { "\($0) INTEGER NOT NULL" }.joined(separator: ", ")
        try db.execute(
            sql: """
                CREATE TABLE group_release (
                    week INTEGER PRIMARY KEY, released INTEGER NOT NULL, rule TEXT NOT NULL
                ) STRICT;
                CREATE TABLE group_cell (
                    week INTEGER NOT NULL REFERENCES group_release, kind TEXT NOT NULL, area TEXT NOT NULL,
                    age TEXT NOT NULL, gender TEXT NOT NULL, \(columns),
                    PRIMARY KEY (week, kind, area, age, gender)
                ) STRICT, WITHOUT ROWID;
                -- Exact persons of a cell, for the floor of 1,000 alone. No answer has them.
                CREATE TABLE group_floor (
                    week INTEGER NOT NULL, kind TEXT NOT NULL, area TEXT NOT NULL, age TEXT NOT NULL,
                    gender TEXT NOT NULL, persons INTEGER NOT NULL,
                    PRIMARY KEY (week, kind, area, age, gender)
                ) STRICT, WITHOUT ROWID;
                """)
        for table in ["group_release", "group_cell", "group_floor"] {
            try db.refuse([.update, .delete], of: table, because: "published tables do not change")
        }
    }

    /// A consent counts from the next Monday on.
    private static let countable = GroupMemberStore.countable + " WHERE group_member.since <= ?"
    private static let bucketColumns = (1...GroupKind.buckets).map { "bucket\($0)" }
    private static let hoursOfADay: Int64 = 24
    private static let millisecondsOfAnHour: Int64 = 3_600_000

    private let file: DatabasePool
    private let generator: @Sendable () -> any RandomNumberGenerator

    /// - Parameter generator: of the noise; the random source of the system but in tests.
    public init(
        file: DatabasePool,
        generator: @escaping @Sendable () -> any RandomNumberGenerator = { SystemRandomNumberGenerator() }
    ) {
        (self.file, self.generator) = (file, generator)
    }

    // MARK: Release

    /// Buckets of one person in a week.
    private struct Contribution: Sendable {
        let account: Int64
        let cell: GroupCell
        let buckets: [GroupKind: Int]
    }

    /// Writes the table of a week in one commit. False if it was there: it is never written again.
    public func release(
        _ week: Week, of areas: [AreaName], by rule: GroupRule, at now: WallTime
    ) async throws -> Bool {
        // On a snapshot, and with the noise drawn before: the writer is held for the insertion alone.
        guard let contributions = try await contributions(to: week, of: Set(areas)) else { return false }
        var generator = generator()
        let noise = TableNoise(for: areas, using: &generator)
        return try await file.write { db in
            // Of two servers the first one has published; the other throws its noise away.
            guard try !Self.isReleased(week, db) else { return false }
            let counted = try Set(
                Int64.fetchAll(
                    db, sql: "SELECT group_member.account FROM \(Self.countable)",
                    arguments: [week.begin.millisecondsSince1970]))
            var tally = Tally()
            let count = try db.cachedStatement(
                sql: """
                    INSERT INTO group_counted (account, tables) VALUES (?, 1)
                    ON CONFLICT (account) DO UPDATE SET tables = group_counted.tables + 1
                    """)
            for one in contributions where counted.contains(one.account) {
                tally.add(one.buckets, in: one.cell)
                try count.execute(arguments: [one.account])
            }
            try db.execute(
                sql: "INSERT INTO group_release (week, released, rule) VALUES (?, ?, ?)",
                arguments: [week.number, now.millisecondsSince1970, rule.rawValue])
            for row in noise.rows(over: tally) { try Self.insert(row, week, db) }
            return true
        }
    }

    private static func isReleased(_ week: Week, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM group_release WHERE week = ?)", arguments: [week.number])
            == true
    }

    private static func insert(_ row: TableRow, _ week: Week, _ db: Database) throws {
        let key: StatementArguments = [
            week.number, row.kind.rawValue, row.cell.area.text, row.cell.age.description,
            row.cell.gender.rawValue,
        ]
        let places = Array(repeating: "?", count: 5 + GroupKind.buckets).joined(separator: ", ")
        let columns = bucketColumns.joined(separator: ", ")
        try db.cachedStatement(
            sql: "INSERT INTO group_cell (week, kind, area, age, gender, \(columns)) VALUES (\(places))"
        ).execute(arguments: key + StatementArguments(row.counts))
        try db.cachedStatement(
            sql: "INSERT INTO group_floor (week, kind, area, age, gender, persons) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(arguments: key + [row.exact])
    }

    /// Nil for a week that is released.
    private func contributions(to week: Week, of areas: Set<AreaName>) async throws -> [Contribution]? {
        try await file.read { db in
            guard try !Self.isReleased(week, db) else { return nil }
            let members = try Row.fetchAll(
                db, sql: "SELECT group_member.* FROM \(Self.countable)",
                arguments: [week.begin.millisecondsSince1970])
            return try members.compactMap { row in
                guard let profile = GroupProfile(row: row), areas.contains(profile.area) else { return nil }
                let buckets = try Self.buckets(of: row["gateway"], row["person"], in: week, db)
                return buckets.isEmpty
                    ? nil
                    : Contribution(account: row["account"], cell: profile.cell(in: week), buckets: buckets)
            }
        }
    }

    private static func buckets(
        of gateway: String, _ person: String, in week: Week, _ db: Database
    ) throws -> [GroupKind: Int] {
        let hour = week.begin.millisecondsSince1970 / millisecondsOfAnHour
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT series.kind, (hour.hour - :begin) / :day AS day, sum(hour.sum) / sum(hour.count) AS mean
                FROM series JOIN hour ON hour.series = series.id
                WHERE series.gateway = :gateway AND series.person = :person AND hour.hour >= :begin
                    AND hour.hour < :end
                GROUP BY series.kind, day
                """,
            arguments: [
                "begin": hour, "end": week.end.millisecondsSince1970 / millisecondsOfAnHour,
                "day": hoursOfADay, "gateway": gateway, "person": person,
            ])
        var means: [GroupKind: [Double]] = [:]
        for row in rows {
            guard let kind = GroupKind(rawValue: row["kind"]), let mean = row["mean"] as Double? else {
                continue
            }
            means[kind, default: []].append(mean)
        }
        var buckets: [GroupKind: Int] = [:]
        for (kind, means) in means { buckets[kind] = kind.bucket(ofDailyMeans: means) }
        return buckets
    }

    // MARK: Reading

    /// Newest first.
    public func releases(most: Int) async throws -> [WeekRelease] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM group_release ORDER BY week DESC LIMIT ?", arguments: [most]
            ).compactMap(WeekRelease.init(row:))
        }
    }

    /// Tables that answer a group, oldest first, after a week.
    public func tables(
        for group: PartyGroup, after week: Week?, most: Int
    ) async throws -> [WeekTable] {
        try await file.read { db in
            let releases = try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM group_release WHERE week >= :first AND week > :after AND released <= :ended
                    ORDER BY week LIMIT :most
                    """,
                arguments: [
                    "first": group.first?.number ?? .min, "after": week?.number ?? .min,
                    "ended": group.ended?.millisecondsSince1970 ?? .max, "most": most,
                ]
            ).compactMap(WeekRelease.init(row:))
            return try releases.map { release in
                WeekTable(
                    week: release.week, rule: release.rule,
                    rows: try Self.rows(of: release.week, group.question.kind, db))
            }
        }
    }

    private static func rows(of week: Week, _ kind: GroupKind, _ db: Database) throws -> [TableRow] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT * FROM group_cell JOIN group_floor USING (week, kind, area, age, gender)
                WHERE week = ? AND kind = ? ORDER BY area, age, gender
                """, arguments: [week.number, kind.rawValue])
        var result: [TableRow] = []
        while let row = try rows.next() {
            guard let area = AreaName(row["area"] as String), let age = AgeBand(row["age"] as String),
                let gender = Gender(rawValue: row["gender"])
            else { continue }
            result.append(
                TableRow(
                    cell: GroupCell(area: area, age: age, gender: gender), kind: kind,
                    counts: bucketColumns.map { row[$0] }, exact: row["persons"]))
        }
        return result
    }
}

extension WeekRelease {
    /// Nil for a row that another version wrote.
    fileprivate init?(row: Row) {
        guard let week = Week(number: row["week"]), let rule = GroupRule(rawValue: row["rule"]) else {
            return nil
        }
        self.init(week: week, released: WallTime(millisecondsSince1970: row["released"]), rule: rule)
    }
}
