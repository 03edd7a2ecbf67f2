import Accounts
import GatewayModel
import Parties
import SQLDatabase
import Store
import StoreSamples
import TestSupport
import Testing

/// `trackme parties`, as the operator runs it beside the server.
struct PartyCommandTests {
    private static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)

    @Test func `check names the persons for whom houses give one fiscal code`() async throws {
        let server = try await TestInstallation()
        for (user, subject) in [("anna", HousePerson.maria), ("zeno", .paolo)] {
            let account = try await server.stores.accounts.add(.sample(user, at: Self.noon))
            _ = try await server.stores.link(account, to: subject, as: "link-\(user)", at: Self.noon)
            // The first one alone is no conflict.
            #expect(try await !server.run("check").output.contains("fiscal code"))
            try await server.stores.give([7], of: subject, by: account, as: "code-\(user)", at: Self.noon)
        }
        let checked = try await server.run("check")
        #expect(
            checked.output.contains(
                "warning: houses give one fiscal code for maria of house-12 (anna), paolo of house-13 (zeno). Companies "
                    + "find the first one alone: ask these users"), "\(checked)")
    }

    @Test func `remove names the step before it, and then gives the short name free`() async throws {
        let server = try await TestInstallation()
        let parties = PartyStore(file: server.file)
        let clinic = try #require(
            NewParty(
                id: PartyID("clinic")!, vat: try VATNumber("IT00743110157"), name: "Casa di cura",
                contact: PartyContact("it@clinic.example")!,
                key: PartyKey(id: "1", thumbprint: "print", jwk: "{}", added: Self.noon), applied: Self.noon))
        try await parties.add(clinic)
        let unknown = try await server.run("parties", "remove", "study")
        #expect(unknown.code != 0 && unknown.errors.contains("party: saw 'study'"), "\(unknown)")
        let open = try await server.run("parties", "remove", "clinic")
        #expect(
            open.code != 0 && open.errors.contains("Close it first: trackme parties close clinic"), "\(open)")

        #expect(try await server.run("parties", "close", "clinic").output == "clinic: closed")
        try await server.file.write { db in
            try db.execute(
                sql: """
                    INSERT INTO party_request (id, party, idempotency_key, digest, gateway, person, purpose, kinds, asked,
                        expires, state, is_closed) VALUES ('ask-1', 'clinic', '1', x'01', 'house-12', 'maria', 'p', 'k', 0, 1,
                        'sent', 0)
                    """)
        }
        let owed = try await server.run("parties", "remove", "clinic")
        #expect(
            owed.code != 0 && owed.errors.contains("The running server ends them within seconds"), "\(owed)")
        _ = try await PartyRequestStore(file: server.file).withdrawOwed(at: Self.noon, most: 9) {
            request, _, _ in
            .sample("withdrawal", about: request.text, at: Self.noon, isWithdrawal: true)
        }
        let sent = try await server.run("parties", "remove", "clinic")
        #expect(sent.code != 0 && sent.errors.contains("no answer yet"), "\(sent)")
        #expect(sent.errors.contains("house-12"))

        try await server.file.write { db in try db.execute(sql: "DELETE FROM command") }
        let removed = try await server.run("parties", "remove", "clinic")
        #expect(removed.code == 0 && removed.output == "removed: clinic", "\(removed)")
        #expect(try await server.run("parties", "list").output == "")
        try await parties.add(clinic)
    }
}
