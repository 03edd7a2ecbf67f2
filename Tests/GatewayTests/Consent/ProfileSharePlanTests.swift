import GatewayModel
import ModelSamples
import Samples
import Testing
import Vault

@testable import Consent
@testable import ConsentService

@Suite struct `The profile for third parties` {
    private let gate = ConsentGate(ledger: ConsentLedger(persons: [ConsentSample.maria]))
    private let gateway = GatewayID(sample: "house-12")

    private func record(_ acts: ConsentAct...) throws {
        for act in acts {
            _ = try gate.record(
                ConsentDecision(
                    act, for: ConsentSample.maria, by: "Maria", means: .commandLine, at: ConsentSample.wall(0)))
        }
    }

    private func grant(_ kinds: Set<DataKind>) throws {
        let request = try ConsentSample.request("r1", data: kinds)
        try record(.policy(.dataPolicy, .accepted), .requested(request), .granted(request.id))
    }

    private func profile(height: Int?, notes: [String] = []) -> PersonProfile {
        PersonProfile(
            id: ConsentSample.maria, name: "Maria", height: height, medicalNotes: notes,
            home: InstalledPlace(address: "Via Dante 7", coordinates: nil))
    }

    private func due(_ plan: ProfileSharePlan, _ profile: PersonProfile) -> [ProfileSharePlan.Message] {
        let shares = ProfileItem.allCases.flatMap {
            gate.clearShares(
                of: ProfileDatum($0, of: profile, at: ConsentSample.wall(5)), at: ConsentSample.wall(5))
        }
        return plan.due(shares, by: gateway)
    }

    @Test func `is nothing without a grant of the item, and the item alone with one`() throws {
        let plan = ProfileSharePlan()
        try record(.policy(.dataPolicy, .accepted))
        #expect(due(plan, profile(height: 162)).isEmpty)
        try grant([.profile(.height), .quantity(.heartRate)])
        #expect(due(plan, profile(height: 162)).map(\.value.value.value.item) == [.height])
        try record(.withdrawn(ConsentSample.id("r1")))
        #expect(due(plan, profile(height: 163)).isEmpty)
    }

    @Test func `is sent once at the grant, and once after each change, a value that is cleared too`() throws {
        try grant([.profile(.height)])
        var (plan, values) = (ProfileSharePlan(), [ProfileDatum.Value]())
        for height in [162, 162, 163, nil, nil, 163] {
            for message in due(plan, profile(height: height)) {
                values.append(message.value.value.value.value)
                _ = plan.record(message)
            }
        }
        #expect(values == [.text("162"), .text("163"), .text(nil), .text("163")])
    }

    @Test func `is not sent again after a restart, and after a kill under the same id`() throws {
        try grant([.profile(.notes)])
        var plan = ProfileSharePlan()
        let first = try #require(due(plan, profile(height: nil, notes: ["a"])).first)
        let killed = try #require(due(ProfileSharePlan(), profile(height: nil, notes: ["a"])).first)
        #expect(first.id == killed.id)
        guard case .put(.profileShare, let row) = plan.record(first) else {
            Issue.record("no row")
            return
        }
        #expect(!String(decoding: row.content, as: UTF8.self).contains("\"a\""))
        let next = ProfileSharePlan([row])
        #expect(due(next, profile(height: nil, notes: ["a"])).isEmpty)
        let changed = try #require(due(next, profile(height: nil, notes: ["a", ""])).first)
        #expect(changed.id != first.id)
    }

    @Test func `forgets the grants that are over`() throws {
        try grant([.profile(.height)])
        var plan = ProfileSharePlan()
        for message in due(plan, profile(height: 162)) { _ = plan.record(message) }
        let open = Set(gate.snapshot.openGrants.map(\.epoch))
        #expect(plan.forget(besides: open).isEmpty)
        #expect(plan.forget(besides: []).count == 1)
        #expect(due(plan, profile(height: 162)).count == 1, "a new grant tells anew")
    }
}
