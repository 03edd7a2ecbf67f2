public import Accounts
import FoundationEssentials
public import GatewayModel
import SQLDatabase

/// Links, and the outbox of the commands that they need.
public struct LinkStore: Sendable {
    static let migrations = [
        Migration("links-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE link (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                        gateway TEXT NOT NULL, person TEXT NOT NULL, request TEXT NOT NULL UNIQUE, state TEXT NOT NULL,
                        reason TEXT, asked INTEGER NOT NULL, decided INTEGER, entry INTEGER
                    ) STRICT;
                    CREATE INDEX link_of_account ON link (account);
                    CREATE INDEX link_of_person ON link (gateway, person);
                    CREATE UNIQUE INDEX open_link ON link (account, gateway, person) WHERE state IN ('asked', 'linked');
                    CREATE TABLE command (
                        id TEXT PRIMARY KEY, gateway TEXT NOT NULL, request TEXT, token BLOB NOT NULL,
                        created INTEGER NOT NULL, expires INTEGER NOT NULL, next INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX command_due ON command (next);
                    CREATE TABLE issuer_sequence (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL) STRICT;
                    """)
        },
        Migration("links-2") { db in
            try db.execute(
                sql: """
                    ALTER TABLE command ADD COLUMN is_withdrawal INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX command_withdrawal ON command (expires) WHERE is_withdrawal = 1;
                    """)
        },
        Migration("links-3") { db in
            try db.execute(
                sql: """
                    DROP INDEX command_withdrawal;
                    CREATE INDEX command_withdrawal ON command (expires) WHERE is_withdrawal = 1;
                    """)
        },
        // The number in the signed claims. Older commands go first.
        Migration("links-4") { db in
            try db.execute(sql: "ALTER TABLE command ADD COLUMN sequence INTEGER")
        },
        // The question of an earlier link was whether the account may see the data, so its yes gives no more.
        Migration("links-5") { db in
            try db.execute(sql: "ALTER TABLE link ADD COLUMN role TEXT NOT NULL DEFAULT 'looks'")
        },
    ]

    let file: DatabasePool

    /// Records a link and its command in one commit. `make` gets the next sequence number of the issuer, which is above
    /// each earlier one and at least the time in milliseconds, and returns the signed command.
    ///
    /// - Throws: `StoreFault.linkExists`, `StoreFault.tooManyLinks`, `StoreFault.tooManyQuestions`, or the
    ///   error of `make`.
    public func ask(
        _ link: NewLink, make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> LinkID {
        try await file.write { db in
            let asked = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM link WHERE account = ? AND asked > ?",
                arguments: [link.account.number, link.asked.millisecondsSince1970 - 86_400_000])
            guard asked ?? 0 < NewLink.mostInADay else { throw StoreFault.tooManyLinks }
            let id = try Int64.fetchOne(
                db,
                sql: """
                    INSERT INTO link (account, gateway, person, role, request, state, asked)
                    VALUES (?, ?, ?, ?, ?, 'asked', ?)
                    ON CONFLICT (account, gateway, person) WHERE state IN ('asked', 'linked') DO NOTHING RETURNING id
                    """,
                arguments: [
                    link.account.number, link.subject.gateway.text, link.subject.person.text,
                    link.role.rawValue, link.request.text, link.asked.millisecondsSince1970,
                ])
            guard let id else { throw StoreFault.linkExists }
            // The sequence is locked until the commit, so that servers that race count the questions of each other.
            let sequence = try CommandOutbox.nextSequence(db, at: link.asked)
            let open = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM link WHERE gateway = ? AND person = ? AND state = 'asked'",
                arguments: [link.subject.gateway.text, link.subject.person.text])
            guard open ?? 0 <= NewLink.mostOpen else { throw StoreFault.tooManyQuestions }
            try CommandOutbox.enqueue(try make(sequence), db)
            return LinkID(id)
        }
    }

    /// Newest first.
    public func links(of account: AccountID) async throws -> [Link] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM link WHERE account = ? ORDER BY id DESC", arguments: [account.number]
            ).compactMap(Link.init(row:))
        }
    }

    /// A link of this account; nil for that of another.
    public func link(_ id: LinkID, of account: AccountID) async throws -> Link? {
        try await file.read { db in try Self.link(id, of: account, db) }
    }

    private static func link(_ id: LinkID, of account: AccountID, _ db: Database) throws -> Link? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM link WHERE id = ? AND account = ?", arguments: [id.number, account.number]
        ).flatMap(Link.init(row:))
    }

    /// Ends an open link of this account at once, and queues its withdrawal in the house in the same commit. False if there
    /// was none.
    public func end(
        _ id: LinkID, of account: AccountID, at now: WallTime,
        make: @escaping @Sendable (_ link: Link, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Bool {
        try await file.write { db in
            guard let link = try Self.link(id, of: account, db), link.state.isOpen else { return false }
            try db.execute(
                sql: "UPDATE link SET state = 'ended', decided = ? WHERE id = ?",
                arguments: [now.millisecondsSince1970, id.number])
            try CommandOutbox.enqueue(try make(link, try CommandOutbox.nextSequence(db, at: now)), db)
            return true
        }
    }

    /// Replaces the commands of an account that is removed: they name its user. A withdrawal follows for each link that is
    /// open, or whose withdrawal has no receipt yet.
    static func withdrawAll(
        of account: AccountID, at now: WallTime,
        make: (_ link: Link, _ sequence: Int64) throws -> OutgoingCommand,
        _ db: Database
    ) throws {
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM link WHERE account = ? ORDER BY id", arguments: [account.number])
        for link in rows.compactMap(Link.init(row:)) {
            try db.execute(sql: "DELETE FROM command WHERE request = ?", arguments: [link.request.text])
            guard link.state.isOpen || db.changesCount > 0 else { continue }
            try CommandOutbox.enqueue(try make(link, try CommandOutbox.nextSequence(db, at: now)), db)
        }
    }

    /// Commands with a next attempt that is due, oldest first.
    public func due(at now: WallTime, most: Int) async throws -> [OutgoingCommand] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM command WHERE next <= ? AND expires > ? ORDER BY coalesce(sequence, 0), created LIMIT ?
                    """,
                arguments: [now.millisecondsSince1970, now.millisecondsSince1970, most]
            ).compactMap(OutgoingCommand.init(row:))
        }
    }

    /// Records that the broker has it. It is due again at `next`, unless its receipt comes.
    public func markSent(_ id: String, next: WallTime) async throws {
        try await file.write { db in
            try db.execute(
                sql: "UPDATE command SET next = ? WHERE id = ?", arguments: [next.millisecondsSince1970, id])
        }
    }

    /// Gives up commands that have ended without a receipt, but withdrawals; a link that waited for one has failed.
    public func expireCommands(at now: WallTime) async throws {
        try await file.write { db in
            try db.execute(
                sql: """
                    UPDATE link SET state = 'failed', reason = 'no-answer', decided = :now WHERE state = 'asked'
                        AND request IN (SELECT request FROM command WHERE expires <= :now)
                    """, arguments: ["now": now.millisecondsSince1970])
            try FactStore.expire(at: now, db)
            try CommandStates.expire(at: now, db)
            try db.execute(
                sql: "DELETE FROM command WHERE expires <= ? AND is_withdrawal = 0",
                arguments: [now.millisecondsSince1970])
        }
    }

    /// Withdrawals that have ended without a receipt, oldest first.
    public func endedWithdrawals(at now: WallTime, most: Int) async throws -> [OutgoingCommand] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT * FROM command WHERE is_withdrawal = 1 AND expires <= ? ORDER BY created LIMIT ?",
                arguments: [now.millisecondsSince1970, most]
            ).compactMap(OutgoingCommand.init(row:))
        }
    }

    /// Puts another command in the place of one that is still without a receipt, in one commit.
    public func replace(
        _ id: String, at now: WallTime, make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws {
        try await file.write { db in
            try db.execute(sql: "DELETE FROM command WHERE id = ?", arguments: [id])
            guard db.changesCount == 1 else { return }
            try CommandOutbox.enqueue(try make(try CommandOutbox.nextSequence(db, at: now)), db)
        }
    }

    /// Commands without a receipt.
    public func openCommandCount() async throws -> Int {
        try await file.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM command") ?? 0 }
    }

    /// The broker has it and the house has answered. A refused request has failed; a refused withdrawal leaves the link
    /// ended.
    static func apply(_ answer: CommandAnswer, _ db: Database) throws {
        let request = try String.fetchOne(
            db, sql: "DELETE FROM command WHERE id = ? AND gateway = ? RETURNING request",
            arguments: [answer.command, answer.gateway.text])
        guard let request, let refusal = answer.refusal else { return }
        try db.execute(
            sql:
                "UPDATE link SET state = 'failed', reason = ?, decided = ? WHERE request = ? AND state = 'asked'",
            arguments: [String(refusal.prefix(64)), answer.at.millisecondsSince1970, request])
        try FactStore.apply(refusal, of: request, at: answer.at, db)
    }

    /// A decision counts if it is of the house and person that were asked, and later in the ledger than the last one. A
    /// link that its user has ended stays ended, and a yes to an earlier request does not count while a newer one is open.
    static func apply(_ decision: DecisionRecord, on request: RequestID, _ db: Database) throws {
        let state: Link.State =
            switch decision.verdict {
            case .accepted: .linked
            case .refused: .refused
            case .withdrawn: .ended
            case .expired: .expired
            }
        let condition =
            state == .linked
            ? """
            AND NOT EXISTS (SELECT 1 FROM link other WHERE other.account = link.account
                AND other.gateway = link.gateway AND other.person = link.person AND other.id <> link.id
                AND other.state IN ('asked', 'linked'))
            """ : ""
        try db.execute(
            sql: """
                UPDATE link SET state = ?, decided = ?, entry = ? WHERE request = ? AND gateway = ? AND person = ?
                    AND state <> 'ended' AND (entry IS NULL OR entry < ?) \(condition)
                """,
            arguments: [
                state.rawValue, decision.at.millisecondsSince1970, decision.entry, request.text,
                decision.subject.gateway.text, decision.subject.person.text, decision.entry,
            ])
    }
}

