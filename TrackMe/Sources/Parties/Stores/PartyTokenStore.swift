import FoundationEssentials
public import GatewayModel
public import SQLDatabase
import Store

/// Access tokens of third parties in SQLite.
public struct PartyTokenStore: Sendable {
    static let migration = Migration("party-tokens-1") { db in
        try db.execute(
            sql: """
                CREATE TABLE party_token (
                    hash BLOB PRIMARY KEY, party TEXT NOT NULL REFERENCES party, expires INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX party_token_of_party ON party_token (party);
                CREATE TABLE party_assertion (
                    party TEXT NOT NULL REFERENCES party, id TEXT NOT NULL, expires INTEGER NOT NULL,
                    PRIMARY KEY (party, id)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    private let file: DatabasePool

    public init(file: DatabasePool) { self.file = file }

    static func endAll(of party: PartyID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM party_token WHERE party = ?", arguments: [party.text])
    }

    /// Keeps a token and the ID of its assertion in one commit.
    ///
    /// - Throws: `PartyFault.assertionUsed`, `PartyFault.tooManyTokens`, `PartyFault.partyNotApproved`.
    public func open(_ token: NewPartyToken) async throws {
        try await file.write { db in
            guard try PartyStore.party(token.party, db)?.state == .approved else {
                throw PartyFault.partyNotApproved
            }
            try db.execute(
                sql: "INSERT INTO party_assertion (party, id, expires) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                arguments: [
                    token.party.text, token.assertion, token.assertionExpires.millisecondsSince1970,
                ])
            guard db.changesCount == 1 else { throw PartyFault.assertionUsed }
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM party_assertion WHERE party = ?", arguments: [token.party.text])
            guard count ?? 0 <= NewPartyToken.most else { throw PartyFault.tooManyTokens }
            try db.execute(
                sql: "INSERT INTO party_token (hash, party, expires) VALUES (?, ?, ?)",
                arguments: [Data(token.hash), token.party.text, token.expires.millisecondsSince1970])
        }
    }

    /// The approved party of a token that is valid; nil otherwise.
    public func party(ofToken hash: [UInt8], at now: WallTime) async throws -> Party? {
        try await file.read { db in
            let found = try String.fetchOne(
                db, sql: "SELECT party FROM party_token WHERE hash = ? AND expires > ?",
                arguments: [Data(hash), now.millisecondsSince1970])
            guard let id = found.flatMap({ PartyID($0) }), let party = try PartyStore.party(id, db),
                party.state == .approved
            else { return nil }
            return party
        }
    }

    /// Removes tokens and assertions that have ended.
    public func endTokens(before now: WallTime) async throws {
        try await file.write { db in
            for table in ["party_token", "party_assertion"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE expires <= ?", arguments: [now.millisecondsSince1970])
            }
        }
    }
}
