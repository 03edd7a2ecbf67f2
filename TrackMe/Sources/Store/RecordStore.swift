public import Accounts
public import ContractReading
import FoundationEssentials
public import GatewayModel
public import SOSLocal
import SQLDatabase

/// Gaps, notices, documents and the state of houses.
public struct RecordStore: Sendable {
    static let migrations = [
        Migration("records-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE gap (
                        gateway TEXT NOT NULL, person TEXT NOT NULL, kind TEXT NOT NULL, id BLOB NOT NULL,
                        begin INTEGER NOT NULL, until INTEGER NOT NULL, dropped INTEGER NOT NULL,
                        kept INTEGER NOT NULL, reason TEXT NOT NULL, UNIQUE (gateway, person, id)
                    ) STRICT;
                    CREATE INDEX gap_id ON gap (id);
                    CREATE TABLE notice (
                        gateway TEXT NOT NULL, person TEXT NOT NULL, id BLOB NOT NULL, time INTEGER NOT NULL,
                        phase TEXT NOT NULL, matter TEXT NOT NULL, topic TEXT NOT NULL, english TEXT NOT NULL,
                        italian TEXT NOT NULL, UNIQUE (gateway, person, id)
                    ) STRICT;
                    CREATE INDEX notice_id ON notice (id);
                    CREATE TABLE document (
                        gateway TEXT NOT NULL, person TEXT NOT NULL, id BLOB NOT NULL, time INTEGER NOT NULL,
                        resource BLOB NOT NULL, UNIQUE (gateway, person, id)
                    ) STRICT;
                    CREATE INDEX document_id ON document (id);
                    CREATE TABLE house_state (
                        gateway TEXT PRIMARY KEY, status BLOB, online INTEGER NOT NULL DEFAULT 0,
                        version TEXT NOT NULL DEFAULT '', conditions TEXT NOT NULL DEFAULT '[]', seen INTEGER,
                        heartbeat BLOB, interval INTEGER NOT NULL DEFAULT 60, unsent INTEGER NOT NULL DEFAULT 0,
                        mains INTEGER, battery INTEGER
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE house_device (
                        gateway TEXT NOT NULL, device TEXT NOT NULL, last INTEGER NOT NULL,
                        PRIMARY KEY (gateway, device)
                    ) STRICT, WITHOUT ROWID;
                    """)
        },
        Migration("records-2") { db in
            try db.execute(
                sql: """
                    CREATE TABLE alarm (
                        gateway TEXT NOT NULL, person TEXT NOT NULL, alarm TEXT NOT NULL, begin INTEGER NOT NULL,
                        state TEXT NOT NULL, drill INTEGER NOT NULL, message BLOB NOT NULL,
                        PRIMARY KEY (gateway, person, alarm)
                    ) STRICT, WITHOUT ROWID;
                    """)
        },
        Migration("house-state-alarms") { db in
            try db.execute(sql: "ALTER TABLE house_state ADD COLUMN alarms INTEGER NOT NULL DEFAULT 0")
        },
    ]

    let file: DatabasePool

    // MARK: Writes of the intake

    static func keep(_ gap: StoredGap, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                INSERT INTO gap (gateway, person, kind, id, begin, until, dropped, kept, reason)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            arguments: [
                gap.subject.gateway.text, gap.subject.person.text, gap.kind.rawValue, Data(gap.id.bytes),
                gap.from.millisecondsSince1970, gap.to.millisecondsSince1970, gap.dropped, gap.kept,
                gap.reason?.rawValue ?? "",
            ])
        return db.changesCount == 1
    }

    static func keep(_ notice: StoredNotice, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                INSERT INTO notice (gateway, person, id, time, phase, matter, topic, english, italian)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            arguments: [
                notice.subject.gateway.text, notice.subject.person.text, Data(notice.id.bytes),
                notice.time.millisecondsSince1970, notice.phase.rawValue, notice.matter, notice.topic,
                notice.text.en, notice.text.it,
            ])
        return db.changesCount == 1
    }

    static func keep(_ document: StoredDocument, _ db: Database) throws -> Bool {
        try db.execute(
            sql: """
                INSERT INTO document (gateway, person, id, time, resource) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
            arguments: [
                document.subject.gateway.text, document.subject.person.text, Data(document.id.bytes),
                document.time.millisecondsSince1970, Data(document.resource),
            ])
        return db.changesCount == 1
    }

