import Accounts
import ContractReading
import Foundation
import GatewayModel
import RunBeacon
import Runs
import SQLDatabase
import Store
import StoreSamples
import TestSupport
import Testing

/// Heart rate and energy of a runner for spectators: by the runner's grant, and no longer than it.
@Suite struct `Readings of a runner` {
    typealias Runs = RunStoreTests

    /// Luke runs with bib 21, linked to Maria of house-12.
    struct World {
        let runs: RunStoreTests.World
        let bib = Bib(21)!
        var store: RunStore { runs.runs }

        init(role: LinkRole = .acts) async throws {
            runs = try await Runs.underway()
            try await runs.runs.enrol(
                try Runs.runner(21, account: runs.luke), in: Runs.run, isOwn: true, by: runs.luke,
                at: Runs.before)
            _ = try await runs.stores.ask(runs.luke, for: .maria, as: "link-luke", role: role, at: Runs.before)
            try decide("link-luke", .accepted, entry: 1)
        }

        func ask(_ request: String = "run-a", by account: AccountID? = nil, bib: Int = 21) async throws {
            try await store.share(
                .maria, of: Bib(bib)!, in: Runs.run, as: RequestID(request)!, by: account ?? runs.luke,
                at: Runs.before)
        }

        func decide(
            _ request: String, _ verdict: DecisionRecord.Verdict, entry: Int64, grant: Int64? = nil,
            of subject: HousePerson = .maria
        ) throws {
            _ = try runs.stores.intake.keep(
                [
                    .decision(
                        DecisionRecord(
                            subject: subject, matter: .request(RequestID(request)!), verdict: verdict,
                            at: Runs.before, entry: entry, grant: grant))
                ], at: Runs.before)
        }

        /// Returns whether it was kept.
        @discardableResult
        func tell(
            _ value: Double, second: Int = 0, grant: Int64 = 7, kind: QuantityKind = .heartRate,
            of subject: HousePerson = .maria
        ) throws -> Bool {
            let vital = SharedVital(
                subject: subject, grant: grant, kind: kind, value: value, time: Runs.during.later(second))
            return try runs.stores.intake.keep([.vital(vital)], at: Runs.during).setAside.isEmpty
        }

        func shown() async throws -> [RunnerVital] { try await store.messages(of: Runs.run).vitals[bib] ?? [] }

        /// Commands that a round queues.
        func round(at time: WallTime = Runs.before) async throws -> [String] {
            let sent = Sent()
            try await store.reconcileSharings(at: time) { command, sharing, sequence in
                sent.all.append("\(command)".prefix { $0 != "(" } + " \(sharing.request)")
                return .sample("sharing \(sequence)", about: sharing.request.text, at: time)
            }
            return sent.all
        }
    }

    // Filled within the transaction that `round` awaits.
    final class Sent: @unchecked Sendable { var all: [String] = [] }

    @Test func `are shown between the yes at home and its end`() async throws {
        let world = try await World()
        try await world.ask()
        #expect(try await world.round() == ["ask run-a"])
        #expect(try await world.round() == [])
        #expect(try !world.tell(140), "no yes yet")
        try world.decide("run-a", .accepted, entry: 2, grant: 7)
        #expect(try world.tell(141))
        #expect(try await world.shown().map(\.value) == [141])
        try world.decide("run-a", .withdrawn, entry: 3)
        #expect(try await world.shown().isEmpty)
        #expect(try !world.tell(142, second: 1))
        #expect(try await world.store.sharing(of: world.bib, in: Runs.run)?.state == .ended)
        #expect(try await world.round() == [], "the house knows")
        // An older decision that comes late changes nothing.
        try world.decide("run-a", .accepted, entry: 2, grant: 7)
        #expect(try !world.tell(143, second: 2))
    }

