public import Accounts
import FoundationEssentials
public import GatewayModel
public import PageSecurity
import SQLDatabase

/// Accounts and sessions.
public struct AccountStore: Sendable {
    static let migrations = [
        Migration("accounts-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE account (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, "user" TEXT NOT NULL UNIQUE, hash TEXT NOT NULL,
                        wrapped_key BLOB NOT NULL, identity BLOB NOT NULL, role TEXT NOT NULL, language TEXT NOT NULL,
                        agreement INTEGER NOT NULL, agreed INTEGER NOT NULL, created INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE session (
                        id BLOB PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                        created INTEGER NOT NULL, agent TEXT NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX session_of_account ON session (account, created);
                    """)
        },
        Migration("accounts-2") { db in try db.execute(sql: "ALTER TABLE account ADD COLUMN zone TEXT") },
        Migration("accounts-3") { db in
            try db.execute(sql: "ALTER TABLE account ADD COLUMN disabled INTEGER")
        },
        Migration("accounts-4") { db in
            try db.execute(
                sql: """
                    CREATE TABLE known_browser (
                        id BLOB NOT NULL, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                        since INTEGER NOT NULL, used INTEGER NOT NULL, PRIMARY KEY (id, account)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX known_browser_of_account ON known_browser (account, used);
                    """)
        },
        Migration("accounts-5") { db in
            try db.execute(
                sql: """
                    CREATE TABLE invitation (
                        account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, secret BLOB NOT NULL UNIQUE,
                        until INTEGER NOT NULL
                    ) STRICT;
                    """)
        },
    ]

    let file: DatabasePool

    /// - Throws: `StoreFault.nameTaken`.
    public func add(_ account: NewAccount) async throws -> AccountID {
        try await file.write { db in
            let id = try Int64.fetchOne(
                db,
                sql: """
                    INSERT INTO account ("user", hash, wrapped_key, identity, role, language, agreement, agreed, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT ("user") DO NOTHING RETURNING id
                    """,
                arguments: [
                    account.user.text, account.hash.encoded, Data(account.identity.wrappedKey),
                    Data(account.identity.box), account.role.rawValue, account.language.rawValue,
                    account.agreement.version, account.agreement.at.millisecondsSince1970,
                    account.created.millisecondsSince1970,
                ])
            guard let id else { throw StoreFault.nameTaken(account.user) }
            return AccountID(id)
        }
    }

    public func account(named user: UserName) async throws -> Account? {
        try await file.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM account WHERE \"user\" = ?", arguments: [user.text])
                .flatMap(Account.init(row:))
        }
    }

    public func account(_ id: AccountID) async throws -> Account? {
        try await file.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM account WHERE id = ?", arguments: [id.number])
                .flatMap(Account.init(row:))
        }
    }

    /// Sorted by user name.
    public func accounts() async throws -> [Account] {
        try await file.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM account ORDER BY \"user\"").compactMap(Account.init(row:))
        }
    }

    public func setLanguage(_ language: PersonProfile.Language, of account: AccountID) async throws {
        try await file.write { db in
            try db.execute(
                sql: "UPDATE account SET language = ? WHERE id = ?",
                arguments: [language.rawValue, account.number])
        }
    }

    public func setHash(_ hash: PasswordHash, of account: AccountID) async throws {
        try await file.write { db in
            try db.execute(
                sql: "UPDATE account SET hash = ? WHERE id = ?", arguments: [hash.encoded, account.number])
        }
    }

    /// Replaces the password, removes the passkeys and ends every session of the account, in one commit: somebody else may
    /// have had it.
    public func reset(_ hash: PasswordHash, of account: AccountID, at now: WallTime) async throws {
        try await file.write { db in try Self.reset(hash, of: account, at: now, db) }
    }

    private static func reset(
        _ hash: PasswordHash, of account: AccountID, at now: WallTime, _ db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE account SET hash = ? WHERE id = ?", arguments: [hash.encoded, account.number])
        try PasskeyStore.reset(account, at: now, db)
        try endAll(of: account, db)
    }

    /// As `reset`, and lets the holder of a secret choose the next password until a time. An earlier invitation of the account ends.
    ///
    /// - Parameters:
    ///   - hash: of a password that nobody knows.
    ///   - now: the time from which the invitation holds.
    public func invite(
        _ account: AccountID, by invitation: Invitation, hash: PasswordHash, at now: WallTime
    ) async throws {
        try await file.write { db in
            try Self.reset(hash, of: account, at: now, db)
            try db.execute(
                sql: "INSERT INTO invitation (account, secret, until) VALUES (?, ?, ?)",
                arguments: [
                    account.number, Data(invitation.secret.hash), invitation.end.millisecondsSince1970,
                ])
        }
    }

    /// Account of an invitation with the `RandomSecret.hash`. Nil for none, after its end, and while the account is disabled.
    public func invited(by secret: [UInt8], at now: WallTime) async throws -> Account? {
        try await file.read { db in try Self.invited(by: secret, at: now, db) }
    }

    private static func invited(by secret: [UInt8], at now: WallTime, _ db: Database) throws -> Account? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT account.* FROM account JOIN invitation ON invitation.account = account.id
                WHERE secret = ? AND until > ? AND disabled IS NULL
                """, arguments: [Data(secret), now.millisecondsSince1970]
        ).flatMap(Account.init(row:))
    }

    /// As `reset`, with the user's own agreement; ends the invitation in the same commit. Returns false if `invited` has no account.
    public func accept(
        _ secret: [UInt8], hash: PasswordHash, agreement: AgreementConsent
    ) async throws -> Bool {
        try await file.write { db in
            guard let account = try Self.invited(by: secret, at: agreement.at, db) else { return false }
            // Of two answers, at two servers, the second deletes no row.
            try db.execute(sql: "DELETE FROM invitation WHERE secret = ?", arguments: [Data(secret)])
            guard db.changesCount == 1 else { return false }
            try Self.reset(hash, of: account.id, at: agreement.at, db)
            try db.execute(
                sql: "UPDATE account SET agreement = ?, agreed = ? WHERE id = ?",
                arguments: [agreement.version, agreement.at.millisecondsSince1970, account.id.number])
            return true
        }
    }

    public func endInvitations(before time: WallTime) async throws {
        try await file.write { db in
            try db.execute(
                sql: "DELETE FROM invitation WHERE until < ?", arguments: [time.millisecondsSince1970])
        }
    }

    /// Lets nobody sign in to the account, and ends every session of it in the same commit. Its links, passkeys and data stay. One that
    /// is disabled already keeps its time.
    public func disable(_ account: AccountID, at now: WallTime) async throws {
        try await file.write { db in
            try db.execute(
                sql: "UPDATE account SET disabled = coalesce(disabled, ?) WHERE id = ?",
                arguments: [now.millisecondsSince1970, account.number])
            try Self.endAll(of: account, db)
        }
    }

    /// Lets the user sign in again.
    public func enable(_ account: AccountID) async throws {
        try await file.write { db in
            try db.execute(
                sql: "UPDATE account SET disabled = NULL WHERE id = ?", arguments: [account.number])
        }
    }

    private static func endAll(of account: AccountID, _ db: Database) throws {
        for table in ["session", "known_browser", "invitation"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE account = ?", arguments: [account.number])
        }
    }

    public func setIdentity(_ identity: SealedIdentity, of account: AccountID) async throws {
        try await file.write { db in
            try db.execute(
                sql: "UPDATE account SET wrapped_key = ?, identity = ? WHERE id = ?",
                arguments: [Data(identity.wrappedKey), Data(identity.box), account.number])
        }
    }

    /// Sets the name of a time zone of IANA; nil for that of the server.
    public func setZone(_ zone: String?, of account: AccountID) async throws {
        try await file.write { db in
            try db.execute(
                sql: "UPDATE account SET zone = ? WHERE id = ?", arguments: [zone, account.number])
        }
    }

    /// Removes the account with its sealed identity, its sessions, its links and the commands that name its user, and queues
    /// a withdrawal for each link in the same commit. Readings belong to the house and stay until no account is linked to
    /// their person; then everything of that person goes.
    public func remove(
        _ account: AccountID, at now: WallTime,
        withdraw: @escaping @Sendable (_ link: Link, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws {
        try await file.write { db in
            try LinkStore.withdrawAll(of: account, at: now, make: withdraw, db)
            try CommandStates.removeCommands(of: account, db)
            try db.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [account.number])
            try SampleStore.removeUnlinked(db)
        }
    }

    public func open(_ session: Session) async throws {
        try await file.write { db in
            try db.execute(
                sql: "INSERT INTO session (id, account, created, agent) VALUES (?, ?, ?, ?)",
                arguments: [
                    Data(session.id.hash), session.account.number, session.created.millisecondsSince1970,
                    session.agent,
                ])
        }
    }

    /// Session and account; nil for an unknown session, and while the account is disabled.
    public func session(_ id: SessionID) async throws -> (session: Session, account: Account)? {
        try await file.read { db in
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT * FROM session WHERE id = ?", arguments: [Data(id.hash)])
            else { return nil }
            let session = Session(row: row)
            guard
                let found = try Row.fetchOne(
                    db, sql: "SELECT * FROM account WHERE id = ?", arguments: [session.account.number]),
                let account = Account(row: found), account.disabled == nil
            else { return nil }
            return (session, account)
        }
    }

    /// Newest first.
    public func sessions(of account: AccountID) async throws -> [Session] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM session WHERE account = ? ORDER BY created DESC",
                arguments: [account.number]
            ).map(Session.init(row:))
        }
    }

    public func end(_ session: SessionID) async throws {
        try await file.write { db in
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [Data(session.hash)])
        }
    }

