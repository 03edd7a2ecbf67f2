public import Accounts
import ContractReading
import FoundationEssentials
public import GatewayModel
public import SQLDatabase
public import Store

/// Requests of third parties in SQLite.
public struct PartyRequestStore: Sendable {
    static let migration = Migration("party-requests-1") { db in
        try db.execute(
            sql: """
                CREATE TABLE fiscal_code (
                    account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
                    link INTEGER NOT NULL REFERENCES link ON DELETE CASCADE, look_up BLOB NOT NULL,
                    wrapped_key BLOB NOT NULL, box BLOB NOT NULL
                ) STRICT;
                CREATE INDEX fiscal_code_look_up ON fiscal_code (look_up);
                CREATE TABLE party_request (
                    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
                    party TEXT NOT NULL REFERENCES party, idempotency_key TEXT NOT NULL, digest BLOB NOT NULL,
                    gateway TEXT, person TEXT, purpose TEXT NOT NULL, kinds TEXT NOT NULL, begins INTEGER,
                    ends INTEGER, asked INTEGER NOT NULL, expires INTEGER NOT NULL, state TEXT NOT NULL,
                    decided INTEGER, entry INTEGER, grant_number INTEGER, is_closed INTEGER NOT NULL,
                    UNIQUE (party, idempotency_key)
                ) STRICT;
                CREATE INDEX party_request_person ON party_request (gateway, person, party);
                CREATE INDEX party_request_asked ON party_request (party, asked);
                CREATE INDEX party_request_open ON party_request (expires) WHERE state IN ('sent', 'accepted');
                """)
    }

    static let export = ExportList(
        "company_requests", of: .person, tables: ["party_request", "shared_read"],
        [
            .text("company", "name"), .text("purpose"), .text("kinds"), .time("from", "begins"),
            .time("until", "ends"), .time("asked"), .time("expires"), .text("state", "party_request.state"),
            .time("decided"), .number("read", "coalesce(count, 0)"), .time("last_read", "last"),
        ],
        """
        FROM party_request JOIN party ON party.id = party_request.party
        LEFT JOIN shared_read ON shared_read.request = party_request.id
        WHERE gateway = :gateway AND person = :person ORDER BY number
        """)

    static let withdrawals = Migration("party-requests-2") { db in
        try db.execute(
            sql: """
                ALTER TABLE party_request ADD COLUMN owes_withdrawal INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX party_request_owed ON party_request (number) WHERE owes_withdrawal = 1;
                CREATE INDEX party_request_of_party ON party_request (party) WHERE state IN ('sent', 'accepted');
                """)
    }

    static let owed = Migration("party-requests-3") { db in
        try db.execute(
            sql: """
                DROP INDEX party_request_owed;
                CREATE INDEX party_request_owed ON party_request (number) WHERE owes_withdrawal = 1;
                """)
    }

    /// Codes that accounts wrote are no proof: the house gives the code.
    static let noClaims = Migration("party-requests-4") { db in
        try db.execute(sql: "DROP TABLE fiscal_code")
    }

    private let file: DatabasePool

    public init(file: DatabasePool) { self.file = file }

    // MARK: Asking