    @Test func `are not shown by a yes to an earlier question while a newer one is open`() async throws {
        let world = try await World()
        try await world.ask()
        try world.decide("run-a", .refused, entry: 2)
        try await world.ask("run-b")
        try world.decide("run-a", .accepted, entry: 3, grant: 7)
        #expect(try !world.tell(141))
        try world.decide("run-b", .accepted, entry: 4, grant: 8)
        #expect(try !world.tell(142))
        #expect(try world.tell(143, grant: 8))
    }

    @Test func `are the newest of each kind, of this grant and person`() async throws {
        let world = try await World()
        try await world.ask()
        try world.decide("run-a", .accepted, entry: 2, grant: 7)
        try world.tell(140, second: 10)
        try world.tell(120, second: 5)
        try world.tell(310, second: 8, kind: .energyExpended)
        #expect(try await world.shown().map(\.value) == [310, 140])
        #expect(try !world.tell(99, second: 20, grant: 8))
        #expect(try !world.tell(99, second: 20, of: .paolo))
        #expect(try !world.tell(37, second: 20, kind: .bodyTemperature))
        #expect(try await world.shown().map(\.value) == [310, 140])
        #expect(try await world.store.messages(of: Runs.run).vitals.count == 1)
    }

    @Test func `need a runner of the account, and a person to whom it is linked`() async throws {
        let world = try await World()
        await #expect(throws: RunActRefusal.notAllowed) { try await world.ask(by: world.runs.anna) }
        await #expect(throws: RunActRefusal.notAllowed) { try await world.ask(bib: 17) }
        try world.decide("link-luke", .withdrawn, entry: 2)
        await #expect(throws: RunActRefusal.notAllowed) { try await world.ask() }
    }

    @Test func `need an account that acts for the person`() async throws {
        let world = try await World(role: .looks)
        await #expect(throws: RunActRefusal.notAllowed) { try await world.ask() }
    }

    @Test func `count no decision of another house or person`() async throws {
        let world = try await World()
        try await world.ask()
        try world.decide("run-a", .accepted, entry: 2, grant: 7, of: .paolo)
        #expect(try await world.store.sharing(of: world.bib, in: Runs.run)?.state == .asked)
    }

    @Test func `are asked for three times a day, and once at a time`() async throws {
        let world = try await World()
        try await world.ask("run-a")
        try await world.ask("run-b")
        #expect(try await world.round() == ["ask run-a"])
        for next in ["run-c", "run-d"] {
            try await world.store.endSharing(of: world.bib, in: Runs.run, by: world.runs.luke, at: Runs.before)
            try await world.ask(next)
        }
        try await world.store.endSharing(of: world.bib, in: Runs.run, by: world.runs.luke, at: Runs.before)
        await #expect(throws: RunActRefusal.tooMany) { try await world.ask("run-e") }
        // The first question is withdrawn; the others never left.
        #expect(try await world.round() == ["withdraw run-a"])
        #expect(try await world.round() == [])
    }

