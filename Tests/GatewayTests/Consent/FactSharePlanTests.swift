import GatewayModel
import ModelSamples
import Samples
import Testing
import Vault

@testable import Consent
@testable import ConsentService

@Suite struct `Facts for third parties` {
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

    private func profile(height: Int?, notes: [String] = [], code: FiscalCode? = nil) -> PersonProfile {
        PersonProfile(
            id: ConsentSample.maria, name: "Maria", height: height, fiscalCode: code, medicalNotes: notes,
            home: InstalledPlace(address: "Via Dante 7", coordinates: nil))
    }

    private func due(_ plan: FactSharePlan, _ profile: PersonProfile) -> [FactSharePlan.Message] {
        let shares = ProfileItem.allCases.flatMap {
            gate.clearShares(
                of: PersonFact($0, of: profile, at: ConsentSample.wall(5)), at: ConsentSample.wall(5))
        }
        return plan.due(shares, by: gateway)
    }

    @Test func `is nothing without a grant of the item, and the item alone with one`() throws {
        let plan = FactSharePlan()
        try record(.policy(.dataPolicy, .accepted))
        #expect(due(plan, profile(height: 162)).isEmpty)
        try grant([.profile(.height), .quantity(.heartRate)])
        #expect(due(plan, profile(height: 162)).map(\.value.value.value.kind) == [.profile(.height)])
        try record(.withdrawn(ConsentSample.id("r1")))
        #expect(due(plan, profile(height: 163)).isEmpty)
    }

    @Test func `is sent once at the grant, and once after each change, a value that is cleared too`() throws {
        try grant([.profile(.height)])
        var (plan, values) = (FactSharePlan(), [PersonFact.Value]())
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
        var plan = FactSharePlan()
        let first = try #require(due(plan, profile(height: nil, notes: ["a"])).first)
        let killed = try #require(due(FactSharePlan(), profile(height: nil, notes: ["a"])).first)
        #expect(first.id == killed.id)
        guard case .put(.profileShare, let row) = plan.record(first) else {
            Issue.record("no row")
            return
        }
        #expect(!String(decoding: row.content, as: UTF8.self).contains("\"a\""))
        let next = FactSharePlan([row])
        #expect(due(next, profile(height: nil, notes: ["a"])).isEmpty)
        let changed = try #require(due(next, profile(height: nil, notes: ["a", ""])).first)
        #expect(changed.id != first.id)
    }

    @Test func `has the limits of alarms after each change, by a grant of them alone`() throws {
        func due(_ plan: FactSharePlan, heartRate high: Double?) -> [FactSharePlan.Message] {
            var limits = AlarmLimits(.heartRate)
            limits.high = high
            let fact = PersonFact([limits], of: ConsentSample.maria, at: ConsentSample.wall(5))
            return plan.due(gate.clearShares(of: fact, at: ConsentSample.wall(5)), by: gateway)
        }
        try grant([.profile(.height)])
        #expect(due(FactSharePlan(), heartRate: 131).isEmpty)
        try record(.withdrawn(ConsentSample.id("r1")))
        let request = try ConsentSample.request("r2", data: [.limits])
        try record(.requested(request), .granted(request.id))
        var (plan, highs) = (FactSharePlan(), [Double?]())
        for high: Double? in [131, 131, 150, nil, 131] {
            for message in due(plan, heartRate: high) {
                guard case .limits(let limits) = message.value.value.value.value else {
                    Issue.record("no limits")
                    continue
                }
                highs.append(limits.first?.high)
                _ = plan.record(message)
            }
        }
        #expect(highs == [131, 150, nil, 131])
    }

    @Test func `has the fiscal code by a grant of it alone, and tells that there is none any more`() throws {
        let code = try FiscalCode("MRTMTT25D09F205Z")
        try grant([.profile(.height), .limits])
        #expect(
            due(FactSharePlan(), profile(height: nil, code: code)).map(\.value.value.value.kind) == [
                .profile(.height)
            ])
        let request = try ConsentSample.request("r2", data: [.profile(.fiscalCode)])
        try record(.requested(request), .granted(request.id))
        var (plan, values) = (FactSharePlan(), [PersonFact.Value]())
        for code in [nil, code, code, nil] {
            for message in due(plan, profile(height: nil, code: code)) {
                _ = plan.record(message)
                if message.value.value.value.kind == .profile(.fiscalCode) {
                    values.append(message.value.value.value.value)
                }
            }
        }
        #expect(values == [.text(nil), .text("MRTMTT25D09F205Z"), .text(nil)])
        try record(.withdrawn(request.id))
        #expect(due(plan, profile(height: nil, code: code)).isEmpty)
    }

    @Test func `forgets the grants that are over`() throws {
        try grant([.profile(.height)])
        var plan = FactSharePlan()
        for message in due(plan, profile(height: 162)) { _ = plan.record(message) }
        let open = Set(gate.snapshot.openGrants.map(\.epoch))
        #expect(plan.forget(besides: open).isEmpty)
        #expect(plan.forget(besides: []).count == 1)
        #expect(due(plan, profile(height: 162)).count == 1, "a new grant tells anew")
    }
}
