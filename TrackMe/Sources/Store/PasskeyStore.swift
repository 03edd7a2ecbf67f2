public import Accounts
import FoundationEssentials
public import GatewayModel
import SQLDatabase

/// Passkeys.
public struct PasskeyStore: Sendable {
    static let migrations = [
        Migration("passkeys-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE passkey (
                        id BLOB PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                        key BLOB NOT NULL, name TEXT NOT NULL, counter INTEGER NOT NULL, added INTEGER NOT NULL,
                        challenged INTEGER NOT NULL, used INTEGER
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX passkey_of_account ON passkey (account, added);
                    """)
        }
    ]

    /// Of the audit log. The subject is the number of the account, which names nobody and is not given again.
    private static let area = "passkeys"

    static let changesExport = ExportList(
        "passkey_changes", of: .account, tables: ["audit"], [.time("time", "at"), .text("entry")],
        """
        FROM audit WHERE area = '\(area)'
            AND subject = 'account ' || CAST(CAST(:account AS BIGINT) AS TEXT) ORDER BY number
        """)

    let file: DatabasePool

    public func add(_ passkey: Passkey) async throws -> PasskeyAddition {
        try await file.write { db in
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM passkey WHERE account = ?", arguments: [passkey.account.number])
            guard (count ?? 0) < Passkey.mostOfAccount else { return .tooMany }
            try db.execute(
                sql: """
                    INSERT INTO passkey (id, account, key, name, counter, added, challenged) VALUES (?, ?, ?, ?, ?, ?, 0)
                    ON CONFLICT (id) DO NOTHING
                    """,
                arguments: [
                    Data(passkey.id.bytes), passkey.account.number, Data(passkey.key.stored), passkey.name.text,
                    Int64(passkey.counter), passkey.added.millisecondsSince1970,
                ])
            guard db.changesCount == 1 else { return .exists }
            try Self.audit(.added, passkey.id, passkey.account, at: passkey.added, db)
            return .done
        }
    }

    public func passkey(_ id: PasskeyID) async throws -> Passkey? {
        try await file.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM passkey WHERE id = ?", arguments: [Data(id.bytes)])
                .flatMap(Passkey.init(row:))
        }
    }

    /// Oldest first.
    public func passkeys(of account: AccountID) async throws -> [Passkey] {
        try await file.read { db in try Self.passkeys(of: account, db) }
    }

    private static func passkeys(of account: AccountID, _ db: Database) throws -> [Passkey] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM passkey WHERE account = ? ORDER BY added, id", arguments: [account.number]
        ).compactMap(Passkey.init(row:))
    }

    /// Numbers of passkeys of the accounts that have any.
    public func counts() async throws -> [AccountID: Int] {
        try await file.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT account, count(*) AS count FROM passkey GROUP BY account")
            return Dictionary(uniqueKeysWithValues: rows.map { (AccountID($0["account"]), $0["count"]) })
        }
    }

    /// Records a sign-in by a verified signature.
    ///
    /// - Parameters:
    ///   - counter: of the device, in the signature.
    ///   - challenged: time of the challenge, which is newer than that of every earlier sign-in by the passkey.
    public func use(
        _ id: PasskeyID, counter: UInt32, challenged: WallTime, at now: WallTime
    ) async throws -> PasskeyUse {
        try await file.write { db in
            // One statement: of two sign-ins with one challenge, at two servers, the second changes no row.
            try db.execute(
                sql: """
                    UPDATE passkey SET counter = ?, challenged = ?, used = ?
                    WHERE id = ? AND challenged < ? AND (counter < ? OR counter = 0 AND ? = 0)
                    """,
                arguments: [
                    Int64(counter), challenged.millisecondsSince1970, now.millisecondsSince1970, Data(id.bytes),
                    challenged.millisecondsSince1970, Int64(counter), Int64(counter),
                ])
            guard db.changesCount == 0 else { return .done }
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT account, challenged FROM passkey WHERE id = ?",
                    arguments: [Data(id.bytes)]),
                row["challenged"] < challenged.millisecondsSince1970
            else { return .repeated }
            try Self.audit(.copied, id, AccountID(row["account"]), at: now, db)
            return .copied
        }
    }

    /// Removes the passkey of the account with this `PasskeyID.short`. Returns false for none.
    public func remove(short: String, of account: AccountID, at now: WallTime) async throws -> Bool {
        try await file.write { db in
            guard let found = try Self.passkeys(of: account, db).first(where: { $0.id.short == short }) else {
                return false
            }
            try db.execute(sql: "DELETE FROM passkey WHERE id = ?", arguments: [Data(found.id.bytes)])
            try Self.audit(.removed, found.id, account, at: now, db)
            return true
        }
    }

    /// Removes all passkeys of an account, in the transaction of its new password.
    static func reset(_ account: AccountID, at now: WallTime, _ db: Database) throws {
        for passkey in try passkeys(of: account, db) { try audit(.reset, passkey.id, account, at: now, db) }
        try db.execute(sql: "DELETE FROM passkey WHERE account = ?", arguments: [account.number])
    }

    /// Newest first.
    public func changes(
        of account: AccountID, most: Int
    ) async throws -> [(change: PasskeyChange, at: WallTime)] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT at, entry FROM audit WHERE area = ? AND subject = ? ORDER BY number DESC LIMIT ?",
                arguments: [Self.area, Self.subject(account), most]
            ).compactMap { row in
                PasskeyChange(rawValue: String((row["entry"] as String).prefix { $0 != ":" })).map {
                    ($0, WallTime(row["at"]))
                }
            }
        }
    }

    private static func subject(_ account: AccountID) -> String { "account \(account)" }

    private static func audit(
        _ change: PasskeyChange, _ id: PasskeyID, _ account: AccountID, at now: WallTime, _ db: Database
    ) throws {
        try AuditLog.append(
            "\(change.rawValue): \(id.short)", about: subject(account), in: area, at: now, db)
    }
}

extension Passkey {
    /// Nil for a row that another version wrote.
    fileprivate init?(row: Row) {
        guard let id = PasskeyID(Array(row["id"] as Data)), let name = PasskeyName(row["name"]),
            let key = PasskeyKey(stored: Array(row["key"] as Data))
        else { return nil }
        self.init(
            id: id, account: AccountID(row["account"]), key: key, name: name,
            counter: UInt32(clamping: row["counter"] as Int64), added: WallTime(row["added"]),
            used: (row["used"] as Int64?).map(WallTime.init(_:)))
    }
}

/// Result of an addition.
public enum PasskeyAddition: Hashable, Sendable {
    case done
    /// A passkey with this ID is in the store, of this account or another one.
    case exists
    /// The account has `Passkey.mostOfAccount`.
    case tooMany
}

/// Result of a sign-in by a passkey.
public enum PasskeyUse: Hashable, Sendable {
    case done
    /// The challenge is not newer than that of an earlier sign-in, or the passkey is gone.
    case repeated
    /// The counter is not ahead of that in the store: there may be a copy of the passkey (WebAuthn Level 3 section 6.1.1).
    case copied
}
