public import Accounts
public import GatewayModel
public import SQLDatabase
import Store

/// Consent of persons to be counted, in SQLite.
public struct GroupMemberStore: Sendable {
    static let migration = Migration("group-members-1") { db in
        try db.execute(
            sql: """
                CREATE TABLE group_member (
                    account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
                    link INTEGER NOT NULL REFERENCES link ON DELETE CASCADE,
                    gateway TEXT NOT NULL, person TEXT NOT NULL, birth_year INTEGER NOT NULL, gender TEXT NOT NULL,
                    area TEXT NOT NULL, since INTEGER NOT NULL, UNIQUE (gateway, person)
                ) STRICT;
                CREATE INDEX group_member_of_link ON group_member (link);
                -- Tables that have counted an account. They stay when the consent is switched off.
                CREATE TABLE group_counted (
                    account INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE, tables INTEGER NOT NULL
                ) STRICT;
                """)
    }

    /// Members to be counted: the link holds, and the person has not withdrawn the data policy.
    static let countable = """
        group_member JOIN link ON link.id = group_member.link AND link.state = 'linked'
            AND NOT EXISTS (
                SELECT 1 FROM policy WHERE policy.gateway = group_member.gateway
                    AND policy.person = group_member.person AND policy = 'data-policy' AND accepted = 0)
        """

    private let file: DatabasePool

    public init(file: DatabasePool) { self.file = file }

    /// Nil for an account that is not counted.
    public func member(_ account: AccountID) async throws -> GroupMember? {
        try await file.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM group_member WHERE account = ?", arguments: [account.number]
            ).flatMap { row in
                GroupProfile(row: row).map {
                    GroupMember(
                        link: LinkID(row["link"] as Int64), profile: $0,
                        since: WallTime(millisecondsSince1970: row["since"]))
                }
            }
        }
    }

    /// Tables that have counted the account until now.
    public func tables(of account: AccountID) async throws -> Int {
        try await file.read { db in
            try Int.fetchOne(
                db, sql: "SELECT tables FROM group_counted WHERE account = ?", arguments: [account.number]) ?? 0
        }
    }

    /// Switches the consent on, or changes its profile. The time of the consent stays when the profile changes.
    ///
    /// - Throws: `GroupFault.notLinked`, `GroupFault.counted`.
    public func countIn(
        _ profile: GroupProfile, of account: AccountID, by link: LinkID, at now: WallTime
    ) async throws {
        try await file.write { db in
            guard
                let found = try Row.fetchOne(
                    db, sql: "SELECT * FROM link WHERE id = ? AND account = ? AND \(LinkRights.acts)",
                    arguments: [link.number, account.number])
            else { throw GroupFault.notLinked }
            let (gateway, person): (String, String) = (found["gateway"], found["person"])
            // A link that has ended holds nobody's place.
            try db.execute(
                sql: """
                    DELETE FROM group_member WHERE gateway = ? AND person = ? AND account <> ?
                        AND link NOT IN (SELECT id FROM link WHERE state = 'linked')
                    """, arguments: [gateway, person, account.number])
            let isTaken = try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM group_member WHERE gateway = ? AND person = ? AND account <> ?)",
                arguments: [gateway, person, account.number])
            guard isTaken != true else { throw GroupFault.counted }
            let isChange = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM group_member WHERE account = ?)",
                arguments: [account.number])
            // Another person begins anew; the same one keeps the time of the consent.
            try db.execute(
                sql: """
                    INSERT INTO group_member (account, link, gateway, person, birth_year, gender, area, since)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (account) DO UPDATE SET link = excluded.link, birth_year = excluded.birth_year,
                        gender = excluded.gender, area = excluded.area,
                        since = CASE WHEN group_member.gateway = excluded.gateway AND group_member.person = excluded.person
                            THEN group_member.since ELSE excluded.since END,
                        gateway = excluded.gateway, person = excluded.person
                    """,
                arguments: [
                    account.number, link.number, gateway, person, profile.birthYear, profile.gender.rawValue,
                    profile.area.text, now.millisecondsSince1970,
                ])
            try Self.audit(isChange == true ? "profile changed" : "counted in", account, at: now, db)
        }
    }

    /// Switches the consent off, and erases the profile. False if it was off.
    public func countOut(_ account: AccountID, at now: WallTime) async throws -> Bool {
        try await file.write { db in
            try db.execute(sql: "DELETE FROM group_member WHERE account = ?", arguments: [account.number])
            guard db.changesCount == 1 else { return false }
            try Self.audit("counted out", account, at: now, db)
            return true
        }
    }

    /// Counts nobody of a house that is removed any more.
    public static func removeMembers(of house: GatewayID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM group_member WHERE gateway = ?", arguments: [house.text])
    }

    /// Accounts with a consent that is on and a link that holds.
    public func memberCount() async throws -> Int {
        try await file.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM \(Self.countable)") ?? 0
        }
    }

    /// The number of an account is no name, and is not given again: the lines stay when the account is deleted.
    private static func audit(_ entry: String, _ account: AccountID, at now: WallTime, _ db: Database) throws {
        try AuditLog.append(
            entry, about: "account \(account)", in: GroupTables.auditArea, at: now, db)
    }
}

extension GroupProfile {
    /// Nil for a row that another version wrote.
    init?(row: Row) {
        guard let gender = Gender(rawValue: row["gender"]), let area = AreaName(row["area"] as String) else {
            return nil
        }
        self.init(birthYear: row["birth_year"], gender: gender, area: area)
    }
}
