import Accounts
import FoundationEssentials
import GatewayModel
import SQLDatabase
import Store

/// Limits of alarms that persons share with this server.
struct LimitsLite: LimitStore {
    static let migrations = [
        Migration("limits-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE limit_sharing (
                        request TEXT PRIMARY KEY, gateway TEXT NOT NULL, person TEXT NOT NULL, state TEXT NOT NULL,
                        reason TEXT, asked INTEGER NOT NULL, decided INTEGER, entry INTEGER, told INTEGER, limits BLOB
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX limit_sharing_of_person ON limit_sharing (gateway, person, asked);
                    CREATE UNIQUE INDEX open_limit_sharing ON limit_sharing (gateway, person) WHERE state IN ('asked', 'shared');
                    """)
        }
    ]

    let file: DatabasePool

    func ask(
        _ request: RequestID, for subject: HousePerson, by account: AccountID, at now: WallTime,
        make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws {
        let person = [subject.gateway.text, subject.person.text]
        try await file.write { db in
            try LinkRights.requireActs(account, for: subject, db)
            let day = now.millisecondsSince1970 - 86_400_000
            let asked = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM limit_sharing WHERE gateway = ? AND person = ? AND asked > ?",
                arguments: [person[0], person[1], day])
            guard asked ?? 0 < LimitSharing.mostInADay else { throw StoreFault.tooManyLimitRequests }
            let added = try String.fetchOne(
                db,
                sql: """
                    INSERT INTO limit_sharing (request, gateway, person, state, asked) VALUES (?, ?, ?, 'asked', ?)
                    ON CONFLICT (gateway, person) WHERE state IN ('asked', 'shared') DO NOTHING RETURNING request
                    """, arguments: [request.text, person[0], person[1], now.millisecondsSince1970])
            guard added != nil else { throw StoreFault.limitsAsked }
            // Those of the day are counted, and the newest is shown.
            try db.execute(
                sql: """
                    DELETE FROM limit_sharing WHERE gateway = ? AND person = ? AND asked <= ?
                        AND state NOT IN ('asked', 'shared')
                    """, arguments: [person[0], person[1], day])
            try CommandOutbox.enqueue(try make(try CommandOutbox.nextSequence(db, at: now)), db)
        }
    }

    func sharing(of subject: HousePerson) async throws -> LimitSharing? {
        try await file.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT * FROM limit_sharing WHERE gateway = ? AND person = ?
                    ORDER BY asked DESC, request DESC LIMIT 1
                    """, arguments: [subject.gateway.text, subject.person.text]
            ).flatMap { row in
                guard let request = RequestID(row["request"] as String),
                    let state = LimitSharing.State(rawValue: row["state"])
                else { return nil }
                let limits = (row["limits"] as Data?).map(Self.limits) ?? []
                return LimitSharing(
                    subject: subject, request: request, state: state, reason: row["reason"],
                    asked: WallTime(row["asked"]), decided: (row["decided"] as Int64?).map { WallTime($0) },
                    limits: state == .shared ? limits : [])
            }
        }
    }

    func end(
        _ subject: HousePerson, by account: AccountID?, at now: WallTime,
        make: @escaping @Sendable (_ request: RequestID, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Bool {
        try await file.write { db in
            if let account { try LinkRights.requireActs(account, for: subject, db) }
            let open = try String.fetchOne(
                db,
                sql: """
                    UPDATE limit_sharing SET state = 'ended', decided = ?, limits = NULL
                    WHERE gateway = ? AND person = ? AND state IN ('asked', 'shared') RETURNING request
                    """,
                arguments: [now.millisecondsSince1970, subject.gateway.text, subject.person.text])
            guard let request = open.flatMap({ RequestID($0) }) else { return false }
            // The question must not come after its withdrawal.
            try db.execute(sql: "DELETE FROM command WHERE request = ?", arguments: [request.text])
            try CommandOutbox.enqueue(try make(request, try CommandOutbox.nextSequence(db, at: now)), db)
            return true
        }
    }

    func unlinked(most: Int) async throws -> [HousePerson] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT gateway, person FROM limit_sharing WHERE state IN ('asked', 'shared') AND NOT EXISTS (
                        SELECT 1 FROM link WHERE link.gateway = limit_sharing.gateway
                            AND link.person = limit_sharing.person AND link.state = 'linked')
                    ORDER BY asked LIMIT ?
                    """, arguments: [most]
            ).compactMap { row in
                guard let gateway = GatewayID(row["gateway"] as String),
                    let person = PersonID(row["person"] as String)
                else { return nil }
                return HousePerson(gateway, person)
            }
        }
    }

    // MARK: In the transaction of another part

    /// Keeps the limits if the person shares them, and they are the newest. Returns false if no request is open.
    static func keep(_ told: StoredLimits, _ db: Database) throws -> Bool {
        let arguments: StatementArguments = [
            "gateway": told.subject.gateway.text, "person": told.subject.person.text,
            "time": told.time.millisecondsSince1970, "limits": Data(try encoded(told.limits)),
        ]
        let isOpen = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM limit_sharing WHERE gateway = ? AND person = ?
                    AND state IN ('asked', 'shared'))
                """, arguments: [told.subject.gateway.text, told.subject.person.text])
        guard isOpen == true else { return false }
        try db.execute(
            sql: """
                UPDATE limit_sharing SET limits = :limits, told = :time WHERE gateway = :gateway AND person = :person
                    AND state IN ('asked', 'shared') AND (told IS NULL OR told <= :time)
                """, arguments: arguments)
        return true
    }

    /// A refused request has failed.
    static func apply(_ refusal: String, of request: String, at time: WallTime, _ db: Database) throws {
        try db.execute(
            sql:
                "UPDATE limit_sharing SET state = 'failed', reason = ?, decided = ? WHERE request = ? AND state = 'asked'",
            arguments: [String(refusal.prefix(64)), time.millisecondsSince1970, request])
    }

    /// A decision counts if it is of the house and person that were asked, and later in the ledger than the last one. A
    /// request that was ended here stays ended.
    static func apply(_ decision: DecisionRecord, on request: RequestID, _ db: Database) throws {
        let state: LimitSharing.State =
            switch decision.verdict {
            case .accepted: .shared
            case .refused: .refused
            case .withdrawn: .ended
            case .expired: .expired
            }
        try db.execute(
            sql: """
                UPDATE limit_sharing SET state = ?, decided = ?, entry = ?\(state == .shared ? "" : ", limits = NULL")
                WHERE request = ? AND gateway = ? AND person = ?
                    AND state <> 'ended' AND (entry IS NULL OR entry < ?)
                """,
            arguments: [
                state.rawValue, decision.at.millisecondsSince1970, decision.entry, request.text,
                decision.subject.gateway.text, decision.subject.person.text, decision.entry,
            ])
    }

    /// Marks the requests that end without a receipt, before the outbox forgets them.
    static func expire(at now: WallTime, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE limit_sharing SET state = 'failed', reason = 'no-answer', decided = :now WHERE state = 'asked'
                    AND request IN (SELECT request FROM command WHERE expires <= :now AND is_withdrawal = 0)
                """, arguments: ["now": now.millisecondsSince1970])
    }

    /// Removes the limits of persons to whom no account is linked any more.
    static func removeUnlinked(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE limit_sharing SET limits = NULL WHERE limits IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM link WHERE link.gateway = limit_sharing.gateway
                        AND link.person = limit_sharing.person AND link.state = 'linked')
                """)
    }

    // MARK: Form of the column

    private struct Column: Codable {
        let kind: String
        let low, high, warningLow, warningHigh: Double?
    }

    private static func encoded(_ limits: [AlarmLimits]) throws -> [UInt8] {
        Array(
            try JSONEncoder().encode(
                limits.map {
                    Column(
                        kind: $0.kind.rawValue, low: $0.low, high: $0.high, warningLow: $0.warningLow,
                        warningHigh: $0.warningHigh)
                }))
    }

    private static func limits(_ column: Data) -> [AlarmLimits] {
        let rows = (try? JSONDecoder().decode([Column].self, from: column)) ?? []
        return rows.compactMap { row in
            QuantityKind(rawValue: row.kind).map { kind in
                var limits = AlarmLimits(kind)
                (limits.low, limits.high) = (row.low, row.high)
                (limits.warningLow, limits.warningHigh) = (row.warningLow, row.warningHigh)
                return limits
            }
        }
    }
}