extension Link {
    fileprivate init?(row: Row) {
        guard let gateway = GatewayID(row["gateway"] as String), let person = PersonID(row["person"] as String),
            let request = RequestID(row["request"] as String), let state = State(rawValue: row["state"]),
            let role = LinkRole(rawValue: row["role"])
        else { return nil }
        self.init(
            id: LinkID(row["id"] as Int64), account: AccountID(row["account"]),
            subject: HousePerson(gateway, person), role: role, request: request, state: state,
            reason: row["reason"],
            asked: WallTime(row["asked"]), decided: (row["decided"] as Int64?).map(WallTime.init(_:)),
            entry: row["entry"])
    }
}

extension OutgoingCommand {
    fileprivate init?(row: Row) {
        guard let gateway = GatewayID(row["gateway"] as String) else { return nil }
        self.init(
            id: row["id"], gateway: gateway, request: (row["request"] as String?).flatMap { RequestID($0) },
            token: Array(row["token"] as Data), created: WallTime(row["created"]),
            expires: WallTime(row["expires"]), isWithdrawal: row["is_withdrawal"])
    }
}

/// A link before the store has given it a number.
public struct NewLink: Hashable, Sendable {
    /// Links that an account may ask for in a day: a person at home is not to be pestered.
    public static let mostInADay = 5
    /// Questions that may wait for the answer of one person, from all accounts together.
    public static let mostOpen = 2

    public let account: AccountID
    public let subject: HousePerson
    public let role: LinkRole
    public let request: RequestID
    public let asked: WallTime

    public init(
        account: AccountID, subject: HousePerson, role: LinkRole, request: RequestID, asked: WallTime
    ) {
        (self.account, self.subject, self.role) = (account, subject, role)
        (self.request, self.asked) = (request, asked)
    }
}
