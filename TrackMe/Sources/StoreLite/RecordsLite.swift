import Accounts
import ContractReading
import FoundationEssentials
import GatewayModel
import SOSLocal
import SQLDatabase
import Store

/// Gaps, notices, documents and the state of houses.
struct RecordsLite: RecordStore {
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

    func gaps(
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

    func gaps(of subject: HousePerson, after: MessageID?, most: Int) async throws -> [StoredGap] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM gap WHERE gateway = ? AND person = ? AND id > ? ORDER BY id LIMIT ?",
                arguments: [subject.gateway.text, subject.person.text, Data(after?.bytes ?? []), most]
            ).compactMap { StoredGap($0, of: subject) }
        }
    }

    func alarms(
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

    func alarms(of subject: HousePerson, after: AlarmID?, most: Int) async throws -> [StoredAlarm] {
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

    func decision(on policy: String, of subject: HousePerson) async throws -> PolicyDecision? {
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

    func notices(of subject: HousePerson, before: MessageID?, most: Int) async throws -> [StoredNotice] {
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

    func documents(of subject: HousePerson, after: MessageID?, most: Int) async throws -> [StoredDocument] {
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

    func state(of gateway: GatewayID) async throws -> HouseState? {
        try await file.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM house_state WHERE gateway = ?", arguments: [gateway.text]
            ).map { HouseState($0, of: gateway) }
        }
    }

    func devices(of subject: HousePerson) async throws -> [SeenDevice] {
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
