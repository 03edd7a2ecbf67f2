import Accounts
import FoundationEssentials
import GRDB
import GatewayModel
import Store

/// Readings, their newest values and their minutes.
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
        }
    ]

    let file: LiteFile

    /// Readings of persons to whom no account is linked any more.
    static func removeUnlinked(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM series WHERE NOT EXISTS (
                    SELECT 1 FROM link WHERE link.gateway = series.gateway AND link.person = series.person
                        AND link.state = 'linked')
                """)
    }

    func latest(of subject: HousePerson) async throws -> [LatestValue] {
        let values = try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT series.kind, series.device, latest.time, latest.value FROM series JOIN latest
                        ON latest.series = series.id WHERE gateway = ? AND person = ?
                    """, arguments: [subject.gateway.text, subject.person.text]
            ).compactMap { row -> LatestValue? in
                guard let kind = QuantityKind(rawValue: row["kind"]),
                    let device = DeviceID(row["device"] as String)
                else { return nil }
                return LatestValue(kind: kind, device: device, time: WallTime(row["time"]), value: row["value"])
            }
        }
        return QuantityKind.allCases.compactMap { kind in
            values.filter { $0.kind == kind }.max { $0.time < $1.time }
        }
    }

    func summaries(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, minutes: Int
    ) async throws -> [Summary] {
        let first = begin.millisecondsSince1970 / 60_000
        let length = Int64(max(minutes, 1))
        return try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT (minute - :first) / :length AS span, sum(count) AS count, sum(sum) AS sum, min(min) AS min,
                        max(max) AS max
                    FROM minute WHERE minute >= :first AND minute < :end AND series IN (
                        SELECT id FROM series WHERE gateway = :gateway AND person = :person AND kind = :kind)
                    GROUP BY span ORDER BY span
                    """,
                arguments: [
                    "first": first, "length": length, "end": end.millisecondsSince1970 / 60_000,
                    "gateway": subject.gateway.text, "person": subject.person.text, "kind": kind.rawValue,
                ]
            ).map { row in
                let count: Int = row["count"]
                return Summary(
                    begin: WallTime((first + (row["span"] as Int64) * length) * 60_000), count: count,
                    min: row["min"], mean: (row["sum"] as Double) / Double(max(count, 1)), max: row["max"])
            }
        }
    }

    private static let columns =
        "sample.id AS id, time, value, flags, series.kind AS kind, series.device AS device"

    func samples(
        of subject: HousePerson, _ kind: QuantityKind?, after: MessageID?, most: Int
    ) async throws -> [StoredSample] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.columns) FROM sample JOIN series ON series.id = sample.series
                    WHERE gateway = :gateway AND person = :person AND (:kind IS NULL OR kind = :kind)
                        AND sample.id > :after ORDER BY sample.id LIMIT :most
                    """,
                arguments: [
                    "gateway": subject.gateway.text, "person": subject.person.text, "kind": kind?.rawValue,
                    "after": Data(after?.bytes ?? []), "most": most,
                ]
            ).compactMap { StoredSample(row: $0, of: subject) }
        }
    }

    func samples(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredSample] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.columns) FROM sample JOIN series ON series.id = sample.series
                    WHERE gateway = ? AND person = ? AND kind = ? AND time >= ? AND time < ?
                    ORDER BY time, sample.id LIMIT ?
                    """,
                arguments: [
                    subject.gateway.text, subject.person.text, kind.rawValue, begin.millisecondsSince1970,
                    end.millisecondsSince1970, most,
                ]
            ).compactMap { StoredSample(row: $0, of: subject) }
        }
    }
}

extension StoredSample {
    fileprivate init?(row: Row, of subject: HousePerson) {
        guard let kind = QuantityKind(rawValue: row["kind"]), let device = DeviceID(row["device"] as String),
            let id = MessageID(bytes: Array(row["id"] as Data))
        else { return nil }
        self.init(
            subject: subject, kind: kind, device: device, id: id, time: WallTime(row["time"]),
            value: row["value"], flags: Flags(rawValue: row["flags"]))
    }
}