    /// Keeps a request, and queues its command in the same commit if the house of a linked person gives the fiscal code.
    /// `make` is called in any case, so that the answer takes the same time.
    ///
    /// - Returns: the request; the earlier one where the same came before under its idempotency key.
    /// - Throws: `PartyFault.idempotencyKeyUsed`, `PartyFault.tooManyRequests`, `PartyFault.partyNotApproved`, or the error of
    ///   `make`.
    public func ask(
        _ request: NewPartyRequest,
        make: @escaping @Sendable (_ subject: HousePerson?, _ sequence: Int64) throws -> OutgoingCommand?
    ) async throws -> PartyRequest {
        try await file.write { db in
            let known = try Row.fetchOne(
                db, sql: "SELECT * FROM party_request WHERE party = ? AND idempotency_key = ?",
                arguments: [request.party.text, request.idempotencyKey])
            if let known {
                guard Array(known["digest"] as Data) == request.digest, let earlier = PartyRequest(row: known)
                else { throw PartyFault.idempotencyKeyUsed }
                return earlier
            }
            // The operator may have acted since the token was checked.
            guard try PartyStore.party(request.party, db)?.state == .approved else {
                throw PartyFault.partyNotApproved
            }
            let since = request.asked.millisecondsSince1970 - 86_400_000
            let sent = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM party_request WHERE party = ? AND asked > ?",
                arguments: [request.party.text, since])
            guard sent ?? 0 < NewPartyRequest.mostInADay else { throw PartyFault.tooManyRequests }
            let subject = try Self.subject(request.lookUp, askedBy: request.party, since: since, db)
            let sequence = try CommandOutbox.nextSequence(db, at: request.asked)
            // Found or not, the same work is done.
            let command = try make(subject, sequence)
            let kept = PartyRequest(
                id: request.id, party: request.party, purpose: request.terms.purpose,
                kinds: request.terms.kinds.map(\.rawValue).sorted(), from: request.terms.from,
                until: request.terms.until, asked: request.asked,
                expires: PartyRequest.expiry(asked: request.asked, until: request.terms.until),
                house: subject?.gateway, person: subject?.person)
            try Self.insert(kept, subject, request, db)
            if subject != nil, let command { try CommandOutbox.enqueue(command, db) }
            return kept
        }
    }

    /// The person of the code; nil for one that was asked often enough.
    private static func subject(
        _ lookUp: [UInt8], askedBy party: PartyID, since: Int64, _ db: Database
    ) throws -> HousePerson? {
        guard let subject = try FiscalCodes.person(of: lookUp, db) else { return nil }
        let asked = try Int.fetchOne(
            db,
            sql:
                "SELECT count(*) FROM party_request WHERE gateway = ? AND person = ? AND party = ? AND asked > ?",
            arguments: [subject.gateway.text, subject.person.text, party.text, since])
        return asked ?? 0 < NewPartyRequest.mostOfOnePersonInADay ? subject : nil
    }

    private static func insert(
        _ kept: PartyRequest, _ subject: HousePerson?, _ new: NewPartyRequest, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO party_request (id, party, idempotency_key, digest, gateway, person, purpose, kinds, begins,
                    ends, asked, expires, state, is_closed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'sent', 0)
                """,
            arguments: [
                kept.id.text, kept.party.text, new.idempotencyKey, Data(new.digest), subject?.gateway.text,
                subject?.person.text, kept.purpose, kept.kinds.joined(separator: " "),
                kept.from?.millisecondsSince1970, kept.until?.millisecondsSince1970,
                kept.asked.millisecondsSince1970, kept.expires.millisecondsSince1970,
            ])
    }

    // MARK: Reading

    /// Newest first.
    public func requests(of party: PartyID, most: Int) async throws -> [PartyRequest] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM party_request WHERE party = ? ORDER BY number DESC LIMIT ?",
                arguments: [party.text, most]
            ).compactMap(PartyRequest.init(row:))
        }
    }

    public func request(_ id: RequestID, of party: PartyID) async throws -> PartyRequest? {
        try await file.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM party_request WHERE id = ? AND party = ?",
                arguments: [id.text, party.text]
            ).flatMap(PartyRequest.init(row:))
        }
    }

    /// Newest first.
    public func requests(about subject: HousePerson, most: Int) async throws -> [PersonRequest] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT party_request.*, party.name AS party_name, party.state AS party_state, shared_read.count,
                        shared_read.last
                    FROM party_request JOIN party ON party.id = party_request.party
                        LEFT JOIN shared_read ON shared_read.request = party_request.id
                    WHERE gateway = ? AND person = ? ORDER BY number DESC LIMIT ?
                    """, arguments: [subject.gateway.text, subject.person.text, most]
            ).compactMap { row in
                guard let request = PartyRequest(row: row), let state = PartyState(rawValue: row["party_state"])
                else { return nil }
                return PersonRequest(
                    request: request, partyName: row["party_name"], partyState: state,
                    read: row["count"] as Int? ?? 0, lastRead: (row["last"] as Int64?).map(WallTime.init(_:)))
            }
        }
    }

    // MARK: Answers and ends

    /// Ends an open request about the person at once, and queues its withdrawal in the house in the same commit. False if
    /// there was none.
    ///
    /// - Throws: `StoreFault.notLinked` unless the account may act for the person, or the error of `make`.
    public func close(
        _ id: RequestID, about subject: HousePerson, by account: AccountID, at now: WallTime,
        make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Bool {
        try await file.write { db in
            try LinkRights.requireActs(account, for: subject, db)
            let isClosed = try Self.change(
                "id = ? AND gateway = ? AND person = ?", [id.text, subject.gateway.text, subject.person.text],
                at: now, db
            ) { $0.close(at: now) }
            guard isClosed else { return false }
            try CommandOutbox.enqueue(try make(try CommandOutbox.nextSequence(db, at: now)), db)
            return true
        }
    }

    /// Ends open requests of closed parties, and queues a withdrawal in the same commit for each that a house was asked; also
    /// for requests that were accepted in the house after their end, or after the removal of their party.
    ///
    /// - Parameter most: requests of this commit.
    /// - Returns: the number of requests; below `most` none is left.
    public func withdrawOwed(
        at now: WallTime, most: Int,
        make:
            @escaping @Sendable (_ request: RequestID, _ subject: HousePerson, _ sequence: Int64) throws ->
            OutgoingCommand
    ) async throws -> Int {
        let owed = """
            SELECT number FROM party_request WHERE owes_withdrawal = 1
            UNION SELECT number FROM party_request WHERE state IN ('sent', 'accepted')
                AND party IN (SELECT id FROM party WHERE state = 'closed')
            """
        // Read first: nearly always there is nothing to do, and the writer is the intake's.
        let isAnyOwed = try await file.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (\(owed)) OR EXISTS (SELECT 1 FROM removed_request WHERE owes_withdrawal = 1)
                    """) ?? false
        }
        guard isAnyOwed else { return 0 }
        return try await file.write { db in
            let rows = try Row.fetchAll(
                db,
                sql:
                    "SELECT id, gateway, person FROM party_request WHERE number IN (\(owed)) ORDER BY number LIMIT ?",
                arguments: [most])
            var count = 0
            for row in rows {
                let id: String = row["id"]
                let isEnded = try Self.change("id = ?", [id], at: now, db) { request in
                    request.withdrawAgain()
                    return request.close(at: now) || request.isClosed
                }
                guard isEnded else { continue }
                count += 1
                guard let request = RequestID(id),
                    let gateway = (row["gateway"] as String?).flatMap({ GatewayID($0) }),
                    let person = (row["person"] as String?).flatMap({ PersonID($0) })
                else { continue }
                let sequence = try CommandOutbox.nextSequence(db, at: now)
                try CommandOutbox.enqueue(try make(request, HousePerson(gateway, person), sequence), db)
            }
            for (request, subject) in try PartyRemoval.takeOwed(most: most - count, db) {
                let sequence = try CommandOutbox.nextSequence(db, at: now)
                try CommandOutbox.enqueue(try make(request, subject, sequence), db)
                count += 1
            }
            return count
        }
    }

    /// Ends the open requests about the persons of a house that is removed, and erases their copies.
    ///
    /// - Returns: the requests that were open.
    public static func endAll(
        of house: GatewayID, at now: WallTime, _ db: Database
    ) throws -> [OpenHouseRequest] {
        let open = try Row.fetchAll(
            db,
            sql: "SELECT id, person FROM party_request WHERE gateway = ? AND state IN ('sent', 'accepted')",
            arguments: [house.text]
        ).compactMap { OpenHouseRequest(id: $0["id"], person: $0["person"]) }
        for request in open { _ = try change("id = ?", [request.id.text], at: now, db) { $0.close(at: now) } }
        try db.execute(
            sql: "UPDATE party_request SET owes_withdrawal = 0 WHERE gateway = ?", arguments: [house.text])
        try PartyRemoval.removeRequests(of: house, db)
        return open
    }

    /// Ends requests whose time is over.
    public func expireRequests(at now: WallTime) async throws {
        try await file.write { db in
            let ids = try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM party_request WHERE state = 'sent' AND expires <= :now
                        OR state = 'accepted' AND ends <= :now
                    """, arguments: ["now": now.millisecondsSince1970])
            for id in ids {
                _ = try Self.change("id = ?", [id], at: now, db) { $0.expire(at: now) }
            }
        }
    }

    /// Applies an answer of the house that was asked, in the transaction of its batch.
    static func apply(
        _ answer: RequestAnswer, to id: RequestID, of party: PartyID, by subject: HousePerson,
        at time: WallTime, _ db: Database
    ) throws {
        let isChanged = try change(
            "id = ? AND party = ? AND gateway = ? AND person = ?",
            [id.text, party.text, subject.gateway.text, subject.person.text], at: time, db
        ) { $0.apply(answer, at: time) }
        if !isChanged, case .decided(.accepted, _, _) = answer {
            try PartyRemoval.owe(id, by: subject, db)
        }
    }

    /// Changes the one request of a condition. With the yes its held copies are released, with the end all are erased.
    private static func change(
        _ condition: String, _ arguments: StatementArguments, at time: WallTime, _ db: Database,
        _ body: (inout PartyRequest) -> Bool
    ) throws -> Bool {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM party_request WHERE \(condition)", arguments: arguments),
            var request = PartyRequest(row: row)
        else { return false }
        let grant = request.grant
        guard body(&request) else { return false }
        try db.execute(
            sql: """
                UPDATE party_request SET state = ?, decided = ?, entry = ?, grant_number = ?, is_closed = ?,
                    owes_withdrawal = ? WHERE id = ?
                """,
            arguments: [
                request.state.rawValue, request.decided?.millisecondsSince1970, request.entry, request.grant,
                request.isClosed, request.owesWithdrawal, request.id.text,
            ])
        if request.state == .accepted {
            try SharedStore.release(
                request.id, of: request.party, decided: request.decided ?? time,
                isNewGrant: grant != request.grant, db)
        } else {
            try SharedStore.erase(request.id, db)
        }
        return true
    }
}