    @Test(arguments: ["leaves", "unlinked", "cancelled", "over"])
    func `end with the runner, the link and the run`(_ end: String) async throws {
        let world = try await World()
        try await world.ask()
        _ = try await world.round()
        try world.decide("run-a", .accepted, entry: 2, grant: 7)
        try world.tell(140)
        #expect(try await world.shown().count == 1)
        var time = Runs.before
        var expected = ["withdraw run-a"]
        switch end {
        case "leaves":
            try await world.store.leave(world.bib, of: Runs.run, by: world.runs.luke, at: Runs.before)
        case "unlinked": try world.decide("link-luke", .withdrawn, entry: 3)
        case "cancelled": try await world.store.cancel(Runs.run, by: world.runs.anna, at: Runs.before)
        default:
            time = try #require(try await world.store.run(Runs.run)).definition.outline.end
            // The grant ends by itself.
            expected = []
        }
        if ["leaves", "unlinked"].contains(end) { #expect(try await world.shown().isEmpty) }
        #expect(try await world.round(at: time) == expected)
        #expect(try await world.shown().isEmpty)
        #expect(try !world.tell(141, second: 1))
        #expect(try await world.round(at: time) == [])
    }

    @Test func `are in the export of the account with their times, and no longer than the link`() async throws {
        let world = try await World()
        try await world.ask()
        try world.decide("run-a", .accepted, entry: 2, grant: 7)
        try world.tell(140)
        func exported() async throws -> [String: [[String: ExportValue]]] {
            var lists: [String: [[String: ExportValue]]] = [:]
            for list in try await world.runs.stores.exports.lists(of: .maria) where list.name.hasPrefix("run_")
            {
                lists[list.name] = list.rows.map { Dictionary(uniqueKeysWithValues: $0) }
            }
            return lists
        }
        #expect(
            try await exported() == [
                "run_sharings": [
                    [
                        "run": .text("milan"), "bib": .integer(21), "state": .text("shared"), "reason": .none,
                        "asked": .time(Runs.before), "decided": .time(Runs.before), "ended": .none,
                    ]
                ],
                "run_readings": [
                    [
                        "run": .text("milan"), "bib": .integer(21), "kind": .text("heart-rate"),
                        "value": .number(140), "time": .time(Runs.during),
                    ]
                ],
            ])
        let later = Runs.during.later(60)
        try await world.store.endSharing(of: world.bib, in: Runs.run, by: world.runs.luke, at: later)
        let ended = try await exported()
        #expect(ended["run_sharings"]?.map { $0["state"] } == [.text("ended")])
        #expect(ended["run_sharings"]?.map { $0["ended"] } == [.time(later)])
        #expect(ended["run_readings"] == [])
    }

    /// One that is open, one that waits at home, one that has never left, and one that was refused.
    @Test(arguments: ["shared", "asked", "new", "refused"])
    func `leave nothing after the deletion of the account, but a withdrawal for the house`(_ state: String)
        async throws
    {
        let world = try await World()
        try await world.ask()
        if state != "new" { _ = try await world.round() }
        if state == "shared" { try world.decide("run-a", .accepted, entry: 2, grant: 7) }
        if state == "refused" { try world.decide("run-a", .refused, entry: 2) }
        try world.tell(140)
        try await world.runs.stores.remove(world.runs.luke, at: Runs.before)
        #expect(try await world.shown().isEmpty)
        let owes = state == "shared" || state == "asked"
        #expect(try await world.round() == (owes ? ["withdraw run-a"] : []))
        let rows = try world.runs.file.allRows()
        #expect(!rows.contains { $0.hasPrefix("run_sharing ") || $0.hasPrefix("run_vital ") })
        // A yes that was on its way changes nothing.
        try world.decide("run-a", .accepted, entry: 3, grant: 7)
        #expect(try !world.tell(141, second: 1))
        #expect(try await world.round() == [])
    }

    @Test func `stay for another account that is linked to the person`() async throws {
        let world = try await World()
        _ = try await world.runs.stores.link(world.runs.anna, to: .maria, as: "link-anna", at: Runs.before)
        try await world.ask()
        try world.decide("run-a", .accepted, entry: 2, grant: 7)
        try await world.runs.stores.remove(world.runs.luke, at: Runs.before)
        _ = try await world.round()
        #expect(
            try world.runs.file.allRows().filter { $0.hasPrefix("run_sharing ") }.map { $0.contains("ended") }
                == [true])
    }

    @Test func `fail with the reason of the house`() async throws {
        let world = try await World()
        try await world.ask()
        let command = Sent()
        try await world.store.reconcileSharings(at: Runs.before) { _, sharing, _ in
            let made = OutgoingCommand.sample("c-1", about: sharing.request.text, at: Runs.before)
            command.all.append(made.id)
            return made
        }
        _ = try world.runs.stores.intake.keep(
            [
                .answer(
                    CommandAnswer(
                        gateway: HousePerson.maria.gateway, command: command.all[0], refusal: "not-allowed",
                        at: Runs.before))
            ], at: Runs.before)
        let sharing = try await world.store.sharing(of: world.bib, in: Runs.run)
        #expect(sharing?.state == .failed)
        #expect(sharing?.reason == "not-allowed")
    }
}
