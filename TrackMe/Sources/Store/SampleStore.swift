public import Accounts
import FoundationEssentials
public import GatewayModel
import SQLDatabase

/// Readings, their newest values, their minutes and their hours.
public struct SampleStore: Sendable {
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
        try FactStore.removeUnlinked(db)
    }

    /// Persons of one statement: one text is prepared, whatever their number.
    private static let personsOfAStatement = 50

    /// One value a kind, in the order of `QuantityKind`.
    public func latest(of subject: HousePerson) async throws -> [LatestValue] {
        try await latest(of: [subject])[subject] ?? []
    }

    /// The same for many persons at once. A person without a reading is missing.
    public func latest(of subjects: [HousePerson]) async throws -> [HousePerson: [LatestValue]] {
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

    /// Summaries of spans of `minutes` each from `begin` to `end`; spans without a reading are absent. Where the minutes
    /// are gone, an hour counts for the span in which it begins.
    public func summaries(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, minutes: Int
    ) async throws -> [Summary] {
        let first = begin.millisecondsSince1970 / 60_000
        let length = Int64(max(minutes, 1))
        let isByHours = first % 60 == 0 && length % 60 == 0
        return try await file.read { db in
            // Until then the hours count, from then on the minutes. Hours alone where each span has whole hours.
            let change =
                isByHours
                ? Int64.max : try RetentionStore.kept(db).minutes.millisecondsSince1970 / 60_000
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

    /// Sorted by kind and device.
    public func series(of subject: HousePerson) async throws -> [Series] {
        try await file.read { try Self.series(of: subject, nil, $0) }
    }

    /// Readings of a series of the person, in the order of their IDs.
    public func samples(
        of subject: HousePerson, in series: Series, after: MessageID?, most: Int
    ) async throws -> [StoredSample] {
        try await file.read { db in
            guard try Self.series(of: subject, nil, db).contains(where: { $0.number == series.number }) else {
                return []
            }
            return try BlockRows(db: db).readings(of: series.number, after: after, most: most)
                .map { StoredSample($0, of: subject, in: series) }
        }
    }

    /// Summaries of a series of the person by their begin, from one time until before another.
    public func rollUps(
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

    public func keptSince() async throws -> KeptSince { try await file.read { try RetentionStore.kept($0) } }

    /// Readings in the order of their IDs, after the one with ID `after`; at most `most`.
    public func samples(
        of subject: HousePerson, _ kind: QuantityKind?, after: MessageID?, most: Int
    ) async throws -> [StoredSample] {
        try await file.read { db in
            let samples = try Self.series(of: subject, kind, db).flatMap { series in
                try BlockRows(db: db).readings(of: series.number, after: after, most: most)
                    .map { StoredSample($0, of: subject, in: series) }
            }
            return Array(samples.sorted { $0.id < $1.id }.prefix(most))
        }
    }

    /// Readings by time, at most `most`.
    public func samples(
        of subject: HousePerson, _ kind: QuantityKind, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredSample] {
        try await file.read { db in
            let samples = try Self.series(of: subject, kind, db).flatMap { series in
                try BlockRows(db: db).readings(
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

/// One reading as the contract carries it.
public struct StoredSample: Hashable, Sendable {
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: Int64

        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// A stored record that came late.
        public static let history = Flags(rawValue: 1)
        /// The device's clock told nothing: `time` is the time of arrival.
        public static let undated = Flags(rawValue: 2)
        /// The sensor had no contact with the skin. Such a value is kept, and is in no chart.
        public static let contactLost = Flags(rawValue: 4)
        /// Another program of the house handed it over.
        public static let app = Flags(rawValue: 8)
        /// The sensor, or the values beside it, doubt the value.
        public static let questionable = Flags(rawValue: 16)
        /// A cuff has found an irregular pulse.
        public static let irregularPulse = Flags(rawValue: 32)

        /// The doubts that are kept: an irregular pulse is a finding, and `questionable` stands for all others.
        public init(_ doubts: Doubts) {
            self = doubts.contains(.irregularPulse) ? .irregularPulse : []
            if !doubts.subtracting(.irregularPulse).isEmpty { insert(.questionable) }
        }

        /// Doubts of the value, as far as they are kept.
        public var doubts: Doubts {
            let doubts: Doubts = contains(.questionable) ? .questionable : []
            return contains(.irregularPulse) ? doubts.union(.irregularPulse) : doubts
        }
    }

    public let subject: HousePerson
    public let kind: QuantityKind
    public let device: DeviceID
    public let id: MessageID
    public let time: WallTime
    public let value: Double
    public let flags: Flags
    /// Milliseconds between the beats that came with a heart rate, in order, in tenths.
    public let beatIntervals: [Double]

    public init(
        subject: HousePerson, kind: QuantityKind, device: DeviceID, id: MessageID, time: WallTime,
        value: Double, flags: Flags = [], beatIntervals: [Double] = []
    ) {
        (self.subject, self.kind, self.device, self.id) = (subject, kind, device, id)
        (self.time, self.value, self.flags, self.beatIntervals) = (time, value, flags, beatIntervals)
    }
}

/// Newest reading of a kind, of any device.
public struct LatestValue: Hashable, Sendable {
    public let kind: QuantityKind
    public let device: DeviceID
    public let time: WallTime
    public let value: Double

    public init(kind: QuantityKind, device: DeviceID, time: WallTime, value: Double) {
        (self.kind, self.device, self.time, self.value) = (kind, device, time, value)
    }
}

/// Summary of the readings of a kind in one span of time.
public struct Summary: Hashable, Sendable {
    public let begin: WallTime
    public let count: Int
    public let min, mean, max: Double

    public init(begin: WallTime, count: Int, min: Double, mean: Double, max: Double) {
        (self.begin, self.count, self.min, self.mean, self.max) = (begin, count, min, mean, max)
    }
}

/// Readings of one kind of one device.
public struct Series: Hashable, Sendable {
    /// In the store.
    public let number: Int64
    public let kind: QuantityKind
    public let device: DeviceID

    public init(number: Int64, kind: QuantityKind, device: DeviceID) {
        (self.number, self.kind, self.device) = (number, kind, device)
    }
}

/// Length of the spans of summaries that are kept.
public enum RollUp: Int64, CaseIterable, Hashable, Sendable {
    case minute = 60_000
    case hour = 3_600_000
}

/// Begins of the times of which all readings and summaries are kept.
public struct KeptSince: Hashable, Sendable {
    /// Readings with an ID from before may be in blocks.
    public var packed: WallTime
    /// Readings with an ID from before are gone.
    public var raw: WallTime
    public var minutes: WallTime
    public var hours: WallTime
    /// Live readings with an ID from before are refused.
    public var live: WallTime
    /// Stored records of a device likewise.
    public var history: WallTime

    public init(
        packed: WallTime, raw: WallTime, minutes: WallTime, hours: WallTime, live: WallTime, history: WallTime
    ) {
        self.packed = packed
        (self.raw, self.minutes, self.hours, self.live, self.history) = (raw, minutes, hours, live, history)
    }
}