extension PartyRequest {
    /// Nil for a row that another version wrote.
    init?(row: Row) {
        guard let id = RequestID(row["id"] as String), let party = PartyID(row["party"] as String),
            let state = State(rawValue: row["state"])
        else { return nil }
        self.init(
            id: id, party: party, purpose: row["purpose"],
            kinds: (row["kinds"] as String).split(separator: " ").map(String.init),
            from: (row["begins"] as Int64?).map(WallTime.init(_:)),
            until: (row["ends"] as Int64?).map(WallTime.init(_:)), asked: WallTime(row["asked"]),
            expires: WallTime(row["expires"]), state: state,
            decided: (row["decided"] as Int64?).map(WallTime.init(_:)), entry: row["entry"],
            grant: row["grant_number"], isClosed: row["is_closed"], owesWithdrawal: row["owes_withdrawal"],
            house: (row["gateway"] as String?).flatMap { GatewayID($0) },
            person: (row["person"] as String?).flatMap { PersonID($0) })
    }
}

/// A request before the store has found its person.
public struct NewPartyRequest: Sendable {
    /// Requests that a party may send in a day, to known and unknown fiscal codes alike: more would be a search for
    /// members.
    public static let mostInADay = 100
    /// Requests of one party that a person is asked about in a day: a person at home is not to be pestered. Further ones
    /// stay unanswered, as if the fiscal code were unknown.
    public static let mostOfOnePersonInADay = 3

    public let id: RequestID
    public let party: PartyID
    /// Look-up value of the fiscal code.
    public let lookUp: [UInt8]
    public let terms: RequestTerms
    public let idempotencyKey: String
    /// SHA-256 of the request as it came.
    public let digest: [UInt8]
    public let asked: WallTime

    public init(
        id: RequestID, party: PartyID, lookUp: [UInt8], terms: RequestTerms, idempotencyKey: String,
        digest: [UInt8], asked: WallTime
    ) {
        (self.id, self.party, self.lookUp, self.terms) = (id, party, lookUp, terms)
        (self.idempotencyKey, self.digest, self.asked) = (idempotencyKey, digest, asked)
    }
}

/// A request as its person sees it.
public struct PersonRequest: Hashable, Sendable {
    public let request: PartyRequest
    public let partyName: String
    public let partyState: PartyState
    /// Copies that the party has read.
    public let read: Int
    public let lastRead: WallTime?

    public init(
        request: PartyRequest, partyName: String, partyState: PartyState, read: Int, lastRead: WallTime?
    ) {
        (self.request, self.partyName, self.partyState) = (request, partyName, partyState)
        (self.read, self.lastRead) = (read, lastRead)
    }
}