    /// Keeps the state of the newest message, and the earliest begin.
    static func keep(_ report: SOSReport, _ db: Database) throws {
        let message = report.message
        try db.execute(
            sql: """
                INSERT INTO alarm (gateway, person, alarm, begin, state, drill, message) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (gateway, person, alarm) DO UPDATE SET
                    begin = \(db.dialect.least("alarm.begin", "excluded.begin")),
                    state = CASE WHEN excluded.message > alarm.message THEN excluded.state ELSE alarm.state END,
                    message = \(db.dialect.greatest("alarm.message", "excluded.message"))
                """,
            arguments: [
                report.gateway.text, message.person.text, message.alarm.description,
                (message.crossing ?? message.time).millisecondsSince1970, message.state.rawValue,
                message.isDrill, Data(message.id.bytes),
            ])
    }

    static func keep(_ report: HouseReport, of gateway: GatewayID, at now: WallTime, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO house_state (gateway) VALUES (?) ON CONFLICT DO NOTHING",
            arguments: [gateway.text])
        switch report {
        case .status(let status):
            // The broker sends its last status again at each new session: the same ID is no sign of life.
            let seen = status.isOnline ? min(status.time, now).millisecondsSince1970 : nil
            try db.execute(
                sql: """
                    UPDATE house_state SET status = :id, online = :online, version = :version, conditions = :conditions,
                        seen = \(db.dialect.greatest("coalesce(seen, :seen)", "coalesce(:seen, seen)"))
                    WHERE gateway = :gateway AND (status IS NULL OR status <> :id OR online <> :online)
                    """,
                arguments: [
                    "id": Data(status.id.bytes), "online": status.isOnline, "version": status.version,
                    "conditions": String(
                        decoding: try JSONEncoder().encode(status.conditions), as: UTF8.self), "seen": seen,
                    "gateway": gateway.text,
                ])
        case .heartbeat(let beat):
            // Heartbeats that waited in the broker are as old as they say.
            try db.execute(
                sql: """
                    UPDATE house_state SET heartbeat = :id, version = :version, interval = :interval, unsent = :unsent,
                        mains = :mains, battery = :battery, alarms = :alarms, seen = \(db.dialect.greatest("coalesce(seen, 0)", ":seen"))
                    WHERE gateway = :gateway AND (heartbeat IS NULL OR heartbeat < :id)
                    """,
                arguments: [
                    "id": Data(beat.id.bytes), "version": beat.version,
                    "interval": beat.interval.components.seconds, "unsent": beat.unsent,
                    "mains": beat.hasMains, "battery": beat.batteryPercent, "alarms": beat.openAlarms,
                    "seen": min(beat.time, now).millisecondsSince1970, "gateway": gateway.text,
                ])
            guard db.changesCount == 1 else { return }
            try db.execute(sql: "DELETE FROM house_device WHERE gateway = ?", arguments: [gateway.text])
            for case (let device, let time?) in beat.wearables {
                try db.execute(
                    sql: "INSERT INTO house_device (gateway, device, last) VALUES (?, ?, ?)",
                    arguments: [gateway.text, device.text, time.millisecondsSince1970])
            }
        }
    }

    // MARK: Reads

    /// Gaps of a kind that touch a time, by their begin; at most `most`.
    public func gaps(
        of subject: HousePerson, _ kind: QuantityKind?, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredGap] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM gap WHERE gateway = :gateway AND person = :person AND (:kind IS NULL OR kind = :kind)
                        AND until >= :begin AND begin < :end ORDER BY begin, id LIMIT :most
                    """,
                arguments: [
                    "gateway": subject.gateway.text, "person": subject.person.text, "kind": kind?.rawValue,
                    "begin": begin.millisecondsSince1970, "end": end.millisecondsSince1970, "most": most,
                ]
            ).compactMap { StoredGap($0, of: subject) }
        }
    }

    /// All gaps in the order of their IDs, after the one with ID `after`.
    public func gaps(of subject: HousePerson, after: MessageID?, most: Int) async throws -> [StoredGap] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM gap WHERE gateway = ? AND person = ? AND id > ? ORDER BY id LIMIT ?",
                arguments: [subject.gateway.text, subject.person.text, Data(after?.bytes ?? []), most]
            ).compactMap { StoredGap($0, of: subject) }
        }
    }

    /// Alarms that began in a time, the earliest first.
    public func alarms(
        of subject: HousePerson, from begin: WallTime, to end: WallTime, most: Int
    ) async throws -> [StoredAlarm] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM alarm WHERE gateway = ? AND person = ? AND begin >= ? AND begin < ?
                    ORDER BY begin, alarm LIMIT ?
                    """,
                arguments: [
                    subject.gateway.text, subject.person.text, begin.millisecondsSince1970,
                    end.millisecondsSince1970, most,
                ]
            ).compactMap { StoredAlarm($0, of: subject) }
        }
    }

    /// All alarms in the order of their IDs, after the one with ID `after`.
    public func alarms(of subject: HousePerson, after: AlarmID?, most: Int) async throws -> [StoredAlarm] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT * FROM alarm WHERE gateway = ? AND person = ? AND alarm > ? ORDER BY alarm LIMIT ?",
                arguments: [
                    subject.gateway.text, subject.person.text, after?.description ?? "", most,
                ]
            ).compactMap { StoredAlarm($0, of: subject) }
        }
    }

    /// The person's decision at home about a policy of the house; nil if the house has told none.
    ///
    /// - Parameter policy: `data-policy` or `automated-sos`.
    public func decision(on policy: String, of subject: HousePerson) async throws -> PolicyDecision? {
        try await file.read { db in
            try Row.fetchOne(
                db, sql: "SELECT accepted, at FROM policy WHERE gateway = ? AND person = ? AND policy = ?",
                arguments: [subject.gateway.text, subject.person.text, policy]
            ).map {
                PolicyDecision(
                    isAccepted: $0["accepted"] as Int64 == 1, at: WallTime(millisecondsSince1970: $0["at"]))
            }
        }
    }

    /// Newest first.
    public func notices(of subject: HousePerson, before: MessageID?, most: Int) async throws -> [StoredNotice] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM notice WHERE gateway = :gateway AND person = :person
                        AND (:before IS NULL OR id < :before) ORDER BY id DESC LIMIT :most
                    """,
                arguments: [
                    "gateway": subject.gateway.text, "person": subject.person.text,
                    "before": before.map { Data($0.bytes) }, "most": most,
                ]
            ).compactMap { row in
                guard let id = MessageID(bytes: Array(row["id"] as Data)),
                    let phase = StoredNotice.Phase(rawValue: row["phase"])
                else { return nil }
                return StoredNotice(
                    subject: subject, id: id, time: WallTime(row["time"]), phase: phase, matter: row["matter"],
                    topic: row["topic"], text: Text(en: row["english"], it: row["italian"]))
            }
        }
    }

    /// In the order of their IDs, after the one with ID `after`.
    public func documents(of subject: HousePerson, after: MessageID?, most: Int) async throws
        -> [StoredDocument]
    {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM document WHERE gateway = ? AND person = ? AND id > ? ORDER BY id LIMIT ?
                    """,
                arguments: [
                    subject.gateway.text, subject.person.text, Data(after?.bytes ?? []), most,
                ]
            ).compactMap { row in
                guard let id = MessageID(bytes: Array(row["id"] as Data)) else { return nil }
                return StoredDocument(
                    subject: subject, id: id, time: WallTime(row["time"]),
                    resource: Array(row["resource"] as Data))
            }
        }
    }

    /// Nil for a house that has told nothing of itself.
    public func state(of gateway: GatewayID) async throws -> HouseState? {
        try await file.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM house_state WHERE gateway = ?", arguments: [gateway.text]
            ).map { HouseState($0, of: gateway) }
        }
    }

    /// Sorted by ID.
    public func devices(of subject: HousePerson) async throws -> [SeenDevice] {
        let rows = try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT series.device, series.kind, max(latest.time) AS newest, max(house_device.last) AS told
                    FROM series LEFT JOIN latest ON latest.series = series.id
                        LEFT JOIN house_device ON house_device.gateway = series.gateway
                            AND house_device.device = series.device
                    WHERE series.gateway = ? AND series.person = ? GROUP BY series.device, series.kind
                    ORDER BY series.device
                    """, arguments: [subject.gateway.text, subject.person.text]
            ).compactMap { row -> (DeviceID, QuantityKind, Int64?)? in
                guard let device = DeviceID(row["device"] as String),
                    let kind = QuantityKind(rawValue: row["kind"])
                else { return nil }
                let times = [row["newest"] as Int64?, row["told"] as Int64?].compactMap { $0 }
                return (device, kind, times.max())
            }
        }
        return Dictionary(grouping: rows, by: \.0).map { device, rows in
            let kinds = Set(rows.map(\.1))
            return SeenDevice(
                device: device, kinds: QuantityKind.allCases.filter(kinds.contains),
                lastReading: rows.compactMap(\.2).max().map { WallTime($0) })
        }.sorted { $0.device.text < $1.device.text }
    }
}

extension HouseState {
    init(_ row: Row, of gateway: GatewayID) {
        let conditions = try? JSONDecoder().decode(
            [HouseStatus.Condition].self, from: Data((row["conditions"] as String).utf8))
        self.init(
            gateway: gateway, lastSeen: (row["seen"] as Int64?).map { WallTime($0) },
            isOnline: row["online"], version: row["version"],
            interval: .seconds(row["interval"] as Int64), unsent: row["unsent"], hasMains: row["mains"],
            batteryPercent: row["battery"], conditions: conditions ?? [])
    }
}

extension StoredGap {
    fileprivate init?(_ row: Row, of subject: HousePerson) {
        guard let kind = QuantityKind(rawValue: row["kind"]),
            let id = MessageID(bytes: Array(row["id"] as Data))
        else { return nil }
        self.init(
            subject: subject, kind: kind, id: id, from: WallTime(row["begin"]), to: WallTime(row["until"]),
            dropped: row["dropped"], kept: row["kept"], reason: SampleGap.Reason(rawValue: row["reason"]))
    }
}

extension StoredAlarm {
    fileprivate init?(_ row: Row, of subject: HousePerson) {
        guard let alarm = AlarmID(row["alarm"] as String),
            let state = EmergencyMessage.State(rawValue: row["state"])
        else { return nil }
        self.init(
            subject: subject, alarm: alarm, begin: WallTime(row["begin"]), state: state, isDrill: row["drill"])
    }
}

/// Readings of one kind that the house dropped, with the reason. They will never come.
public struct StoredGap: Hashable, Sendable {
    public let subject: HousePerson
    public let kind: QuantityKind
    public let id: MessageID
    /// Arrival of the earliest and of the latest missing reading at the house; both belong to the gap.
    public let from, to: WallTime
    public let dropped: Int
    /// Readings of that time that were kept.
    public let kept: Int
    /// Nil for a reason that this program does not know.
    public let reason: SampleGap.Reason?

    public init(
        subject: HousePerson, kind: QuantityKind, id: MessageID, from: WallTime, to: WallTime, dropped: Int,
        kept: Int, reason: SampleGap.Reason?
    ) {
        (self.subject, self.kind, self.id, self.from, self.to) = (subject, kind, id, from, to)
        (self.dropped, self.kept, self.reason) = (dropped, kept, reason)
    }
}

/// News of the house about a person that is no emergency.
public struct StoredNotice: Hashable, Sendable {
    public enum Phase: String, CaseIterable, Hashable, Sendable { case began, ended, news }

    public let subject: HousePerson
    public let id: MessageID
    public let time: WallTime
    public let phase: Phase
    /// The same in both phases of one matter.
    public let matter: String
    /// As the contract names it.
    public let topic: String
    public let text: Text

    public init(
        subject: HousePerson, id: MessageID, time: WallTime, phase: Phase, matter: String, topic: String,
        text: Text
    ) {
        (self.subject, self.id, self.time, self.phase) = (subject, id, time, phase)
        (self.matter, self.topic, self.text) = (matter, topic, text)
    }
}

/// Alarm of a person, by the messages of its calls for help.
public struct StoredAlarm: Hashable, Sendable {
    public let subject: HousePerson
    public let alarm: AlarmID
    /// When the event that raised it reached the house, or the time of the first message.
    public let begin: WallTime
    /// Of the newest message.
    public let state: EmergencyMessage.State
    /// A rehearsal.
    public let isDrill: Bool

    public init(
        subject: HousePerson, alarm: AlarmID, begin: WallTime, state: EmergencyMessage.State, isDrill: Bool
    ) {
        (self.subject, self.alarm, self.begin) = (subject, alarm, begin)
        (self.state, self.isDrill) = (state, isDrill)
    }
}

/// FHIR resource without a value that is a reading here, as it came.
public struct StoredDocument: Hashable, Sendable {
    public let subject: HousePerson
    public let id: MessageID
    public let time: WallTime
    /// JSON of one resource.
    public let resource: [UInt8]

    public init(subject: HousePerson, id: MessageID, time: WallTime, resource: [UInt8]) {
        (self.subject, self.id, self.time, self.resource) = (subject, id, time, resource)
    }
}

/// Message of a house about itself.
public enum HouseReport: Hashable, Sendable {
    case status(HouseStatus)
    case heartbeat(HouseHeartbeat)
}

/// State of a house as the broker keeps it. The broker sends it again at each new session.
public struct HouseStatus: Hashable, Sendable {
    public struct Condition: Hashable, Codable, Sendable {
        public let code, severity: String
        /// The wearable, the person or the part.
        public let subject: String?

        public init(code: String, severity: String, subject: String?) {
            (self.code, self.severity, self.subject) = (code, severity, subject)
        }
    }

    public let id: MessageID
    /// Of its change; of a house that is offline, the time at which it connected.
    public let time: WallTime
    public let isOnline: Bool
    public let version: String
    public let conditions: [Condition]

    public init(id: MessageID, time: WallTime, isOnline: Bool, version: String, conditions: [Condition]) {
        (self.id, self.time, self.isOnline) = (id, time, isOnline)
        (self.version, self.conditions) = (version, conditions)
    }
}

/// Sign of life of a house.
public struct HouseHeartbeat: Hashable, Sendable {
    public let id: MessageID
    public let time: WallTime
    public let version: String
    /// Time until the next one.
    public let interval: Duration
    public let openAlarms: Int
    public let unsent: Int
    public let hasMains: Bool?
    public let batteryPercent: Int?
    /// Time of the last reading of each wearable, where there was one.
    public let wearables: [DeviceID: WallTime?]

    public init(
        id: MessageID, time: WallTime, version: String, interval: Duration, openAlarms: Int, unsent: Int,
        hasMains: Bool?, batteryPercent: Int?, wearables: [DeviceID: WallTime?]
    ) {
        (self.id, self.time, self.version, self.interval) = (id, time, version, interval)
        (self.openAlarms, self.unsent) = (openAlarms, unsent)
        (self.hasMains, self.batteryPercent, self.wearables) = (hasMains, batteryPercent, wearables)
    }
}

/// Last known state of a house.
public struct HouseState: Hashable, Sendable {
    /// Seconds beyond three intervals after which a house without a heartbeat is away. A page that looks every 2 s shows it
    /// within 10.
    private static let grace: Int64 = 7

    public let gateway: GatewayID
    /// Of the newest sign of life; nil before the first.
    public let lastSeen: WallTime?
    /// The broker's last word.
    public let isOnline: Bool
    public let version: String
    public let interval: Duration
    public let unsent: Int
    public let hasMains: Bool?
    public let batteryPercent: Int?
    public let conditions: [HouseStatus.Condition]

    public init(
        gateway: GatewayID, lastSeen: WallTime?, isOnline: Bool, version: String, interval: Duration,
        unsent: Int, hasMains: Bool?, batteryPercent: Int?, conditions: [HouseStatus.Condition]
    ) {
        (self.gateway, self.lastSeen, self.isOnline) = (gateway, lastSeen, isOnline)
        (self.version, self.interval, self.unsent) = (version, interval, unsent)
        (self.hasMains, self.batteryPercent, self.conditions) = (hasMains, batteryPercent, conditions)
    }

    /// Whether the broker has its session, and its heartbeats come.
    public func isPresent(at now: WallTime) -> Bool {
        guard isOnline, let lastSeen else { return false }
        return now <= lastSeen.advanced(by: interval * 3 + .seconds(Self.grace))
    }
}

/// Device of which a person has readings here.
public struct SeenDevice: Hashable, Sendable {
    public let device: DeviceID
    public let kinds: [QuantityKind]
    /// Of its newest reading here, or of that which the house reported, whichever is later.
    public let lastReading: WallTime?

    public init(device: DeviceID, kinds: [QuantityKind], lastReading: WallTime?) {
        (self.device, self.kinds, self.lastReading) = (device, kinds, lastReading)
    }
}

/// Decision of a person, at home, about a policy of the house.
public struct PolicyDecision: Hashable, Sendable {
    public let isAccepted: Bool
    public let at: WallTime

    public init(isAccepted: Bool, at: WallTime) { (self.isAccepted, self.at) = (isAccepted, at) }
}
