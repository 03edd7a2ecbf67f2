import FoundationEssentials
public import GatewayModel
public import SQLDatabase
public import Store

/// Third parties in SQLite.
public struct PartyStore: Sendable {
    public static let migrations = [
        Migration("parties-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE party (
                        id TEXT PRIMARY KEY, vat TEXT NOT NULL, name TEXT NOT NULL, contact TEXT NOT NULL,
                        state TEXT NOT NULL, applied INTEGER NOT NULL, changed INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE party_key (
                        party TEXT NOT NULL REFERENCES party, id TEXT NOT NULL, thumbprint TEXT NOT NULL,
                        jwk TEXT NOT NULL, added INTEGER NOT NULL, PRIMARY KEY (party, id)
                    ) STRICT, WITHOUT ROWID;
                    """)
        },
        PartyTokenStore.migration, PartyRequestStore.migration, SharedStore.migration,
        SubscriptionStore.migration, PartyRequestStore.withdrawals, SubscriptionStore.suspensions,
        SharedStore.measurements, PartyRequestStore.owed, PartyRemoval.migration, PartyRequestStore.noClaims,
    ]

    public static let exports = [PartyRequestStore.export]

    /// Area of the parties in the audit log.
    public static let area = "parties"
    /// Applications that wait for the operator: a flood must not fill the disk.
    static let mostApplications = 200

    let file: DatabasePool

    public init(file: DatabasePool) { self.file = file }

    /// Keeps an application.
    ///
    /// - Throws: `PartyFault.partyTaken`, `PartyFault.tooManyApplications`.
    public func add(_ party: NewParty) async throws {
        try await file.write { db in
            let waiting = try Int.fetchOne(db, sql: "SELECT count(*) FROM party WHERE state = 'applied'")
            guard waiting ?? 0 < Self.mostApplications else { throw PartyFault.tooManyApplications }
            try db.execute(
                sql: """
                    INSERT INTO party (id, vat, name, contact, state, applied, changed) VALUES (?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """,
                arguments: [
                    party.id.text, party.vat.text, party.name, party.contact.text, PartyState.applied.rawValue,
                    party.applied.millisecondsSince1970, party.applied.millisecondsSince1970,
                ])
            guard db.changesCount == 1 else { throw PartyFault.partyTaken(party.id) }
            try Self.insert(party.key, of: party.id, db)
            try AuditLog.append(
                "applied: \(party.vat), key \(party.key.thumbprint)", about: party.id.text, in: Self.area,
                at: party.applied, db)
        }
    }

    public func party(_ id: PartyID) async throws -> Party? {
        try await file.read { db in try Self.party(id, db) }
    }

    /// Sorted by ID.
    public func parties() async throws -> [Party] {
        try await file.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM party ORDER BY id").compactMap { row in
                try Self.party(row, db)
            }
        }
    }

    /// Carries out an act of the operator, with its line in the audit log in the same commit. A party that is not
    /// approved afterwards has no token any more, and a closed one no copies.
    ///
    /// - Parameter name: of the operator, for the audit log.
    /// - Returns: the party afterwards; nil for an unknown one.
    /// - Throws: `PartyFault.actImpossible`.
    public func change(
        _ id: PartyID, by act: PartyAct, as name: String, at now: WallTime
    ) async throws -> Party? {
        try await file.write { db in
            guard let party = try Self.party(id, db) else { return nil }
            guard let state = party.state.after(act) else { throw PartyFault.actImpossible(party.state) }
            try db.execute(
                sql: "UPDATE party SET state = ?, changed = ? WHERE id = ?",
                arguments: [state.rawValue, now.millisecondsSince1970, id.text])
            if state != .approved { try PartyTokenStore.endAll(of: id, db) }
            if state == .closed { try SharedStore.eraseAll(of: id, db) }
            try AuditLog.append("\(act.rawValue) by \(name)", about: id.text, in: Self.area, at: now, db)
            return try Self.party(id, db)
        }
    }

    /// Adds a key, with its line in the audit log. Returns the keys afterwards; nil for an unknown party.
    ///
    /// - Throws: `PartyKeySet.Fault`.
    public func addKey(_ key: PartyKey, to party: PartyID) async throws -> PartyKeySet? {
        try await file.write { db in
            guard var keys = try Self.party(party, db)?.keys else { return nil }
            try keys.add(key)
            try Self.insert(key, of: party, db)
            try AuditLog.append(
                "key added: \(key.thumbprint)", about: party.text, in: Self.area, at: key.added, db)
            return keys
        }
    }

    /// Ends a key, with its line in the audit log. Returns the keys afterwards; nil for an unknown party.
    ///
    /// - Throws: `PartyKeySet.Fault`.
    public func endKey(_ id: String, of party: PartyID, at now: WallTime) async throws -> PartyKeySet? {
        try await file.write { db in
            guard var keys = try Self.party(party, db)?.keys else { return nil }
            let thumbprint = keys.key(id)?.thumbprint ?? ""
            try keys.end(id)
            try db.execute(
                sql: "DELETE FROM party_key WHERE party = ? AND id = ?", arguments: [party.text, id])
            try AuditLog.append("key ended: \(thumbprint)", about: party.text, in: Self.area, at: now, db)
            return keys
        }
    }

    private static func insert(_ key: PartyKey, of party: PartyID, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO party_key (party, id, thumbprint, jwk, added) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                party.text, key.id, key.thumbprint, key.jwk, key.added.millisecondsSince1970,
            ])
    }

    static func party(_ id: PartyID, _ db: Database) throws -> Party? {
        try Row.fetchOne(db, sql: "SELECT * FROM party WHERE id = ?", arguments: [id.text])
            .flatMap { try party($0, db) }
    }

    /// Nil for a row that another version wrote.
    private static func party(_ row: Row, _ db: Database) throws -> Party? {
        guard let id = PartyID(row["id"] as String), let vat = try? VATNumber(row["vat"] as String),
            let contact = PartyContact(row["contact"] as String), let state = PartyState(rawValue: row["state"])
        else { return nil }
        let keys = try Row.fetchAll(
            db, sql: "SELECT * FROM party_key WHERE party = ? ORDER BY added, id", arguments: [id.text]
        ).map { key in
            PartyKey(
                id: key["id"], thumbprint: key["thumbprint"], jwk: key["jwk"], added: WallTime(key["added"]))
        }
        return Party(
            id: id, vat: vat, name: row["name"], contact: contact, state: state, keys: PartyKeySet(keys),
            applied: WallTime(row["applied"]), changed: WallTime(row["changed"]))
    }
}

extension WallTime {
    init(_ milliseconds: Int64) { self.init(millisecondsSince1970: milliseconds) }
}

/// A token before the store keeps its hash, and the assertion for which it was given.
public struct NewPartyToken: Sendable {
    /// Tokens that a party may be given while an assertion lives.
    public static let most = 60

    public let party: PartyID
    /// SHA-256 of the token.
    public let hash: [UInt8]
    public let expires: WallTime
    /// `jti` of the assertion.
    public let assertion: String
    public let assertionExpires: WallTime

    public init(
        party: PartyID, hash: [UInt8], expires: WallTime, assertion: String, assertionExpires: WallTime
    ) {
        (self.party, self.hash, self.expires) = (party, hash, expires)
        (self.assertion, self.assertionExpires) = (assertion, assertionExpires)
    }
}