    /// Ends the session of the account whose ID begins so. Sessions of others are not touched.
    public func end(short: String, of account: AccountID) async throws {
        try await file.write { db in
            let ids = try Data.fetchAll(
                db, sql: "SELECT id FROM session WHERE account = ?", arguments: [account.number])
            for id in ids where SessionID(hash: Array(id)).short == short {
                try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id])
            }
        }
    }

    public func endOthers(than session: SessionID, of account: AccountID) async throws {
        try await file.write { db in
            try db.execute(
                sql: "DELETE FROM session WHERE account = ? AND id <> ?",
                arguments: [account.number, Data(session.hash)])
        }
    }

    public func endSessions(before time: WallTime) async throws {
        try await file.write { db in
            try db.execute(
                sql: "DELETE FROM session WHERE created < ?", arguments: [time.millisecondsSince1970])
        }
    }

    /// Makes a browser known to an account, by its sign-in now.
    ///
    /// - Returns: `own` if the browser is known to an account already, else `fresh`: the secret for its cookie.
    public func remember(
        _ own: SessionToken, or fresh: SessionToken, of account: AccountID, at now: WallTime
    ) async throws -> SessionToken {
        try await file.write { db in
            let isKnown = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM known_browser WHERE id = ?)",
                arguments: [Data(BrowserID(own).hash)])
            let token = isKnown == true ? own : fresh
            try db.execute(
                sql: """
                    INSERT INTO known_browser (id, account, since, used) VALUES (?, ?, ?, ?)
                    ON CONFLICT (id, account) DO UPDATE SET used = excluded.used
                    """,
                arguments: [
                    Data(BrowserID(token).hash), account.number, now.millisecondsSince1970,
                    now.millisecondsSince1970,
                ])
            try db.execute(
                sql: """
                    DELETE FROM known_browser WHERE account = ? AND id NOT IN (
                        SELECT id FROM known_browser WHERE account = ? ORDER BY used DESC, id LIMIT ?)
                    """,
                arguments: [account.number, account.number, BrowserID.mostOfAccount])
            return token
        }
    }

    /// Returns whether the account has signed in with the browser within `BrowserID.lifetime`.
    public func knows(_ browser: BrowserID, of account: AccountID, at now: WallTime) async throws -> Bool {
        try await file.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT used FROM known_browser WHERE id = ? AND account = ?",
                arguments: [Data(browser.hash), account.number]
            ).map { now < WallTime($0).advanced(by: BrowserID.lifetime) } ?? false
        }
    }

    public func forgetBrowsers(of account: AccountID, except browser: BrowserID?) async throws {
        try await file.write { db in
            try db.execute(
                sql: "DELETE FROM known_browser WHERE account = ? AND id <> ?",
                arguments: [account.number, Data(browser?.hash ?? [])])
        }
    }

    /// Forgets the browsers with an older last sign-in.
    public func forgetBrowsers(before time: WallTime) async throws {
        try await file.write { db in
            try db.execute(
                sql: "DELETE FROM known_browser WHERE used < ?", arguments: [time.millisecondsSince1970])
        }
    }
}

extension Account {
    /// Nil for a row that another version wrote.
    fileprivate init?(row: Row) {
        guard let user = UserName(row["user"] as String), let role = AccountRole(rawValue: row["role"]),
            let language = PersonProfile.Language(rawValue: row["language"])
        else { return nil }
        self.init(
            id: AccountID(row["id"]), user: user, hash: PasswordHash(encoded: row["hash"]),
            identity: SealedIdentity(
                wrappedKey: Array(row["wrapped_key"] as Data), box: Array(row["identity"] as Data)),
            role: role, language: language,
            agreement: AgreementConsent(version: row["agreement"], at: WallTime(row["agreed"])),
            created: WallTime(row["created"]), zone: row["zone"],
            disabled: (row["disabled"] as Int64?).map(WallTime.init(_:)))
    }
}

extension Session {
    fileprivate init(row: Row) {
        self.init(
            id: SessionID(hash: Array(row["id"] as Data)), account: AccountID(row["account"]),
            created: WallTime(row["created"]), agent: row["agent"])
    }
}

extension WallTime {
    init(_ milliseconds: Int64) { self.init(millisecondsSince1970: milliseconds) }
}
