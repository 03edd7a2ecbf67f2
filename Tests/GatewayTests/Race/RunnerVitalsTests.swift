import Consent
import ControlContract
import GatewayModel
import HomeGateway
import Hub
import ModelSamples
import Readings
import Samples
import Testing

@Suite struct `What a runner's family sees` {
    private let wife = ConsentSample.party(PartyID(sample: "wife"))
    private let maria = ConsentSample.maria

    private func reading(_ kind: QuantityKind, _ value: Double, at seconds: Double = 0) -> Reading {
        Reading(
            id: Sample.id(1), person: maria, device: DeviceID(sample: "strap"),
            quantity: Quantity(kind, value),
            contact: .detected, arrival: Sample.moment(seconds))
    }

    private func vitals(
        by gate: ConsentGate, as party: String = "wife", at seconds: Double = 4, _ readings: [Reading]
    ) -> RunnerVitals {
        RunnerVitals(of: maria, for: PartyID(sample: party), by: gate, at: Sample.moment(seconds)) { kind in
            readings.last { $0.quantity.kind == kind }
        }
    }

    private func decide(_ act: ConsentAct, _ gate: ConsentGate) throws {
        _ = try gate.record(
            ConsentDecision(act, for: maria, by: "Maria", means: .commandLine, at: Sample.moment(0).wall))
    }

    @Test func `is what was granted to them, of now, and ends with the grant`() throws {
        let gate = ConsentGate(ledger: ConsentLedger(persons: [maria]))
        let readings = [reading(.heartRate, 152), reading(.energyExpended, 1_240)]
        try decide(.policy(.dataPolicy, .accepted), gate)
        #expect(vitals(by: gate, readings).values.isEmpty)
        #expect(
            vitals(by: gate, readings).lines.first
                == "Heart rate: not shown: wife has not asked maria for it; a request for heart-rate has to come, "
                + "and be accepted")
        let request = try ConsentSample.request("run-2026", by: wife, for: [.heartRate, .energyExpended])
        try decide(.requested(request), gate)
        let asked = vitals(by: gate, readings)
        #expect(asked.values.isEmpty && asked.withheld.count == 2)
        #expect(
            asked.lines.allSatisfy { $0.contains("request run-2026 waits for an answer") }, "\(asked.lines)")
        try decide(.granted(request.id), gate)
        #expect(
            vitals(by: gate, readings).lines == [
                "Heart rate: 152 bpm, 4 s ago", "Energy expended: 1240 kJ (296 kcal), 4 s ago",
            ])
        let (now, later) = (vitals(by: gate, readings), vitals(by: gate, at: 9, readings))
        #expect(now.lines != later.lines && now.ageless.lines == later.ageless.lines)
        #expect(vitals(by: gate, as: "clinic", readings).values.isEmpty, "nobody else's grant")
        #expect(
            vitals(by: gate, [readings[0]]).lines.last
                == "Energy expended: granted, and nothing was measured that it covers")
        try decide(.withdrawn(request.id), gate)
        let after = vitals(by: gate, readings)
        #expect(after.values.isEmpty && after.lines.allSatisfy { $0.contains("withdrawn") }, "\(after.lines)")
    }

    @Test func `is no more than the kinds that were granted, and none without the data policy`() throws {
        let gate = ConsentGate(ledger: ConsentLedger(persons: [maria]))
        let readings = [reading(.heartRate, 152), reading(.energyExpended, 1_240)]
        try decide(.policy(.dataPolicy, .accepted), gate)
        let request = try ConsentSample.request("calories", by: wife, for: [.energyExpended])
        try decide(.requested(request), gate)
        try decide(.granted(request.id), gate)
        #expect(vitals(by: gate, readings).values.map(\.kind) == [.energyExpended])
        try decide(.policy(.dataPolicy, .withdrawn), gate)
        #expect(vitals(by: gate, readings).values.isEmpty)
    }

    @Test func `is the last that tells of now: no stored record, nothing off the skin`() {
        let last = LastReadings()
        last.record(reading(.heartRate, 150))
        last.record(
            Reading(
                id: Sample.id(2), person: maria, device: DeviceID(sample: "strap"),
                quantity: Quantity(.heartRate, 90), contact: .lost, arrival: Sample.moment(1)))
        last.record(
            Reading(
                id: Sample.id(3), person: maria, device: DeviceID(sample: "strap"),
                quantity: Quantity(.heartRate, 60), contact: .detected, currency: .history,
                arrival: Sample.moment(2)))
        #expect(last.latest(.heartRate, of: maria)?.quantity.value == 150)
        #expect(last.latest(.energyExpended, of: maria) == nil)
        #expect(last.age(of: DeviceID(sample: "strap"), at: Sample.moment(3).boot) == .seconds(1))
    }
}
