import Accounts
import Foundation
import GatewayModel
import SQLDatabase
import Schema
import Store
import StoreSamples
import Testing

/// The operator removes a house: each row that stays has a reason.
struct HouseRemovalTests {
    private static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
    private static let house = HousePerson.maria.gateway
    /// Tables with rows of a house that is removed.
    private static let reasons = [
        "audit": "the line about the removal, and those before it",
        "command": "the withdrawals, for a day",
        "link": "the account sees that its link has ended, and why",
        "party_request": "the company sees that its request has ended",
        "run_passing": "result of a run", "run_correction": "result of a run",
        "run_position": "result of a run",
        "shared": "the company sees the copy's place in its log, without the content",
    ]
    /// Tables without rows of a house that is removed.
    private static let emptied: Set = [
        "alarm", "data_view", "dead_letter", "desk_token", "document", "fact_sharing", "fleet_box", "gap",
        "group_member",
        "heartbeat_command", "house", "house_device", "house_state", "interval_command",
        "notice",
        "policy", "removed_request", "run_box", "run_command", "run_sharing", "series",
    ]

    /// Rows of the house in tables that no export lists.
    private static let more: [(table: String, columns: String, values: [any DatabaseValueConvertible])] = [
        (
            "gap", "gateway, person, kind, id, begin, until, dropped, kept, reason",
            [house.text, "maria", "heart-rate", Data([1]), 0, 1, 1, 0, "quota"]
        ),
        (
            "notice", "gateway, person, id, time, phase, matter, topic, english, italian",
            [house.text, "maria", Data([1]), 0, "begun", "m", "t", "e", "i"]
        ),
        ("document", "gateway, person, id, time, resource", [house.text, "maria", Data([1]), 0, Data([1])]),
        (
            "alarm", "gateway, person, alarm, begin, state, drill, message",
            [house.text, "maria", "a", 0, "over", 0, Data([1])]
        ),
        ("removed_request", "request, gateway, person", ["r", house.text, "maria"]),
        ("house_state", "gateway", [house.text]),
        ("house_device", "gateway, device, last", [house.text, "strap", 0]),
        ("run_box", "run, gateway, sent", ["maria", house.text, 1]),
        (
            "run_command", "id, run, gateway, type, asked, expires, state",
            ["c", "maria", house.text, "run-create", 0, 1, "sent"]
        ),
        (
            "shared", "party, request, gateway, id, topic, received, payload",
            ["maria", "maria", house.text, Data([1]), "t", 0, Data([7])]
        ),
    ]

    private let database: TestDatabase
    private let file: DatabasePool
    private let stores: Stores
    private let anna: AccountID

    /// Two houses; an account that is linked to Maria in the first one, with a row in each table about her.
    init() async throws {
        database = try TestDatabase(migrations: Schema.migrations)
        file = try database.open()
        stores = Stores(in: file, exports: Schema.exports)
        for name in [Self.house.text, "house-13"] {
            try await stores.houses.register(House(gateway: GatewayID(name)!, key: "{}", added: Self.noon))
        }
        let paolo = try await stores.accounts.add(.sample("paolo", at: Self.noon))
        let other = HousePerson(GatewayID("house-13")!, PersonID("maria")!)
        _ = try await stores.link(paolo, to: other, as: "link-1", at: Self.noon)
        anna = try await stores.accounts.add(.sample("anna", at: Self.noon))
        try file.fill(anna, "maria")
        try await file.write { db in
            for (house, token) in [("house-12", 1), ("house-13", 2)] as [(String, UInt8)] {
                try db.execute(
                    sql: "INSERT INTO fleet_box (gateway, fleet) VALUES (?, 'fleet')", arguments: [house])
                try db.execute(
                    sql: "INSERT INTO desk_token (gateway, hash) VALUES (?, ?)",
                    arguments: [house, Data([token])])
            }
            for (table, columns, values) in Self.more {
                let marks = values.map { _ in "?" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(table) (\(columns)) VALUES (\(marks))",
                    arguments: StatementArguments(values.map { $0.databaseValue }))
            }
            for house in ["house-12", "house-123"] {
                try db.execute(
                    sql:
                        "INSERT INTO dead_letter (topic, payload, reason, detail, at) VALUES (?, ?, 'r', 'd', 0)",
                    arguments: ["trackme/v1/\(house)/samples/maria", Data([1])])
            }
        }
        try await stores.views.record(.page, by: anna, of: .maria, at: Self.noon)
        _ = try stores.intake.keep([.sample(.heartRate(70, at: Self.noon, number: 1))], at: Self.noon)
    }

    private func remove(_ house: GatewayID = Self.house) async throws -> Int? {
        try await Schema.removeHouse(house, by: "olga", at: Self.noon, in: file) { request, sequence in
            .sample("withdrawal-\(sequence)", about: request.id.text, at: Self.noon)
        }
    }

    /// Tables with rows of the house.
    private func tables() throws -> Set<String> {
        let rows = try file.allRows().filter { $0.contains("house-12") && !$0.contains("house-123") }
        return Set(rows.map { String($0.prefix { $0 != " " }) })
    }

    @Test func `nothing of the house and its persons stays without a reason`() async throws {
        #expect(try tables().isSuperset(of: Self.emptied))
        #expect(try await remove() == 3, "the link, the request of the company, and that of the run")
        #expect(try tables() == Set(Self.reasons.keys))
        let content = try await file.read { db in
            try Data.fetchOne(db, sql: "SELECT payload FROM shared WHERE gateway = 'house-12'")
        }
        #expect(content == nil)
        let link = try await stores.links.links(of: anna).first { $0.subject == .maria }
        #expect(link?.state == .ended && link?.reason == "house-removed")
        let state = try await file.read { db in
            try String.fetchOne(db, sql: "SELECT state FROM party_request WHERE gateway = 'house-12'")
        }
        #expect(state == "withdrawn")
        #expect(try await stores.samples.latest(of: .maria).isEmpty)
        #expect(try await stores.links.openCommandCount() == 4, "with the question of the other house")
        #expect(try file.allRows().contains { $0.hasPrefix("audit") && $0.contains("removed by olga") })
    }

    @Test func `another house stays as it is`() async throws {
        func others() throws -> [String] {
            try file.allRows().filter { $0.contains("house-13") || $0.contains("house-123") }
        }
        let before = try others()
        _ = try await remove()
        #expect(try others() == before)
        #expect(try await stores.houses.houses().map(\.gateway.text) == ["house-13"])
    }

    @Test func `a house that is not registered is not removed, and a second time neither`() async throws {
        let before = try file.allRows()
        #expect(try await remove(GatewayID("house-9")!) == nil)
        #expect(try file.allRows() == before)
        _ = try await remove()
        #expect(try await remove() == nil)
    }

    @Test func `a house with an open call is not removed`() async throws {
        try await file.write { db in
            try db.execute(
                sql: """
                    INSERT INTO desk_call (gateway, alarm, is_open, since, state) VALUES ('house-12', 'a', 1, 0, '{}')
                    """)
        }
        let before = try file.allRows()
        await #expect(throws: OpenCallAtHouse.self) { try await remove() }
        #expect(try file.allRows() == before)
    }
}
