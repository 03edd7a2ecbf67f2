import Accounts
import FoundationEssentials
public import GatewayModel
public import SQLDatabase
import Store

/// Reason why a company is not removed yet.
public enum PartyNotRemovable: Error, Hashable, Sendable {
    case notClosed(PartyState)
    /// The running server has not ended all requests of the closed company yet.
    case requestsOpen
    /// Houses that have not answered a command about a request of the company, sorted.
    case unanswered([GatewayID])
}

/// Removal of a company, for one transaction of all capabilities.
public enum PartyRemoval {
    /// A request of a removed company, without its company: somebody at home may still say yes to it, and the yes is withdrawn.
    static let migration = Migration("party-removal-1") { db in
        try db.execute(
            sql: """
                CREATE TABLE removed_request (
                    request TEXT PRIMARY KEY, gateway TEXT NOT NULL, person TEXT NOT NULL,
                    owes_withdrawal INTEGER NOT NULL DEFAULT 0
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX removed_request_owed ON removed_request (request) WHERE owes_withdrawal = 1;
                """)
    }

    /// Removes the company with its keys, tokens, webhooks, log of copies and requests. Its lines in the audit log stay, with a
    /// line about the removal.
    ///
    /// - Parameter name: of the operator, for the audit log.
    /// - Returns: false for an unknown party.
    /// - Throws: `PartyNotRemovable`.
    public static func remove(
        _ id: PartyID, by name: String, at now: WallTime, _ db: Database
    ) throws -> Bool {
        guard let party = try PartyStore.party(id, db) else { return false }
        try requireEnd(of: party, db)
        let counts = try Row.fetchOne(
            db,
            sql:
                "SELECT count(*) AS requests, count(grant_number) AS granted FROM party_request WHERE party = ?",
            arguments: [id.text])
        try db.execute(
            sql: """
                INSERT INTO removed_request (request, gateway, person)
                SELECT id, gateway, person FROM party_request
                WHERE party = ? AND gateway IS NOT NULL AND (ends IS NULL OR ends > ?)
                """, arguments: [id.text, now.millisecondsSince1970])
        try db.execute(
            sql: "DELETE FROM shared_read WHERE request IN (SELECT id FROM party_request WHERE party = ?)",
            arguments: [id.text])
        for table in [
            "shared", "shared_last", "subscription", "party_request", "party_token", "party_assertion",
            "party_key",
        ] {
            try db.execute(sql: "DELETE FROM \(table) WHERE party = ?", arguments: [id.text])
        }
        try db.execute(sql: "DELETE FROM party WHERE id = ?", arguments: [id.text])
        try removeDeadLetters(to: id, db)
        try AuditLog.append(
            "removed by \(name): \(party.vat), requests \(counts?["requests"] as Int? ?? 0), "
                + "granted \(counts?["granted"] as Int? ?? 0)",
            about: id.text, in: PartyStore.area, at: now, db)
        return true
    }

    private static func requireEnd(of party: Party, _ db: Database) throws {
        guard party.state == .closed else { throw PartyNotRemovable.notClosed(party.state) }
        let isOpen = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM party_request
                    WHERE party = ? AND (state IN ('sent', 'accepted') OR owes_withdrawal = 1))
                """, arguments: [party.id.text])
        guard isOpen == false else { throw PartyNotRemovable.requestsOpen }
        let houses = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT gateway FROM command
                WHERE request IN (SELECT id FROM party_request WHERE party = ?) ORDER BY gateway
                """, arguments: [party.id.text]
        ).compactMap { GatewayID($0) }
        guard houses.isEmpty else { throw PartyNotRemovable.unanswered(houses) }
    }

    /// Copies for the company that were set aside.
    private static func removeDeadLetters(to party: PartyID, _ db: Database) throws {
        let letters = try Row.fetchAll(db, sql: "SELECT id, topic FROM dead_letter")
        for letter in letters where (letter["topic"] as String).contains("/parties/\(party)/") {
            try db.execute(sql: "DELETE FROM dead_letter WHERE id = ?", arguments: [letter["id"] as Int64])
        }
    }

    // MARK: A yes after the removal

    /// Records that a yes at home to the request of a removed company is to be withdrawn.
    static func owe(_ request: RequestID, by subject: HousePerson, _ db: Database) throws {
        try db.execute(
            sql:
                "UPDATE removed_request SET owes_withdrawal = 1 WHERE request = ? AND gateway = ? AND person = ?",
            arguments: [request.text, subject.gateway.text, subject.person.text])
    }

    /// Returns the requests whose yes is to be withdrawn, and records that they are.
    static func takeOwed(most: Int, _ db: Database) throws -> [(request: RequestID, subject: HousePerson)] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM removed_request WHERE owes_withdrawal = 1 ORDER BY request LIMIT ?",
            arguments: [most])
        return try rows.compactMap { row in
            try db.execute(
                sql: "UPDATE removed_request SET owes_withdrawal = 0 WHERE request = ?",
                arguments: [row["request"] as String])
            guard let request = RequestID(row["request"] as String),
                let gateway = GatewayID(row["gateway"] as String),
                let person = PersonID(row["person"] as String)
            else { return nil }
            return (request, HousePerson(gateway, person))
        }
    }

    /// Forgets the requests about the persons of a house that is removed.
    static func removeRequests(of house: GatewayID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM removed_request WHERE gateway = ?", arguments: [house.text])
    }
}
