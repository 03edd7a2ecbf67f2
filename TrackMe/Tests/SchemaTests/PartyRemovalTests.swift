import Accounts
import ContractReading
import Foundation
import GatewayModel
import Parties
import SQLDatabase
import Schema
import Store
import StoreSamples
import Testing

/// The operator removes a company: each row that stays has a reason.
struct PartyRemovalTests {
    private static let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
    private static let (clinic, study) = (PartyID("clinic")!, PartyID("study")!)
    /// Tables with rows about a company that is removed.
    private static let reasons = [
        "audit": "which company was admitted, by which operator, with which keys; a line cannot be deleted",
        "removed_request": "a late yes at home is withdrawn; the row does not name the company",
    ]
    /// Tables without rows of a company that is removed.
    private static let emptied: Set = [
        "dead_letter", "party", "party_assertion", "party_group", "party_key", "party_request", "party_token",
        "shared",
        "shared_last", "shared_read", "subscription",
    ]

    private let database: TestDatabase
    private let file: DatabasePool
    private let parties: PartyStore
    private let requests: PartyRequestStore
    private let stores: Stores

    /// Two closed companies, each with a row in each table.
    init() async throws {
        database = try TestDatabase(migrations: Schema.migrations)
        file = try database.open()
        (parties, requests) = (PartyStore(file: file), PartyRequestStore(file: file))
        stores = Stores(in: file, exports: Schema.exports) { _, _ in
        } onParty: {
            try SharedStore.receive($0, $1)
        }
        for party in [Self.clinic, Self.study] { try await fill(party) }
    }

    private func fill(_ id: PartyID) async throws {
        try await parties.add(try .company(id))
        _ = try await parties.change(id, by: .close, as: "olga", at: Self.noon)
        let (party, bytes, house) = (id.text, Data(id.text.utf8), HousePerson.maria.gateway.text)
        let rows: [(table: String, columns: String, values: [any DatabaseValueConvertible])] = [
            ("party_token", "hash, party, expires", [bytes, party, 1]),
            ("party_assertion", "party, id, expires", [party, "jti", 1]),
            (
                "party_request",
                "id, party, idempotency_key, digest, gateway, person, purpose, kinds, asked, expires, state, is_closed, "
                    + "grant_number",
                [
                    "ask-\(party)", party, "1", bytes, house, "maria", "Study", "heart-rate", 0, 1, "withdrawn",
                    1, 4,
                ]
            ),
            (
                "party_request",
                "id, party, idempotency_key, digest, purpose, kinds, asked, expires, state, is_closed",
                ["nobody-\(party)", party, "2", bytes, "Study", "heart-rate", 0, 1, "withdrawn", 1]
            ),
            (
                "shared", "party, request, gateway, id, topic, received",
                [party, "ask-\(party)", house, bytes, "t", 0]
            ),
            ("shared_last", "party, number", [party, 7]),
            ("shared_read", "request, count, last", ["ask-\(party)", 7, 0]),
            (
                "subscription", "party, url, state, cursor, failures, next",
                [party, "https://\(party).example", "active", 7, 0, 0]
            ),
            (
                "party_group", "party, idempotency_key, digest, kind, asked",
                [party, "1", bytes, "heart-rate", 0]
            ),
            (
                "dead_letter", "topic, payload, reason, detail, at",
                ["trackme/v1/\(house)/parties/\(party)/maria/heart-rate", bytes, "no-party", "", 0]
            ),
        ]
        try await file.write { db in
            for (table, columns, values) in rows {
                let marks = values.map { _ in "?" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(table) (\(columns)) VALUES (\(marks))",
                    arguments: StatementArguments(values.map { $0.databaseValue }))
            }
        }
    }

    @discardableResult
    private func remove(_ party: PartyID = clinic) async throws -> Bool {
        try await Schema.removeParty(party, by: "olga", at: Self.noon, in: file)
    }

    private func execute(_ sql: String) async throws { try await file.write { db in try db.execute(sql: sql) } }

    /// Tables with rows of a company.
    private func tables(of party: PartyID = clinic) throws -> Set<String> {
        Set(try file.allRows().filter { $0.contains(party.text) }.map { String($0.prefix { $0 != " " }) })
    }

