import Accounts
import ContractReading
import Foundation
import GatewayModel
import PageSecurity
import Parties
import SQLDatabase
import Store
import StoreSamples
import Testing

/// The removal of the last account of a person is one commit over all tables of the server: a failure between two of them
/// leaves everything, and no half.
struct AccountRemovalTests {
    private struct Fault: Error {}

    private let trial: PartyTrial
    private let anna: AccountID
    private let noon = PartyTrial.noon
    /// Tables with something of the account or of its person.
    private static let erased = [
        "account", "alarm", "block", "data_view", "document", "gap", "hour", "interval_command", "latest",
        "known_browser", "link", "minute", "notice", "sample", "seen", "series", "session",
    ]

    init() async throws {
        let noon = PartyTrial.noon
        trial = try PartyTrial()
        try await trial.approve()
        (anna, _) = try await trial.addPerson("anna")
        _ = try await trial.ask("ask-1")
        try trial.answer("ask-1", .decided(.accepted, entry: 4, grant: 4))
        try trial.receive("copy")
        let stores = trial.stores
        try await stores.accounts.open(
            Session(id: SessionToken().id, account: anna, created: noon, agent: "test"))
        let token = SessionToken()
        _ = try await stores.accounts.remember(token, or: token, of: anna, at: noon)
        try await stores.intervals.set(10, for: .heartRate, of: .maria, by: anna, at: noon) { _ in
            .sample("interval", about: "link-anna", at: noon)
        }
        try await stores.views.record(.page, by: anna, of: .maria, at: noon)
        let old = noon.later(-86_400)
        _ = try stores.intake.keep(
            [
                .sample(.heartRate(70, at: noon, number: 1)), .sample(.heartRate(71, at: old, number: 2)),
                .gap(
                    StoredGap(
                        subject: .maria, kind: .heartRate, id: .sample(3, at: noon), from: noon, to: noon,
                        dropped: 1, kept: 0, reason: .quota)),
                .notice(
                    StoredNotice(
                        subject: .maria, id: .sample(4, at: noon), time: noon, phase: .news, matter: "m",
                        topic: "supervision", text: Text(en: "Away.", it: "Lontano."))),
                .document(
                    StoredDocument(
                        subject: .maria, id: .sample(5, at: noon), time: noon, resource: Array("{}".utf8))),
            ], at: noon)
        // A reading whose ID alone is left.
        try await stores.retention.raise(
            KeptSince(
                packed: noon, raw: noon, minutes: WallTime(millisecondsSince1970: 0), hours: old, live: old,
                history: old))
        _ = try await stores.retention.removeSome(most: 100)
        // One that came after its time.
        _ = try stores.intake.keep([.sample(.heartRate(71, at: old.later(1), number: 6))], at: noon)
        // The row that a call for help makes.
        try await trial.file.write { db in
            try db.execute(
                sql: """
                    INSERT INTO alarm (gateway, person, alarm, begin, state, message, drill)
                    VALUES ('house-12', 'maria', 'alarm-1', 0, 'resolved', ?, 0)
                    """, arguments: [Data([0])])
        }
    }

    private func counts() throws -> [String: Int] {
        try trial.file.readBlocking { db in
            var counts: [String: Int] = [:]
            for table in Self.erased {
                counts[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
            return counts
        }
    }

    /// All rows of all tables.
    private func content() throws -> [String] { try trial.file.allRows() }

    @Test func `a failure at any table leaves everything, and the next try removes all of it`() async throws {
        #expect(try counts().filter { $0.value == 0 }.isEmpty)
        let before = try content()
        let faults =
            Self.erased.map { ("BEFORE DELETE", $0) } + [
                ("AFTER DELETE", "account"), ("BEFORE INSERT", "command"),
            ]
        for fault in faults {
            try trial.file.addFault(fault.0, on: fault.1)
            await #expect(throws: DatabaseError.self, "\(fault)") {
                try await trial.stores.remove(anna, at: noon)
            }
            try trial.file.removeFault(of: fault.1)
            #expect(try content() == before, "\(fault)")
            // Another process finds the same.
            #expect(try await trial.reopened().stores.accounts.account(anna) != nil)
        }
        let (accounts, now) = (trial.stores.accounts, noon)
        await #expect(throws: Fault.self) {
            try await accounts.remove(anna, at: now) { _, _ in throw Fault() }
        }
        #expect(try content() == before)

        try await trial.stores.remove(anna, at: noon)
        #expect(try counts().filter { $0.value > 0 }.isEmpty)
        let due = try await trial.stores.links.due(at: noon.later(1), most: 9).map(\.id)
        #expect(due.filter { $0.hasPrefix("withdrawal") }.count == 1)
        #expect(!due.contains("interval") && !due.contains("command of link-anna"))
    }
}
