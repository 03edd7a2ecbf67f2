import FoundationEssentials
public import GatewayModel
public import SQLDatabase
import Store

/// Groups that third parties asked for, in SQLite.
public struct PartyGroupStore: Sendable {
    static let migration = Migration("party-groups-1") { db in
        try db.execute(
            sql: """
                CREATE TABLE party_group (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, party TEXT NOT NULL REFERENCES party,
                    idempotency_key TEXT NOT NULL, digest BLOB NOT NULL, kind TEXT NOT NULL,
                    -- One name a line; NULL for all.
                    areas TEXT, ages TEXT, genders TEXT, asked INTEGER NOT NULL, first INTEGER, ended INTEGER,
                    UNIQUE (party, idempotency_key)
                ) STRICT;
                CREATE INDEX party_group_asked ON party_group (party, asked);
                """)
    }

    private let file: DatabasePool

    public init(file: DatabasePool) { self.file = file }

    /// Keeps a group. The earlier one where the same came before under its idempotency key.
    ///
    /// - Throws: `GroupFault.idempotencyKeyUsed`, `GroupFault.tooManyGroups`, `GroupFault.partyNotApproved`.
    public func ask(_ group: NewGroup) async throws -> PartyGroup {
        try await file.write { db in
            let known = try Row.fetchOne(
                db, sql: "SELECT * FROM party_group WHERE party = ? AND idempotency_key = ?",
                arguments: [group.party.text, group.idempotencyKey])
            if let known {
                guard Array(known["digest"] as Data) == group.digest, let earlier = PartyGroup(row: known)
                else { throw GroupFault.idempotencyKeyUsed }
                return earlier
            }
            // The operator may have acted since the token was checked.
            let state = try String.fetchOne(
                db, sql: "SELECT state FROM party WHERE id = ?", arguments: [group.party.text])
            guard state == "approved" else { throw GroupFault.partyNotApproved }
            let asked = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM party_group WHERE party = ? AND asked > ?",
                arguments: [group.party.text, group.asked.millisecondsSince1970 - 86_400_000])
            guard asked ?? 0 < NewGroup.mostInADay else { throw GroupFault.tooManyGroups }
            let question = group.question
            let id = try Int64.fetchOne(
                db,
                sql: """
                    INSERT INTO party_group
                        (party, idempotency_key, digest, kind, areas, ages, genders, asked, first)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT max(week) FROM group_release)) RETURNING id
                    """,
                arguments: [
                    group.party.text, group.idempotencyKey, Data(group.digest), question.kind.rawValue,
                    Self.lines(question.areas?.map(\.text)), Self.lines(question.ages?.map(\.description)),
                    Self.lines(question.genders?.map(\.rawValue)), group.asked.millisecondsSince1970,
                ])
            let first = try Int64.fetchOne(db, sql: "SELECT max(week) FROM group_release")
            return PartyGroup(
                id: GroupID(id ?? 0), party: group.party, question: question, asked: group.asked,
                first: first.flatMap { Week(number: $0) }, ended: nil)
        }
    }

    /// Newest first.
    public func groups(of party: PartyID, most: Int) async throws -> [PartyGroup] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM party_group WHERE party = ? ORDER BY id DESC LIMIT ?",
                arguments: [party.text, most]
            ).compactMap(PartyGroup.init(row:))
        }
    }

    public func group(_ id: GroupID, of party: PartyID) async throws -> PartyGroup? {
        try await file.read { db in try Self.group(id, of: party, db) }
    }

    /// Ends a group. Nil for an unknown one; one that has ended stays as it is.
    public func end(_ id: GroupID, of party: PartyID, at now: WallTime) async throws -> PartyGroup? {
        try await file.write { db in
            try db.execute(
                sql: "UPDATE party_group SET ended = ? WHERE id = ? AND party = ? AND ended IS NULL",
                arguments: [now.millisecondsSince1970, id.number, party.text])
            return try Self.group(id, of: party, db)
        }
    }

    /// Removes the groups of a company that is removed, in the transaction of its removal.
    public static func removeGroups(of party: PartyID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM party_group WHERE party = ?", arguments: [party.text])
    }

    private static func group(_ id: GroupID, of party: PartyID, _ db: Database) throws -> PartyGroup? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM party_group WHERE id = ? AND party = ?",
            arguments: [id.number, party.text]
        ).flatMap(PartyGroup.init(row:))
    }

    /// No name has a line break.
    private static func lines(_ names: [String]?) -> String? { names?.joined(separator: "\n") }
}

extension PartyGroup {
    /// Nil for a row that another version wrote.
    fileprivate init?(row: Row) {
        func list<Value>(_ column: String, _ read: (String) -> Value?) -> [Value]?? {
            guard let text = row[column] as String? else { return .some(nil) }
            let names = text.split(separator: "\n").map(String.init)
            let values = names.compactMap(read)
            return values.count == names.count ? values : nil
        }
        guard let party = PartyID(row["party"] as String), let kind = GroupKind(rawValue: row["kind"]),
            let areas = list("areas", { AreaName($0) }), let ages = list("ages", { AgeBand($0) }),
            let genders = list("genders", { Gender(rawValue: $0) })
        else { return nil }
        self.init(
            id: GroupID(row["id"] as Int64), party: party,
            question: GroupQuestion(kept: kind, areas: areas, ages: ages, genders: genders),
            asked: WallTime(millisecondsSince1970: row["asked"]),
            first: (row["first"] as Int64?).flatMap { Week(number: $0) },
            ended: (row["ended"] as Int64?).map { WallTime(millisecondsSince1970: $0) })
    }
}
