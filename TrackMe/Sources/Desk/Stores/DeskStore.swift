public import ContractReading
import Foundation
public import GatewayModel
import JSONReading
import SOSLocal
public import SQLDatabase
import Store

/// Calls of the desk: the newest state of each call, its log in the audit log, and the outbox of acceptances. States, and the
/// lines of the log that name somebody, are sealed.
public struct DeskStore: Sendable {
    public static let migrations = [
        Migration("desk-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE desk_call (
                        gateway TEXT NOT NULL, alarm TEXT NOT NULL, is_open INTEGER NOT NULL, since INTEGER NOT NULL,
                        state TEXT NOT NULL, PRIMARY KEY (gateway, alarm)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX desk_call_open ON desk_call (is_open, since);
                    CREATE TABLE acceptance (
                        number INTEGER PRIMARY KEY AUTOINCREMENT, gateway TEXT NOT NULL, alarm TEXT NOT NULL,
                        person TEXT NOT NULL, "user" TEXT NOT NULL, name TEXT NOT NULL, taken INTEGER NOT NULL,
                        next INTEGER NOT NULL, delivered INTEGER
                    ) STRICT;
                    CREATE INDEX acceptance_due ON acceptance (next) WHERE delivered IS NULL;
                    """)
        }, ForwardingStore.migration, HouseTokenStore.migration,
        // Milliseconds since 1970. Calls of before are not measured.
        Migration("desk-times-1") { db in
            try db.execute(
                sql: """
                    ALTER TABLE desk_call ADD COLUMN is_measured INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE desk_call ADD COLUMN taken INTEGER;
                    ALTER TABLE desk_call ADD COLUMN ended INTEGER;
                    CREATE INDEX desk_call_measured ON desk_call (since) WHERE is_measured = 1;
                    """)
        }, CallSealer.migration,
    ]

    /// Area of the calls in the audit log.
    public static let area = "desk"
    /// Area of the readers of calls in the audit log.
    public static let readingArea = "desk-reading"
    /// Time in which a dispatcher's looks at one call are one line: the page of an open call is read again at each change.
    private static let readingInterval = Duration.seconds(3_600)
    /// Bytes of a stored call: a message of 64 KB, 200 notes and the memory of its messages.
    private static let largestState = 2_097_152

    private let file: DatabasePool
    private let sealer: CallSealer
    private let forwarding: ForwardingRule?

    /// - Parameter forwarding: nil if no call is handed on to an outside service.
    public init(file: DatabasePool, sealer: CallSealer, forwarding: ForwardingRule? = nil) {
        (self.file, self.sealer, self.forwarding) = (file, sealer, forwarding)
    }

    // MARK: Messages of the houses

    /// Handles a message in the transaction of its batch.
    /// - Returns: the alerts, for after the commit.
    public static func receive(
        _ message: EmergencyMessage, from gateway: GatewayID, at now: WallTime, sealer: CallSealer,
        forwarding: ForwardingRule? = nil, _ db: Database
    ) throws -> [EmergencyCall.Alert] {
        let id = CallID(gateway: gateway, alarm: message.alarm)
        let actions: [EmergencyCall.Action]
        var call: EmergencyCall
        if let known = try Self.call(id, sealer, db) {
            call = known
            actions = call.receive(message, at: now)
        } else {
            (call, actions) = EmergencyCall.received(message, from: gateway, at: now)
        }
        guard !actions.isEmpty else { return [] }
        return try keep(call, actions, sealer, forwarding, at: now, db)
    }

    /// Handles a message that came besides the broker.
    /// - Returns: the alerts for the open pages.
    public func receive(
        _ message: EmergencyMessage, from gateway: GatewayID, at now: WallTime
    ) async throws -> [EmergencyCall.Alert] {
        try await file.write { [sealer, forwarding] in
            try Self.receive(message, from: gateway, at: now, sealer: sealer, forwarding: forwarding, $0)
        }
    }

    /// Writes the call with the consequences of an event.
    private static func keep(
        _ call: EmergencyCall, _ actions: [EmergencyCall.Action], _ sealer: CallSealer,
        _ forwarding: ForwardingRule?, at now: WallTime, _ db: Database
    ) throws -> [EmergencyCall.Alert] {
        let (gateway, alarm) = (call.id.gateway.text, call.id.alarm.description)
        try db.execute(
            sql: """
                INSERT INTO desk_call (gateway, alarm, is_open, since, state, is_measured, taken, ended)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (gateway, alarm) DO UPDATE SET is_open = excluded.is_open, state = excluded.state,
                    taken = excluded.taken, ended = excluded.ended
                """,
            arguments: [
                gateway, alarm, call.isOpen, call.since.millisecondsSince1970,
                try sealer.key(of: call.id, db).seal(try text(of: call)),
                !call.isDrill,
                call.firstTaken?.millisecondsSince1970, call.ended?.millisecondsSince1970,
            ])
        if let forwarding { try ForwardingStore.changed(call, by: forwarding, at: now, db) }
        var alerts: [EmergencyCall.Alert] = []
        for action in actions {
            switch action {
            case .record(let entry): try append(entry, to: call.id, sealer, at: now, db)
            case .alert(let alert): alerts.append(alert)
            case .publishAcceptance(let dispatcher):
                try db.execute(
                    sql: """
                        INSERT INTO acceptance (gateway, alarm, person, "user", name, taken, next)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        gateway, alarm, call.person.text, dispatcher.user, dispatcher.name,
                        now.millisecondsSince1970, now.millisecondsSince1970,
                    ])
            }
        }
        try db.announce(DeskNotice.changed(alerts))
        return alerts
    }

    /// Writes entries that come without a change of their call, and tells the other servers.
    static func record(
        _ entries: [EmergencyCall.Entry], of id: CallID, _ sealer: CallSealer, at now: WallTime,
        _ db: Database
    ) throws {
        guard !entries.isEmpty else { return }
        for entry in entries { try append(entry, to: id, sealer, at: now, db) }
        try db.announce(DeskNotice.changed([]))
    }

    private static func append(
        _ entry: EmergencyCall.Entry, to id: CallID, _ sealer: CallSealer, at now: WallTime, _ db: Database
    ) throws {
        let text = try text(of: entry)
        let line = entry.namesSomebody ? try sealer.key(of: id, db).seal(text) : text
        try AuditLog.append(line, about: subject(of: id), in: area, at: now, db)
    }

    private static func subject(of id: CallID) -> String { "\(id.gateway)/\(id.alarm)" }

    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func call(_ id: CallID, _ sealer: CallSealer, _ db: Database) throws -> EmergencyCall? {
        try String.fetchOne(
            db, sql: "SELECT state FROM desk_call WHERE gateway = ? AND alarm = ?",
            arguments: [id.gateway.text, id.alarm.description]
        ).map { try decoded(try sealer.open($0, of: id, db)) }
    }

    /// Calls by the end of a statement behind `FROM desk_call`.
    private func calls(_ rest: String, _ arguments: StatementArguments = StatementArguments()) async throws
        -> [EmergencyCall]
    {
        try await file.read { [sealer] db in
            try Row.fetchAll(
                db, sql: "SELECT gateway, alarm, state FROM desk_call " + rest, arguments: arguments
            ).map { row in
                let id = try Self.knownID(row)
                return try Self.decoded(try sealer.open(row["state"] as String, of: id, db))
            }
        }
    }

    static func id(_ row: Row) -> CallID? {
        guard let gateway = GatewayID(row["gateway"] as String), let alarm = AlarmID(row["alarm"]) else {
            return nil
        }
        return CallID(gateway: gateway, alarm: alarm)
    }

    private static func knownID(_ row: Row) throws -> CallID {
        guard let id = id(row) else {
            throw DatabaseError(
                .unexpectedType, "a call of the desk has no valid house or alarm. Restore a backup")
        }
        return id
    }

    static func decoded<Value: Decodable>(_ text: String) throws -> Value {
        try JSONReader.decode(from: Array(text.utf8), limit: largestState)
    }

    // MARK: The desk

    /// Open calls, the oldest first.
    public func openCalls() async throws -> [EmergencyCall] {
        try await calls("WHERE is_open = 1 ORDER BY since")
    }

    public static func hasOpenCall(of house: GatewayID, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM desk_call WHERE gateway = ? AND is_open = 1)",
            arguments: [house.text]) ?? false
    }

    /// Calls on which nobody has to work any more, the newest first.
    public func endedCalls(most: Int) async throws -> [EmergencyCall] {
        try await calls("WHERE is_open = 0 ORDER BY since DESC LIMIT ?", [most])
    }

    public func call(_ id: CallID) async throws -> EmergencyCall? {
        try await file.read { [sealer] in try Self.call(id, sealer, $0) }
    }

    /// Forwarding of those calls that are handed on to the outside service.
    public func forwardings(of calls: [CallID]) async throws -> [CallID: CallForwarding] {
        guard forwarding != nil else { return [:] }
        return try await file.read { db in
            var found: [CallID: CallForwarding] = [:]
            for call in calls { found[call] = try ForwardingStore.forwarding(of: call, db) }
            return found
        }
    }

    /// Closes those of the calls that nobody has taken, in one transaction.
    /// - Returns: the number of them.
    public func closeUntaken(
        _ calls: [CallID], by dispatcher: Dispatcher, _ outcome: EmergencyCall.Outcome, note: String,
        at now: WallTime
    ) async throws -> Int {
        try await file.write { [sealer, forwarding] db in
            var count = 0
            for id in calls {
                // Somebody may have taken it, or the house ended it, since the page was made.
                guard var call = try Self.call(id, sealer, db), call.isOpen, call.work == .waiting else {
                    continue
                }
                let actions = try call.closeUntaken(by: dispatcher, outcome, note: note, at: now)
                _ = try Self.keep(call, actions, sealer, forwarding, at: now, db)
                count += 1
            }
            return count
        }
    }

    /// Times from the arrival of a call to its first taking, of the calls since a time.
    public func takingTimes(since: WallTime, at now: WallTime) async throws -> TakingTimes {
        try await file.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT count(*) AS calls,
                        coalesce(sum(CASE WHEN taken <= since + :soon THEN 1 ELSE 0 END), 0) AS soon,
                        coalesce(sum(CASE WHEN taken <= since + :late THEN 1 ELSE 0 END), 0) AS late
                    FROM desk_call WHERE is_measured = 1 AND since >= :since
                        AND (taken IS NOT NULL OR coalesce(ended, :now) > since + :late)
                    """,
                arguments: [
                    "soon": TakingTimes.soon * 1_000, "late": TakingTimes.late * 1_000,
                    "since": since.millisecondsSince1970, "now": now.millisecondsSince1970,
                ])
            guard let row = rows.first else { return TakingTimes(calls: 0, withinMinute: 0, withinThree: 0) }
            return TakingTimes(calls: row["calls"], withinMinute: row["soon"], withinThree: row["late"])
        }
    }

    /// Arrival of the newest message of any house. An answer is a sign of life of the database.
    public func newestMessage() async throws -> WallTime? {
        try await file.read { db in
            try Int64.fetchOne(db, sql: "SELECT max(seen) FROM house_state").map(
                WallTime.init(millisecondsSince1970:))
        }
    }

    /// Log of a call, the oldest line first.
    public func log(of id: CallID) async throws -> [LoggedEntry] {
        try await file.read { [sealer] db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT at, entry FROM audit WHERE area = ? AND subject = ? ORDER BY number",
                arguments: [Self.area, Self.subject(of: id)])
            return try zip(rows, try sealer.open(rows.map { $0["entry"] as String }, of: id, db)).map {
                row, entry in
                LoggedEntry(at: WallTime(millisecondsSince1970: row["at"]), entry: try Self.decoded(entry))
            }
        }
    }

    /// Carries out an act in one transaction with its log and its acceptance. Of two dispatchers at once one wins.
    /// - Returns: the call afterwards, and the alerts for the open pages.
    /// - Throws: `DeskRefusal`, or the error of the database. Nothing is kept then.
    public func carryOut(
        _ act: DeskAct, on id: CallID, by dispatcher: Dispatcher, at now: WallTime
    ) async throws -> (call: EmergencyCall, alerts: [EmergencyCall.Alert]) {
        try await file.write { [sealer, forwarding] db in
            guard var call = try Self.call(id, sealer, db) else { throw DeskRefusal.unknownCall }
            let actions =
                switch act {
                case .take: try call.take(by: dispatcher, at: now)
                case .release: try call.release(by: dispatcher, at: now)
                case .takeOver(let reason, let isHolderAway):
                    try call.takeOver(by: dispatcher, reason: reason, isHolderAway: isHolderAway, at: now)
                case .keepOn: try call.keepOn(by: dispatcher, at: now)
                case .close(let outcome, let note):
                    try call.close(by: dispatcher, outcome, note: note, at: now)
                case .note(let text): try call.add(note: text, by: dispatcher, at: now)
                }
            let alerts = actions.isEmpty ? [] : try Self.keep(call, actions, sealer, forwarding, at: now, db)
            return (call, alerts)
        }
    }

    // MARK: End of the time for which calls are kept

    /// Removes calls that ended before a time, with their keys, acceptances and forwardings, in one commit. Their lines in the audit
    /// log stay, and nobody can open those that were sealed.
    ///
    /// - Returns: the number of calls, at most `most`.
    public func removeCalls(endedBefore limit: WallTime, most: Int) async throws -> Int {
        try await file.write { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT gateway, alarm FROM desk_call WHERE is_open = 0 AND since < :limit
                        AND coalesce(ended, since) < :limit ORDER BY since LIMIT :most
                    """, arguments: ["limit": limit.millisecondsSince1970, "most": most])
            for row in rows {
                for table in ["desk_key", "acceptance", "desk_forwarding", "desk_call"] {
                    try db.execute(
                        sql: "DELETE FROM \(table) WHERE gateway = ? AND alarm = ?",
                        arguments: [row["gateway"] as String, row["alarm"] as String])
                }
            }
            return rows.count
        }
    }

    // MARK: Keys

    /// Seals calls and their documents that an earlier version has left in clear text, at most `most` calls. Their lines in the
    /// audit log stay as they are.
    ///
    /// - Returns: the number of calls.
    public func sealCalls(most: Int) async throws -> Int {
        try await file.write { [sealer] db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT gateway, alarm, state FROM desk_call WHERE substr(state, 1, \(CallSealer.mark.count)) <> ? LIMIT ?
                    """, arguments: [CallSealer.mark, most])
            for row in rows {
                let id = try Self.knownID(row)
                let key = try sealer.key(of: id, db)
                let name: StatementArguments = [id.gateway.text, id.alarm.description]
                try db.execute(
                    sql: "UPDATE desk_call SET state = ? WHERE gateway = ? AND alarm = ?",
                    arguments: [try key.seal(row["state"] as String)] + name)
                let body = try Data.fetchOne(
                    db, sql: "SELECT body FROM desk_forwarding WHERE gateway = ? AND alarm = ?", arguments: name
                )
                guard let body, !body.starts(with: Data(CallSealer.mark.utf8)) else { continue }
                try db.execute(
                    sql: "UPDATE desk_forwarding SET body = ? WHERE gateway = ? AND alarm = ?",
                    arguments: [Data(try key.seal(String(decoding: body, as: UTF8.self)).utf8)] + name)
            }
            return rows.count
        }
    }

    /// - Throws: `CallSealer.Fault` if the master key is not that of the newest sealed call.
    public func checkKey() async throws {
        _ = try await calls(
            "WHERE substr(state, 1, \(CallSealer.mark.count)) = ? ORDER BY since DESC LIMIT 1",
            [CallSealer.mark])
    }

    // MARK: Readers

    /// Writes into the audit log that a dispatcher reads a call: one line an hour of each dispatcher and call.
    public func recordReading(of id: CallID, by dispatcher: Dispatcher, at now: WallTime) async throws {
        let line = try Self.text(of: dispatcher)
        guard try await !file.read({ try Self.isRecorded(line, of: id, at: now, $0) }) else { return }
        try await file.write { db in
            guard try !Self.isRecorded(line, of: id, at: now, db) else { return }
            try AuditLog.append(line, about: Self.subject(of: id), in: Self.readingArea, at: now, db)
        }
    }

    private static func isRecorded(_ line: String, of id: CallID, at now: WallTime, _ db: Database) throws
        -> Bool
    {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM audit WHERE area = ? AND subject = ? AND entry = ? AND at > ? AND at <= ?)
                """,
            arguments: [
                readingArea, subject(of: id), line,
                now.advanced(by: .zero - readingInterval).millisecondsSince1970, now.millisecondsSince1970,
            ]) == true
    }

    // MARK: Acceptances

    /// Acceptances that the broker does not have, the oldest first.
    public func dueAcceptances(at now: WallTime, most: Int) async throws -> [DueAcceptance] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM acceptance WHERE delivered IS NULL AND next <= ? ORDER BY number LIMIT ?
                    """,
                arguments: [now.millisecondsSince1970, most]
            ).compactMap { row in
                guard let id = Self.id(row), let person = PersonID(row["person"] as String),
                    let dispatcher = Dispatcher(user: row["user"], name: row["name"])
                else { return nil }
                return DueAcceptance(
                    number: row["number"], call: id, person: person,
                    by: dispatcher, taken: WallTime(millisecondsSince1970: row["taken"]))
            }
        }
    }

    public func markDelivered(_ acceptance: DueAcceptance, at now: WallTime) async throws {
        try await file.write { [sealer] db in
            try db.execute(
                sql: "UPDATE acceptance SET delivered = ? WHERE number = ? AND delivered IS NULL",
                arguments: [now.millisecondsSince1970, acceptance.number])
            guard db.changesCount == 1 else { return }
            try Self.record(
                [.acceptanceDelivered(to: acceptance.by)], of: acceptance.call, sealer, at: now, db)
        }
    }

    /// Records that the broker does not take it. It is due again at `next`.
    public func markRefused(
        _ acceptance: DueAcceptance, reason: String, at now: WallTime, next: WallTime
    ) async throws {
        try await file.write { [sealer] db in
            try db.execute(
                sql: "UPDATE acceptance SET next = ? WHERE number = ? AND delivered IS NULL",
                arguments: [next.millisecondsSince1970, acceptance.number])
            guard db.changesCount == 1 else { return }
            try Self.record([.acceptanceRefused(reason)], of: acceptance.call, sealer, at: now, db)
        }
    }
}
