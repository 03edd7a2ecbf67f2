import Foundation
public import GatewayModel
import SOSLocal
public import SQLDatabase
import Store

/// Forwardings of calls in SQLite, each changed in the commit of its call.
public struct ForwardingStore: Sendable {
    static let migration = Migration("desk-2") { db in
        try db.execute(
            sql: """
                CREATE TABLE desk_forwarding (
                    gateway TEXT NOT NULL, alarm TEXT NOT NULL, next INTEGER, answer_until INTEGER, state TEXT NOT NULL,
                    body BLOB, PRIMARY KEY (gateway, alarm)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX desk_forwarding_next ON desk_forwarding (next) WHERE next IS NOT NULL;
                CREATE INDEX desk_forwarding_answer ON desk_forwarding (answer_until) WHERE answer_until IS NOT NULL;
                """)
    }

    private let file: DatabasePool
    private let sealer: CallSealer
    private let rule: ForwardingRule

    public init(file: DatabasePool, sealer: CallSealer, rule: ForwardingRule) {
        (self.file, self.sealer, self.rule) = (file, sealer, rule)
    }

    // MARK: In the commit of a call

    static func changed(_ call: EmergencyCall, by rule: ForwardingRule, at now: WallTime, _ db: Database) throws
    {
        guard var forwarding = try forwarding(of: call.id, db) else {
            if let new = CallForwarding(call, by: rule, at: now) { try keep(new, of: call.id, db) }
            return
        }
        forwarding.changed(call, by: rule, at: now)
        try keep(forwarding, of: call.id, db)
    }

    static func forwarding(of id: CallID, _ db: Database) throws -> CallForwarding? {
        try String.fetchOne(
            db, sql: "SELECT state FROM desk_forwarding WHERE gateway = ? AND alarm = ?",
            arguments: [id.gateway.text, id.alarm.description]
        ).map { try DeskStore.decoded($0) }
    }

    /// The document lasts as long as its message.
    private static func keep(_ forwarding: CallForwarding, of id: CallID, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO desk_forwarding (gateway, alarm, next, answer_until, state) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (gateway, alarm) DO UPDATE SET next = excluded.next,
                    answer_until = excluded.answer_until, state = excluded.state,
                    body = CASE WHEN ? = 1 THEN desk_forwarding.body ELSE NULL END
                """,
            arguments: [
                id.gateway.text, id.alarm.description, forwarding.next?.millisecondsSince1970,
                forwarding.answerPlace?.until.millisecondsSince1970, try DeskStore.text(of: forwarding),
                forwarding.message != nil,
            ])
    }

    // MARK: Sending

    /// Calls with something to do, the longest due first.
    public func dueForwardings(at now: WallTime, most: Int) async throws -> [CallID] {
        let now = now.millisecondsSince1970
        // A time that no wait reaches was written before the clock was set back.
        let latest = now + ForwardingRule.longestWait.wholeMilliseconds
        return try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT gateway, alarm FROM desk_forwarding WHERE next <= ? OR next > ? ORDER BY next LIMIT ?
                    """, arguments: [now, latest, most]
            ).compactMap(DeskStore.id)
        }
    }

    /// Begins an attempt. The message and its document are kept before they are returned.
    /// - Returns: nil if there is nothing to send now.
    public func beginForwarding(
        of id: CallID, at now: WallTime,
        write: @escaping @Sendable (EmergencyCall, CallForwarding.Message) -> [UInt8]
    ) async throws -> ForwardingAttempt? {
        try await file.write { [sealer, rule] db in
            guard let call = try DeskStore.call(id, sealer, db),
                var forwarding = try Self.forwarding(of: id, db)
            else {
                return nil
            }
            let known = forwarding.message?.number
            let message = forwarding.begin(call, by: rule, at: now)
            try Self.keep(forwarding, of: id, db)
            guard let message else { return nil }
            let key: StatementArguments = [id.gateway.text, id.alarm.description]
            var body: Data?
            if message.number == known {
                body = try Data.fetchOne(
                    db, sql: "SELECT body FROM desk_forwarding WHERE gateway = ? AND alarm = ?", arguments: key)
            }
            if let known = body {
                body = Data(try sealer.open(String(decoding: known, as: UTF8.self), of: id, db).utf8)
            } else {
                let written = write(call, message)
                let sealed = try sealer.key(of: id, db).seal(String(decoding: written, as: UTF8.self))
                try db.execute(
                    sql: "UPDATE desk_forwarding SET body = ? WHERE gateway = ? AND alarm = ?",
                    arguments: [Data(sealed.utf8)] + key)
                body = Data(written)
            }
            return ForwardingAttempt(
                call: id, isDrill: call.isDrill, message: message, body: [UInt8](body ?? Data()))
        }
    }

    /// Keeps the outcome of an attempt, with its lines in the log.
    public func end(
        _ attempt: ForwardingAttempt, _ outcome: CallForwarding.Outcome, at now: WallTime
    ) async throws {
        try await change(attempt.call, at: now) { $0.ended(attempt.message.number, outcome, at: now) }
    }

    public func awaitedAnswers(at now: WallTime, most: Int) async throws -> [AwaitedAnswer] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT * FROM desk_forwarding WHERE answer_until > ? ORDER BY answer_until DESC LIMIT ?",
                arguments: [now.millisecondsSince1970, most]
            ).compactMap { row in
                let forwarding: CallForwarding = try DeskStore.decoded(row["state"])
                guard let id = DeskStore.id(row), let place = forwarding.answerPlace else { return nil }
                return AwaitedAnswer(call: id, isDrill: forwarding.isDrill, url: place.url)
            }
        }
    }

    public func markAcceptedOutside(_ id: CallID, by name: String, at now: WallTime) async throws {
        try await change(id, at: now) { $0.accepted(by: name, at: now) }
    }

    private func change(
        _ id: CallID, at now: WallTime,
        _ body: @escaping @Sendable (inout CallForwarding) -> [EmergencyCall.Entry]
    ) async throws {
        try await file.write { [sealer] db in
            guard var forwarding = try Self.forwarding(of: id, db) else { return }
            let entries = body(&forwarding)
            try Self.keep(forwarding, of: id, db)
            try DeskStore.record(entries, of: id, sealer, at: now, db)
        }
    }
}
