import Foundation
import GatewayModel
import Groups
import Parties
import Store
import StoreSamples
import Testing

/// Groups of third parties.
struct PartyGroupsTests {
    private func new(
        _ key: String = "1", by party: PartyID = .clinic, body: UInt8 = 1, at time: WallTime = GroupTrial.due
    ) throws -> NewGroup {
        NewGroup(
            party: party,
            question: try GroupQuestion(
                kind: .heartRate, areas: GroupTrial.areas, ages: [AgeBand("90+")!, AgeBand("70-74")!],
                genders: [.female]), idempotencyKey: key, digest: [body], asked: time)
    }

    @Test func `a group comes back as it was asked for, with hostile names of areas`() async throws {
        let trial = try GroupTrial()
        try await trial.addCompany(.clinic)
        let group = try await trial.groups.ask(try new())
        #expect(group.question.areas == GroupTrial.areas.sorted())
        #expect(try await trial.groups.group(group.id, of: .clinic) == group)
        #expect(try await trial.groups.groups(of: .clinic, most: 5) == [group])
        #expect(try await trial.groups.group(group.id, of: .study) == nil)
        #expect(try await trial.groups.end(group.id, of: .study, at: GroupTrial.due) == nil)
    }

    @Test func `the same body under the same key is one group`() async throws {
        let trial = try GroupTrial()
        try await trial.addCompany(.clinic)
        try await trial.addCompany(.study)
        let group = try await trial.groups.ask(try new())
        #expect(try await trial.groups.ask(try new(at: GroupTrial.due.later(60))) == group)
        await #expect(throws: GroupFault.idempotencyKeyUsed) {
            try await trial.groups.ask(try new(body: 2))
        }
        #expect(try await trial.groups.ask(try new(by: .study)).id != group.id)
    }

    @Test func `a company asks for 100 groups a day, and a suspended one for none`() async throws {
        let trial = try GroupTrial()
        try await trial.addCompany(.clinic)
        for number in 0..<100 { _ = try await trial.groups.ask(try new("\(number)")) }
        await #expect(throws: GroupFault.tooManyGroups) { try await trial.groups.ask(try new("101")) }
        _ = try await trial.groups.ask(try new("102", at: GroupTrial.due.later(86_401)))
        _ = try await PartyStore(file: trial.file).change(
            .clinic, by: .suspend, as: "operator", at: GroupTrial.due)
        await #expect(throws: GroupFault.partyNotApproved) { try await trial.groups.ask(try new("103")) }
    }

    @Test func `a group is answered from the newest week on, until it is ended`() async throws {
        let trial = try GroupTrial()
        try await trial.addCompany(.clinic)
        func release(_ monday: String) async throws -> WallTime {
            let week = try #require(Week(monday))
            let time = week.end.later(3 * 86_400)
            #expect(try await trial.releases.release(week, of: GroupTrial.areas, by: .margin, at: time))
            return time
        }
        _ = try await release("2026-11-02")
        let asked = try await release("2026-11-09")
        let group = try await trial.groups.ask(try new(at: asked.later(60)))
        #expect(group.first == Week("2026-11-09"))
        func weeks(_ group: PartyGroup, after week: Week? = nil) async throws -> [String] {
            try await trial.releases.tables(for: group, after: week, most: 10).map(\.week.description)
        }
        let ended = try await release("2026-11-16")
        #expect(try await weeks(group) == ["2026-11-09", "2026-11-16"])
        #expect(try await weeks(group, after: Week("2026-11-09")) == ["2026-11-16"])
        let over = try #require(try await trial.groups.end(group.id, of: .clinic, at: ended.later(60)))
        _ = try await release("2026-11-23")
        #expect(try await weeks(over) == ["2026-11-09", "2026-11-16"])
        #expect(try await trial.groups.end(group.id, of: .clinic, at: ended.later(1_000_000)) == over)
    }
}
