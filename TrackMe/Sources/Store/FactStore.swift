public import Accounts
import FoundationEssentials
public import GatewayModel
import SQLDatabase

/// Facts that persons share with this server.
public struct FactStore: Sendable {
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
        },
        // The value of `limits` is JSON, that of a fiscal code its look-up value, or empty where the house has no code. `since` is
        // the time of this server at which the value came.
        Migration("facts-1") { db in
            try db.execute(
                sql: """
                    DROP INDEX open_limit_sharing;
                    DROP INDEX limit_sharing_of_person;
                    ALTER TABLE limit_sharing RENAME TO fact_sharing;
                    ALTER TABLE fact_sharing RENAME COLUMN limits TO value;
                    ALTER TABLE fact_sharing ADD COLUMN kind TEXT NOT NULL DEFAULT 'limits';
                    ALTER TABLE fact_sharing ADD COLUMN since INTEGER;
                    CREATE INDEX fact_sharing_of_person ON fact_sharing (gateway, person, kind, asked);
                    CREATE UNIQUE INDEX open_fact_sharing ON fact_sharing (gateway, person, kind)
                        WHERE state IN ('asked', 'shared');
                    CREATE INDEX fact_sharing_code ON fact_sharing (value) WHERE kind = 'profile-fiscal-code';
                    """)
        },
    ]

    let file: DatabasePool

    /// Records the request and queues its command in one commit.
    ///
    /// - Throws: `StoreFault.notLinked`, `StoreFault.factAsked`, `StoreFault.tooManyFactRequests`, or the error of `make`.
    public func ask(
        _ request: RequestID, about kind: FactKind, of subject: HousePerson, by account: AccountID,
        at now: WallTime, make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws {
        let fact = [subject.gateway.text, subject.person.text, kind.rawValue]
        try await file.write { db in
            try LinkRights.requireActs(account, for: subject, db)
            let day = now.millisecondsSince1970 - 86_400_000
            let asked = try Int.fetchOne(
                db,
                sql:
                    "SELECT count(*) FROM fact_sharing WHERE gateway = ? AND person = ? AND kind = ? AND asked > ?",
                arguments: [fact[0], fact[1], fact[2], day])
            guard asked ?? 0 < FactSharing.mostInADay else { throw StoreFault.tooManyFactRequests }
            let added = try String.fetchOne(
                db,
                sql: """
                    INSERT INTO fact_sharing (request, gateway, person, kind, state, asked)
                    VALUES (?, ?, ?, ?, 'asked', ?)
                    ON CONFLICT (gateway, person, kind) WHERE state IN ('asked', 'shared') DO NOTHING RETURNING request
                    """, arguments: [request.text, fact[0], fact[1], fact[2], now.millisecondsSince1970])
            guard added != nil else { throw StoreFault.factAsked }
            // Those of the day are counted, and the newest is shown.
            try db.execute(
                sql: """
                    DELETE FROM fact_sharing WHERE gateway = ? AND person = ? AND kind = ? AND asked <= ?
                        AND state NOT IN ('asked', 'shared')
                    """, arguments: [fact[0], fact[1], fact[2], day])
            try CommandOutbox.enqueue(try make(try CommandOutbox.nextSequence(db, at: now)), db)
        }
    }

    /// Newest request for the fact; nil if there was none.
    public func sharing(_ kind: FactKind, of subject: HousePerson) async throws -> FactSharing? {
        try await file.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT * FROM fact_sharing WHERE gateway = ? AND person = ? AND kind = ?
                    ORDER BY asked DESC, request DESC LIMIT 1
                    """, arguments: [subject.gateway.text, subject.person.text, kind.rawValue]
            ).flatMap { row in
                guard let request = RequestID(row["request"] as String),
                    let state = FactSharing.State(rawValue: row["state"])
                else { return nil }
                let value = (row["value"] as Data?).map { Self.value(of: kind, in: $0) }
                return FactSharing(
                    subject: subject, request: request, state: state, reason: row["reason"],
                    asked: WallTime(row["asked"]), decided: (row["decided"] as Int64?).map { WallTime($0) },
                    value: state == .shared ? value : nil)
            }
        }
    }

    /// Ends the request here at once, removes the fact, and queues the command in one commit. False if no request is open.
    ///
    /// - Parameter account: that acts for the person; nil for the server itself.
    /// - Throws: `StoreFault.notLinked`, or the error of `make`.
    public func end(
        _ kind: FactKind, of subject: HousePerson, by account: AccountID?, at now: WallTime,
        make: @escaping @Sendable (_ request: RequestID, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Bool {
        try await file.write { db in
            if let account { try LinkRights.requireActs(account, for: subject, db) }
            let open = try String.fetchOne(
                db,
                sql: """
                    UPDATE fact_sharing SET state = 'ended', decided = ?, value = NULL
                    WHERE gateway = ? AND person = ? AND kind = ? AND state IN ('asked', 'shared') RETURNING request
                    """,
                arguments: [
                    now.millisecondsSince1970, subject.gateway.text, subject.person.text, kind.rawValue,
                ])
            guard let request = open.flatMap({ RequestID($0) }) else { return false }
            // The question must not come after its withdrawal.
            try db.execute(sql: "DELETE FROM command WHERE request = ?", arguments: [request.text])
            try CommandOutbox.enqueue(try make(request, try CommandOutbox.nextSequence(db, at: now)), db)
            return true
        }
    }

    /// Open requests of persons without a linked account.
    public func unlinked(most: Int) async throws -> [(kind: FactKind, subject: HousePerson)] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT gateway, person, kind FROM fact_sharing
                    WHERE state IN ('asked', 'shared') AND NOT \(Self.isLinked) ORDER BY asked LIMIT ?
                    """, arguments: [most]
            ).compactMap { row in
                guard let kind = FactKind(rawValue: row["kind"]), let subject = HousePerson(row) else {
                    return nil
                }
                return (kind, subject)
            }
        }
    }

    /// Fiscal codes that houses give for more than one linked person. The first person of each had the code first, and is
    /// found by it; the others are not.
    public func contestedCodes() async throws -> [[FiscalCodeHolder]] {
        try await file.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT value, gateway, person FROM fact_sharing
                    WHERE \(Self.hasCode) AND \(Self.isLinked) AND value IN (
                        SELECT value FROM fact_sharing WHERE \(Self.hasCode) GROUP BY value HAVING count(*) > 1)
                    ORDER BY \(Self.firstComes)
                    """)
            var (order, holders): ([Data], [Data: [FiscalCodeHolder]]) = ([], [:])
            for row in rows {
                guard let subject = HousePerson(row) else { continue }
                let users = try String.fetchAll(
                    db,
                    sql: """
                        SELECT account."user" FROM link JOIN account ON account.id = link.account
                        WHERE link.gateway = ? AND link.person = ? AND link.state = 'linked' ORDER BY account."user"
                        """, arguments: [subject.gateway.text, subject.person.text])
                let value: Data = row["value"]
                if holders[value] == nil { order.append(value) }
                holders[value, default: []].append(
                    FiscalCodeHolder(subject, users: users.compactMap { UserName($0) }))
            }
            return order.compactMap { holders[$0] }.filter { $0.count > 1 }
        }
    }

    // MARK: Conditions

    private static let isLinked = """
        EXISTS (SELECT 1 FROM link WHERE link.gateway = fact_sharing.gateway
            AND link.person = fact_sharing.person AND link.state = 'linked')
        """
    private static let hasCode = "kind = 'profile-fiscal-code' AND state = 'shared' AND length(value) > 0"
    /// Order of the persons with one code.
    private static let firstComes = "since, request"

    // MARK: In the transaction of another part

    /// As `FiscalCodes.person`.
    static func person(of lookUp: Data, _ db: Database) throws -> HousePerson? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT gateway, person FROM fact_sharing WHERE \(hasCode) AND value = ? AND \(isLinked)
                ORDER BY \(firstComes) LIMIT 1
                """, arguments: [lookUp]
        ).flatMap { HousePerson($0) }
    }

    /// Keeps the fact if it answers an open request, and is the newest. Returns false if no request is open.
    static func keep(_ fact: StoredFact, at now: WallTime, _ db: Database) throws -> Bool {
        let open = try Row.fetchOne(
            db,
            sql: """
                SELECT request, told, value, since FROM fact_sharing
                WHERE gateway = ? AND person = ? AND kind = ? AND state IN ('asked', 'shared')
                """,
            arguments: [fact.subject.gateway.text, fact.subject.person.text, fact.value.kind.rawValue])
        guard let open, fact.request?.text ?? open["request"] == open["request"] as String else { return false }
        guard open["told"] as Int64? ?? .min <= fact.time.millisecondsSince1970 else { return true }
        let value = try column(of: fact.value)
        // The first of two persons with one code stays the first while the code is the same.
        let since = open["value"] as Data? == value ? open["since"] as Int64? : nil
        try db.execute(
            sql: "UPDATE fact_sharing SET value = ?, told = ?, since = ? WHERE request = ?",
            arguments: [
                value, fact.time.millisecondsSince1970, since ?? now.millisecondsSince1970,
                open["request"] as String,
            ])
        return true
    }

    /// A refused request has failed.
    static func apply(_ refusal: String, of request: String, at time: WallTime, _ db: Database) throws {
        try db.execute(
            sql:
                "UPDATE fact_sharing SET state = 'failed', reason = ?, decided = ? WHERE request = ? AND state = 'asked'",
            arguments: [String(refusal.prefix(64)), time.millisecondsSince1970, request])
    }

    /// A decision counts if it is of the house and person that were asked, and later in the ledger than the last one. A
    /// request that was ended here stays ended, and a yes to an earlier request does not count while a newer one is open.
    static func apply(_ decision: DecisionRecord, on request: RequestID, _ db: Database) throws {
        let state: FactSharing.State =
            switch decision.verdict {
            case .accepted: .shared
            case .refused: .refused
            case .withdrawn: .ended
            case .expired: .expired
            }
        let condition =
            state == .shared
            ? """
            AND NOT EXISTS (SELECT 1 FROM fact_sharing other WHERE other.gateway = fact_sharing.gateway
                AND other.person = fact_sharing.person AND other.kind = fact_sharing.kind
                AND other.request <> fact_sharing.request AND other.state IN ('asked', 'shared'))
            """ : ""
        try db.execute(
            sql: """
                UPDATE fact_sharing SET state = ?, decided = ?, entry = ?\(state == .shared ? "" : ", value = NULL")
                WHERE request = ? AND gateway = ? AND person = ?
                    AND state <> 'ended' AND (entry IS NULL OR entry < ?) \(condition)
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
                UPDATE fact_sharing SET state = 'failed', reason = 'no-answer', decided = :now WHERE state = 'asked'
                    AND request IN (SELECT request FROM command WHERE expires <= :now AND is_withdrawal = 0)
                """, arguments: ["now": now.millisecondsSince1970])
    }

    /// Removes the facts about persons to whom no account is linked any more.
    static func removeUnlinked(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE fact_sharing SET value = NULL WHERE value IS NOT NULL AND NOT \(isLinked)")
    }

    // MARK: Form of the column

    private struct Column: Codable {
        let kind: String
        let low, high, warningLow, warningHigh: Double?
    }

    private static func column(of value: FactValue) throws -> Data {
        switch value {
        case .limits(let limits):
            try JSONEncoder().encode(
                limits.map {
                    Column(
                        kind: $0.kind.rawValue, low: $0.low, high: $0.high, warningLow: $0.warningLow,
                        warningHigh: $0.warningHigh)
                })
        case .fiscalCode(let lookUp): Data(lookUp ?? [])
        }
    }

    private static func value(of kind: FactKind, in column: Data) -> FactValue {
        switch kind {
        case .limits: .limits(limits(column))
        case .fiscalCode: .fiscalCode(lookUp: column.isEmpty ? nil : Array(column))
        }
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

extension HousePerson {
    /// Nil for a row that another version wrote.
    fileprivate init?(_ row: Row) {
        guard let gateway = GatewayID(row["gateway"] as String), let person = PersonID(row["person"] as String)
        else { return nil }
        self.init(gateway, person)
    }
}

/// Lasting fact about a person that a house gives to this server after a yes to a question about this fact alone. The names
/// are those of the contract.
public enum FactKind: String, CaseIterable, Hashable, Sendable {
    case limits
    case fiscalCode = "profile-fiscal-code"
}

/// Fact of a house.
public enum FactValue: Hashable, Sendable {
    case limits([AlarmLimits])
    /// Look-up value of the fiscal code; nil where the house has no code.
    case fiscalCode(lookUp: [UInt8]?)

    public var kind: FactKind {
        switch self {
        case .limits: .limits
        case .fiscalCode: .fiscalCode
        }
    }
}

/// Request of this server for a fact about a person, and the answer of the house.
public struct FactSharing: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The house has no answer yet.
        case asked
        case shared, refused, ended, expired
        /// The house has refused the command: `reason` has its code.
        case failed

        public var isOpen: Bool { self == .asked || self == .shared }
    }

    /// Requests for one fact of a person in a day: a person at home is not to be pestered.
    public static let mostInADay = 3

    public let subject: HousePerson
    public let request: RequestID
    public let state: State
    public let reason: String?
    public let asked: WallTime
    public let decided: WallTime?
    /// Nil unless it is shared and has arrived.
    public let value: FactValue?

    public init(
        subject: HousePerson, request: RequestID, state: State, reason: String?, asked: WallTime,
        decided: WallTime?, value: FactValue?
    ) {
        (self.subject, self.request, self.state, self.reason) = (subject, request, state, reason)
        (self.asked, self.decided, self.value) = (asked, decided, value)
    }

    /// Empty unless they are shared.
    public var limits: [AlarmLimits] { if case .limits(let limits) = value { limits } else { [] } }
}

/// Fact as a house sent it.
public struct StoredFact: Hashable, Sendable {
    public let subject: HousePerson
    public let value: FactValue
    /// The request that it answers; nil of a gateway before 1.9 of the contract.
    public let request: RequestID?
    /// When the gateway found it: the newest counts.
    public let time: WallTime

    public init(subject: HousePerson, value: FactValue, request: RequestID?, time: WallTime) {
        (self.subject, self.value, self.request, self.time) = (subject, value, request, time)
    }
}

/// Person with a fiscal code that a second house gives for another person, and the users of the linked accounts.
public struct FiscalCodeHolder: Hashable, Sendable, CustomStringConvertible {
    public let subject: HousePerson
    public let users: [UserName]

    public init(_ subject: HousePerson, users: [UserName]) { (self.subject, self.users) = (subject, users) }

    public var description: String {
        "\(subject.person) of \(subject.gateway) (\(users.map(\.text).joined(separator: ", ")))"
    }
}