    @Test func `nothing of the company stays without a reason`() async throws {
        #expect(try tables() == Self.emptied.union(["audit"]))
        #expect(Set(try file.tables(withColumn: "party")).subtracting(Self.emptied) == [], "a new table")
        #expect(try await remove())
        #expect(try tables() == Set(Self.reasons.keys))
        let rows = try file.allRows()
        #expect(
            rows.filter { $0.hasPrefix("removed_request") }.count == 1, "nobody was asked by the other request")
        #expect(rows.contains { $0.contains("removed by olga: IT00743110157, requests 2, granted 1") })
        guard case .sound = try await file.read({ try AuditLog.check($0) }) else {
            Issue.record("the audit log is changed")
            return
        }
    }

    @Test func `another company stays as it is`() async throws {
        let before = try file.allRows().filter { $0.contains("study") }
        try await remove()
        #expect(try file.allRows().filter { $0.contains("study") } == before)
        #expect(try await parties.parties().map(\.id) == [Self.study])
    }

    @Test func `a company that is not known is not removed, and a second time neither`() async throws {
        let before = try file.allRows()
        #expect(try await !remove(PartyID("insurance")!))
        #expect(try file.allRows() == before)
        try await remove()
        #expect(try await !remove())
    }

    @Test func `short name and VAT number are registered again, and begin from nothing`() async throws {
        await #expect(throws: PartyFault.partyTaken(Self.clinic)) {
            try await parties.add(try .company(Self.clinic))
        }
        try await remove()
        try await parties.add(try .company(Self.clinic))
        let party = try #require(try await parties.party(Self.clinic))
        #expect(party.state == .applied && party.keys.keys.count == 1)
        #expect(try await requests.requests(of: Self.clinic, most: 9).isEmpty)
        #expect(try await SubscriptionStore(file: file).subscriptions(of: Self.clinic).isEmpty)
        #expect(
            try await PartyTokenStore(file: file).party(ofToken: Array("clinic".utf8), at: Self.noon) == nil)
    }

    @Test(arguments: PartyState.allCases.filter { $0 != .closed })
    func `a company that is not closed is not removed`(_ state: PartyState) async throws {
        try await execute("UPDATE party SET state = '\(state.rawValue)' WHERE id = 'clinic'")
        let before = try file.allRows()
        await #expect(throws: PartyNotRemovable.notClosed(state)) { try await remove() }
        #expect(try file.allRows() == before)
    }

    @Test(arguments: ["state = 'sent'", "state = 'accepted'", "owes_withdrawal = 1"])
    func `a closed company is not removed before the server has ended its requests`(_ change: String)
        async throws
    {
        try await execute("UPDATE party_request SET \(change) WHERE id = 'ask-clinic'")
        let before = try file.allRows()
        await #expect(throws: PartyNotRemovable.requestsOpen) { try await remove() }
        #expect(try file.allRows() == before)
    }

    @Test func `a company is not removed before the houses have answered its withdrawals`() async throws {
        try await file.write { db in
            for (number, request) in ["ask-clinic", "ask-study"].enumerated() {
                _ = try CommandOutbox.nextSequence(db, at: Self.noon)
                try CommandOutbox.enqueue(
                    .sample("withdrawal \(number)", about: request, at: Self.noon, isWithdrawal: true), db)
            }
        }
        let before = try file.allRows()
        let house = HousePerson.maria.gateway
        await #expect(throws: PartyNotRemovable.unanswered([house])) { try await remove() }
        #expect(try file.allRows() == before)
        let answer = CommandAnswer(gateway: house, command: "withdrawal 0", refusal: nil, at: Self.noon)
        _ = try stores.intake.keep([.answer(answer)], at: Self.noon)
        #expect(try await remove(), "the withdrawal of another company does not count")
    }

    // MARK: A yes after the removal

    /// Withdrawals that the server queues now, each as its request and person.
    private func withdrawals() async throws -> [String] {
        let before = try await stores.links.openCommandCount()
        let count = try await requests.withdrawOwed(at: Self.noon, most: 100) { request, subject, sequence in
            .sample(
                "\(request) by \(subject.person) \(sequence)", about: request.text, at: Self.noon,
                isWithdrawal: true)
        }
        let due = try await stores.links.due(at: Self.noon, most: 100)
        #expect(due.count == before + count)
        return due.suffix(count).map { $0.id.split(separator: " ").dropLast().joined(separator: " ") }
    }

    private func say(
        _ state: PartyRequest.State, to request: String = "ask-clinic", by subject: HousePerson = .maria
    ) throws {
        let event = PartyEvent.answer(
            Self.clinic, RequestID(request)!, by: subject, .decided(state, entry: 9, grant: 9), at: Self.noon)
        _ = try stores.intake.keep([.party(event)], at: Self.noon)
    }

    @Test func `a yes at home to a request of a removed company is withdrawn, each time`() async throws {
        try await remove()
        #expect(try await withdrawals().isEmpty)
        for _ in 1...2 {
            try say(.accepted)
            #expect(try await withdrawals() == ["ask-clinic by maria"])
            #expect(try await withdrawals().isEmpty)
        }
        try say(.refused)
        #expect(try await withdrawals().isEmpty, "the house gives nothing")
        try say(.accepted, by: .paolo)
        try say(.accepted, to: "ask-other")
        #expect(try await withdrawals().isEmpty, "neither another person's, nor a request of another server")
    }

    @Test func `a yes to an old request gives nothing to the next company of the name`() async throws {
        try await remove()
        try await parties.add(try .company(Self.clinic))
        _ = try await parties.change(Self.clinic, by: .approve, as: "olga", at: Self.noon)
        try say(.accepted)
        #expect(try await withdrawals() == ["ask-clinic by maria"])
        let copy = SharedCopy(
            party: Self.clinic, subject: .maria, kind: "heart-rate", id: nil, grant: 9,
            topic: "trackme/v1/house-12/parties/clinic/maria/heart-rate", payload: [1], received: Self.noon,
            measured: nil)
        #expect(try stores.intake.keep([.party(.copy(copy))], at: Self.noon).setAside == [.noGrant: 1])
        #expect(try await requests.requests(of: Self.clinic, most: 9).isEmpty)
    }
}

extension NewParty {
    fileprivate static func company(_ id: PartyID) throws -> NewParty {
        let noon = WallTime(millisecondsSince1970: 1_772_366_400_000)
        let company = NewParty(
            id: id, vat: try VATNumber("IT00743110157"), name: "Casa di cura \(id)",
            contact: PartyContact("it@\(id).example")!,
            key: PartyKey(id: "1", thumbprint: "print of \(id)", jwk: "{}", added: noon), applied: noon)
        return try #require(company)
    }
}
