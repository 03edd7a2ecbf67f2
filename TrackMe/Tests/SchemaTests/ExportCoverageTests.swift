import Accounts
import Foundation
import GatewayModel
import SQLDatabase
import Schema
import Store
import StoreSamples
import Testing

/// An export holds all that is kept of a person: a new table is in a list, or has a reason here.
struct ExportCoverageTests {
    /// Tables that `AccountExport` reads itself.
    private static let byPages: Set = [
        "account", "alarm", "block", "data_view", "document", "gap", "hour", "minute", "notice", "sample",
        "series",
    ]

    private static let reasons = [
        "acceptance": "a message to a house, on its way; the call is of the desk",
        "command": "signed messages to houses, on their way; the acts behind them are in the lists",
        "dead_letter": "messages that could not be read, for the operator",
        "desk_call": "has words of dispatchers and of others in the house: the operator answers",
        "desk_forwarding": "copy of a call",
        "desk_key": "key of a call", "desk_token": "key of a house",
        "fleet_box": "boxes of installers",
        "invitation": "hash of a secret of the operator, for three days",
        "group_cell": "figures of groups of persons", "group_floor": "figures of groups of persons",
        "group_release": "figures of groups of persons",
        "house": "key of a box", "house_device": "devices of a house", "house_state": "state of a box",
        "issuer_sequence": "number of this server", "kept": "times of this server",
        "latest": "the newest row of sample",
        "party": "a company", "party_assertion": "a company", "party_group": "a company",
        "party_key": "a company", "party_token": "a company", "shared_last": "a company",
        "subscription": "a company",
        "removed_request": "requests of companies that are removed; the ledger of the house has them",
        "run": "a public page", "run_box": "boxes of a run", "run_command": "messages to boxes of a run",
        "run_act": "keys of programs, for a day",
        "seen": "IDs of readings that came late",
        "shared": "copies of readings, erased with the grant",
    ]

    @Test func `each table is exported, or has a reason not to be`() throws {
        let database = try TestDatabase(migrations: Schema.migrations)
        let tables = Set(try database.open().tables())
        let exported = Self.byPages.union((Stores.exports + Schema.exports).flatMap(\.tables))
        #expect(tables.subtracting(exported).subtracting(Self.reasons.keys) == [])
        #expect(exported.union(Self.reasons.keys).subtracting(tables) == [], "tables that are gone")
        #expect(exported.intersection(Self.reasons.keys) == [])
    }

    @Test func `each list can be read, and has what is its owner's alone`() async throws {
        let database = try TestDatabase(migrations: Schema.migrations)
        let file = try database.open()
        let stores = Stores(in: file, exports: Schema.exports)
        let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
        let anna = try await stores.accounts.add(.sample("anna", at: noon))
        let paolo = try await stores.accounts.add(.sample("paolo", at: noon))
        try file.fill(anna, "maria")
        try file.fill(paolo, "paolo")
        let own = try await stores.exports.lists(of: anna)
        let lists = own + (try await stores.exports.lists(of: .maria))
        #expect(Set(lists.map(\.name)).count == (Stores.exports + Schema.exports).count)
        for list in lists { #expect(list.rows.count == 1, "\(list.name)") }
        let texts = lists.flatMap(\.rows).joined().map { "\($0.value)" }
        #expect(texts.contains { $0.contains("maria") } && !texts.contains { $0.contains("paolo") })
    }
}

extension DatabasePool {
    /// Adds a row of an account and its person to each table of the lists, with the name of the person in its texts.
    func fill(_ account: AccountID, _ name: String) throws {
        let (id, house, bytes) = (account.number, "house-12", Data(name.utf8))
        func insert(_ table: String, _ columns: String, _ values: StatementArguments) throws {
            let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
            try writeBlocking { db in
                try db.execute(sql: "INSERT INTO \(table) (\(columns)) VALUES (\(marks))", arguments: values)
            }
        }
        try insert("session", "id, account, created, agent", [bytes, id, 1, name])
        try insert(
            "passkey", "id, account, key, name, counter, added, challenged, used",
            [bytes, id, bytes, name, 1, 1, 1, 1])
        try insert("known_browser", "id, account, since, used", [bytes, id, 1, 1])
        try insert(
            "link", "id, account, gateway, person, request, state, asked",
            [id, id, house, name, name, "linked", 1])
        try insert(
            "interval_command", "id, account, gateway, person, kind, seconds, asked, state",
            [name, id, house, name, "heart-rate", 1, 1, "done"])
        try insert("fleet_member", "account, fleet", [id, name])
        try insert(
            "heartbeat_command", #"id, account, gateway, "user", seconds, asked, state, reason"#,
            [name, id, house, name, 1, 1, "done", name])
        try insert(
            "policy", "gateway, person, policy, accepted, at, entry", [house, name, name, 1, 1, 1])
        try insert(
            "fact_sharing", "request, gateway, person, kind, state, asked, reason",
            [name, house, name, "limits", "failed", 1, name])
        try insert(
            "party", "id, vat, name, contact, state, applied, changed",
            [name, name, name, name, "approved", 1, 1])
        try insert(
            "party_request",
            "id, party, idempotency_key, digest, gateway, person, purpose, kinds, asked, expires, state, is_closed",
            [name, name, name, bytes, house, name, name, name, 1, 1, "sent", 0])
        try insert("shared_read", "request, count, last", [name, 1, 1])
        try insert(
            "group_member", "account, link, gateway, person, birth_year, gender, area, since",
            [id, id, house, name, 1956, name, name, 1])
        try insert("group_counted", "account, tables", [id, id])
        try insert(
            "audit", "number, at, area, subject, entry, hash",
            [id, 1, "groups", "account \(account)", name, bytes])
        try insert(
            "audit", "number, at, area, subject, entry, hash",
            [id + 100, 1, "passkeys", "account \(account)", name, bytes])
        try insert(
            "run", "id, description, outline, begins, ends, most, cancelled, version, defined, revision",
            [name, name, "{}", 1, 2, 1, 0, 1, 1, 1])
        try insert("run_organiser", "run, account, role", [name, id, "organiser"])
        try insert(
            "run_participant", "run, bib, entrant, account, own, shows, gone, since, revision",
            [name, 7, "{}", id, 1, 1, 0, 1, 1])
        for table in ["run_passing", "run_correction"] {
            try insert(table, "run, id, bib, gateway, payload", [name, bytes, 7, house, bytes])
        }
        try insert("run_position", "run, bib, measured, gateway, payload", [name, 7, 1, house, bytes])
        try insert("run_tracker", "run, bib, time", [name, 7, 1])
        try insert(
            "run_sharing", "request, run, bib, gateway, person, state, asked, sent",
            [name, name, 7, house, name, "shared", 1, 1])
        try insert("run_vital", "request, kind, value, time", [name, "heart-rate", 70, 1])
    }
}
