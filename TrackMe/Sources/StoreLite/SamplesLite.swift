import Accounts
import FoundationEssentials
import GatewayModel
import ReadingBlocks
import SQLDatabase
import Store

/// Readings, their newest values, their minutes and their hours.
struct SamplesLite: SampleStore {
    static let migrations = [
        Migration("samples-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE series (
                        id INTEGER PRIMARY KEY, gateway TEXT NOT NULL, person TEXT NOT NULL, kind TEXT NOT NULL,
                        device TEXT NOT NULL, UNIQUE (gateway, person, kind, device)
                    ) STRICT;
                    -- The id is a UUID of version 7: the key is the order of time as well.
                    CREATE TABLE sample (
                        series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE, id BLOB NOT NULL,
                        time INTEGER NOT NULL, value REAL NOT NULL, flags INTEGER NOT NULL, PRIMARY KEY (series, id)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE latest (
                        series INTEGER PRIMARY KEY REFERENCES series ON DELETE CASCADE, time INTEGER NOT NULL,
                        value REAL NOT NULL
                    ) STRICT;
                    CREATE TABLE minute (
                        series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE, minute INTEGER NOT NULL,
                        count INTEGER NOT NULL, sum REAL NOT NULL, min REAL NOT NULL, max REAL NOT NULL,
                        PRIMARY KEY (series, minute)
                    ) STRICT, WITHOUT ROWID;
                    """)
        },
        Migration("samples-2") { db in
            try db.execute(
                sql: """
                    -- Intervals between beats: 2 bytes each, tenths of a millisecond, big-endian.
                    ALTER TABLE sample ADD COLUMN beats BLOB;
                    CREATE TABLE hour (
                        series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE, hour INTEGER NOT NULL,
                        count INTEGER NOT NULL, sum REAL NOT NULL, min REAL NOT NULL, max REAL NOT NULL,
                        PRIMARY KEY (series, hour)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO hour (series, hour, count, sum, min, max)
                        SELECT series, minute / 60, sum(count), sum(sum), min(min), max(max) FROM minute
                        GROUP BY series, minute / 60;
                    -- IDs of readings that are gone, so that none is counted again.
                    CREATE TABLE seen (
                        history INTEGER NOT NULL, series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE,
                        id BLOB NOT NULL, PRIMARY KEY (history, series, id)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX seen_series ON seen (series);
                    CREATE TABLE kept (name TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                    """)
        },
        Migration("samples-3") { db in
            guard db.dialect == .postgres else { return }
            // Room in each page for the new version of a row that changes with nearly each batch. Its indexes then stay
            // as they are.
            for table in ["latest", "minute", "hour"] {
                try db.execute(sql: "ALTER TABLE \(table) SET (fillfactor = 50)")
            }
        },
        Migration("samples-4") { db in
            guard db.dialect == .postgres else { return }
            // A fifth of a page is room for some twenty versions, which PostgreSQL clears whenever the page is full. Of a
            // minute that is over nothing changes any more, and there are 525,600 of them in a year of a series.
            try db.execute(sql: "ALTER TABLE minute SET (fillfactor = 80)")
        },
    ]

    let file: DatabasePool

    /// Readings of persons to whom no account is linked any more.
    static func removeUnlinked(_ db: Database) throws {
        for table in ["series", "gap", "notice", "document", "alarm", "data_view"] {
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE NOT EXISTS (
                        SELECT 1 FROM link WHERE link.gateway = \(table).gateway AND link.person = \(table).person
                            AND link.state = 'linked')
                    """)
        }
        try FactsLite.removeUnlinked(db)
    }

    /// Persons of one statement: one text is prepared, whatever their number.
    private static let personsOfAStatement = 50

    func latest(of subject: HousePerson) async throws -> [LatestValue] {
        try await latest(of: [subject])[subject] ?? []
    }

    func latest(of subjects: [HousePerson]) async throws -> [HousePerson: [LatestValue]] {
        guard let last = subjects.last else { return [:] }
        let size = subjects.count == 1 ? 1 : Self.personsOfAStatement
        let places = Array(repeating: "(?, ?)", count: size).joined(separator: ", ")
        let values = try await file.read { db in
            var found: [HousePerson: [LatestValue]] = [:]
            for begin in stride(from: 0, to: subjects.count, by: size) {
                var persons = Array(subjects[begin..<min(begin + size, subjects.count)])
                persons += Array(repeating: last, count: size - persons.count)
                let rows = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT series.gateway, series.person, series.kind, series.device, latest.time, latest.value
                        FROM series JOIN latest ON latest.series = series.id
                        WHERE (series.gateway, series.person) IN (VALUES \(places))
                        """,
                    arguments: StatementArguments(persons.flatMap { [$0.gateway.text, $0.person.text] }))
                for row in rows {
                    guard let kind = QuantityKind(rawValue: row["kind"]),
                        let device = DeviceID(row["device"] as String),
                        let gateway = GatewayID(row["gateway"] as String),
                        let person = PersonID(row["person"] as String)
                    else { continue }
                    found[HousePerson(gateway, person), default: []].append(
                        LatestValue(
                            kind: kind, device: device, time: WallTime(row["time"]), value: row["value"]))
                }
            }
            return found
        }
        return values.mapValues { values in
            QuantityKind.allCases.compactMap { kind in
                values.filter { $0.kind == kind }.max { $0.time < $1.time }
            }
        }
    }

    func summaries(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, minutes: Int
    ) async throws -> [Summary] {
        let first = begin.millisecondsSince1970 / 60_000
        let length = Int64(max(minutes, 1))
        let isByHours = first % 60 == 0 && length % 60 == 0
        return try await file.read { db in
            // Until then the hours count, from then on the minutes. Hours alone where each span has whole hours.
            let change =
                isByHours
                ? Int64.max : try RetentionLite.kept(db).minutes.millisecondsSince1970 / 60_000
            let last = end.millisecondsSince1970 / 60_000
            return try Row.fetchAll(
                db,
                sql: """
                    WITH chosen (id) AS (
                        SELECT id FROM series WHERE gateway = :gateway AND person = :person AND kind = :kind
                    ), part (time, count, sum, min, max) AS (
                        SELECT minute, count, sum, min, max FROM minute WHERE series IN (SELECT id FROM chosen)
                            AND minute >= :minutes AND minute < :end
                        UNION ALL SELECT hour * 60, count, sum, min, max FROM hour WHERE series IN (SELECT id FROM chosen)
                            AND hour >= :firstHour AND hour < :endHour
                    )
                    SELECT (time - :first) / :length AS span, CAST(sum(count) AS BIGINT) AS count, sum(sum) AS sum, min(min) AS min,
                        max(max) AS max
                    FROM part GROUP BY span ORDER BY span
                    """,
                arguments: [
                    "first": first, "length": length, "end": last, "minutes": max(first, change),
                    "firstHour": (first + 59) / 60, "endHour": (min(last, change) + 59) / 60,
                    "gateway": subject.gateway.text, "person": subject.person.text, "kind": kind.rawValue,
                ]
            ).map { row in
                Summary(row, begin: WallTime((first + (row["span"] as Int64) * length) * 60_000))
            }
        }
    }

    func series(of subject: HousePerson) async throws -> [Series] {
        try await file.read { try Self.series(of: subject, nil, $0) }
    }

    func samples(
        of subject: HousePerson, in series: Series, after: MessageID?, most: Int
    ) async throws -> [StoredSample] {
        try await file.read { db in
            guard try Self.series(of: subject, nil, db).contains(where: { $0.number == series.number }) else {
                return []
            }
            return try BlocksLite(db: db).readings(of: series.number, after: after, most: most)
                .map { StoredSample($0, of: subject, in: series) }
        }
    }

    func rollUps(
        of subject: HousePerson, in series: Series, _ length: RollUp, from begin: WallTime, to end: WallTime,
        most: Int
    ) async throws -> [Summary] {
        let name =
            switch length {
            case .minute: "minute"
            case .hour: "hour"
            }
        let unit = length.rawValue
        return try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(name) AS time, count, sum, min, max FROM \(name) WHERE \(name) >= :begin AND \(name) < :end
                        AND series = (
                            SELECT id FROM series WHERE id = :series AND gateway = :gateway AND person = :person)
                    ORDER BY \(name) LIMIT :most
                    """,
                arguments: [
                    "begin": (begin.millisecondsSince1970 + unit - 1) / unit,
                    "end": (end.millisecondsSince1970 + unit - 1) / unit, "series": series.number,
                    "gateway": subject.gateway.text, "person": subject.person.text, "most": most,
                ]
            ).map { Summary($0, begin: WallTime(($0["time"] as Int64) * unit)) }
        }
    }

    func keptSince() async throws -> KeptSince { try await file.read { try RetentionLite.kept($0) } }

    func samples(
        of subject: HousePerson, _ kind: QuantityKind?, after: MessageID?, most: Int
    ) async throws -> [StoredSample] {
        try await file.read { db in
            let samples = try Self.series(of: subject, kind, db).flatMap { series in
                try BlocksLite(db: db).readings(of: series.number, after: after, most: most)
                    .map { StoredSample($0, of: subject, in: series) }
            }
            return Array(samples.sorted { $0.id < $1.id }.prefix(most))
        }
    }

    func samples(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredSample] {
        try await file.read { db in
            let samples = try Self.series(of: subject, kind, db).flatMap { series in
                try BlocksLite(db: db).readings(
                    of: series.number, from: begin.millisecondsSince1970, to: end.millisecondsSince1970
                ).map { StoredSample($0, of: subject, in: series) }
            }
            return Array(samples.sorted { ($0.time, $0.id) < ($1.time, $1.id) }.prefix(most))
        }
    }

    private static func series(
        of subject: HousePerson, _ kind: QuantityKind?, _ db: Database
    ) throws -> [Series] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, kind, device FROM series WHERE gateway = :gateway AND person = :person
                    AND (:kind IS NULL OR kind = :kind) ORDER BY kind, device
                """,
            arguments: [
                "gateway": subject.gateway.text, "person": subject.person.text, "kind": kind?.rawValue,
            ]
        ).compactMap { row in
            guard let kind = QuantityKind(rawValue: row["kind"]), let device = DeviceID(row["device"] as String)
            else { return nil }
            return Series(number: row["id"], kind: kind, device: device)
        }
    }
}

extension Summary {
    fileprivate init(_ row: Row, begin: WallTime) {
        let count: Int = row["count"]
        self.init(
            begin: begin, count: count, min: row["min"],
            mean: (row["sum"] as Double) / Double(Swift.max(count, 1)),
            max: row["max"])
    }
}

extension StoredSample {
    fileprivate init(_ reading: PackedReading, of subject: HousePerson, in series: Series) {
        self.init(
            subject: subject, kind: series.kind, device: series.device, id: reading.id,
            time: WallTime(reading.time), value: reading.value, flags: Flags(rawValue: reading.flags),
            beatIntervals: BeatBytes.intervals(reading.beats ?? []))
    }
}

/// Intervals between beats as bytes.
enum BeatBytes {
    /// Intervals of one reading: a notification of Bluetooth has 9 at most.
    static let most = 64

    static func bytes(_ intervals: [Double]) -> Data? {
        guard !intervals.isEmpty else { return nil }
        return Data(
            intervals.prefix(most).flatMap { interval -> [UInt8] in
                let tenths = UInt16(min(max((interval * 10).rounded(), 0), 65_535))
                return [UInt8(tenths >> 8), UInt8(tenths & 0xFF)]
            })
    }

    static func intervals(_ bytes: [UInt8]) -> [Double] {
        stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map { index in
            Double(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])) / 10
        }
    }
}
