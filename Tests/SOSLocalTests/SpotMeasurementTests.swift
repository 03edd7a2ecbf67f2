import GatewayModel
import SOSLocal
import Testing

@Suite struct `A single measurement` {
    private static let plan = House.plan(rules: RuleDefaults.rules)

    private func heard(_ kind: QuantityKind, _ value: Double, _ sampling: Reading.Sampling = .spot)
        -> SOSMachine
    {
        var machine = House.machine(Self.plan)
        _ = machine.hear(House.reading(kind, value, at: 10, from: "device", sampling: sampling))
        return machine
    }

    @Test(arguments: [
        (QuantityKind.systolicPressure, 70.0), (.systolicPressure, 220), (.bodyTemperature, 32),
        (.bodyTemperature, 41), (.glucose, 40), (.glucose, 500), (.oxygenSaturation, 85),
    ])
    func `beyond an emergency limit calls help without waiting for another`(kind: QuantityKind, value: Double) {
        var machine = heard(kind, value)
        #expect(machine.openAlarms.first?.priority == .high)
        let calls = machine.advance(to: House.at(12.5)).orders
        #expect(calls.map(\.channels) == [[House.mqtt]])
    }

    @Test(arguments: [
        (QuantityKind.systolicPressure, 180.0), (.diastolicPressure, 120), (.bodyTemperature, 39.1),
        (.glucose, 53), (.oxygenSaturation, 91),
    ])
    func `beyond a warning limit calls no ambulance`(kind: QuantityKind, value: Double) {
        var machine = heard(kind, value)
        #expect(machine.openAlarms.map(\.priority) == [.medium])
        #expect(machine.advance(to: House.at(600)).orders.isEmpty)
    }

    @Test(arguments: [
        (QuantityKind.systolicPressure, 128.0), (.diastolicPressure, 79), (.bodyTemperature, 36.6),
        (.glucose, 104), (.oxygenSaturation, 97),
    ])
    func `inside its limits is no alarm`(kind: QuantityKind, value: Double) {
        #expect(heard(kind, value).openAlarms.isEmpty)
    }

    /// Of a stream, the silence after a crossing confirms it; here nothing is awaited.
    @Test func `leaves nothing behind that its silence could confirm`() {
        var machine = House.machine(House.plan())
        _ = machine.hear(House.reading(.heartRate, 128, at: 10, sampling: .spot))
        #expect(machine.nextDeadline == nil)
        _ = machine.hear(House.reading(.heartRate, 135, at: 20, sampling: .spot))
        #expect(machine.openAlarms.map(\.timeline.confirmation) == [House.at(20)])
    }

    @Test func `beyond both limits is one call, and the warning rests no longer than it`() {
        var machine = heard(.glucose, 39)
        #expect(machine.openAlarms.map(\.cause.name) == ["glucose-low"])
        _ = machine.handle(.resolve(.theOpenOne, House.act), at: House.at(11))
        let again = machine.hear(House.reading(.glucose, 50, at: 600, from: "device", sampling: .spot))
        #expect(again.notices.map(\.cause.name) == ["glucose-low-warning"])
    }

    @Test func `of a stream is one of several, as before`() {
        #expect(heard(.oxygenSaturation, 85, .stream).openAlarms.isEmpty)
        var machine = heard(.oxygenSaturation, 85, .stream)
        _ = machine.advance(to: House.at(12))
        #expect(machine.openAlarms.first?.priority == .high)
    }
}

@Suite struct `A sensor off the skin` {
    @Test func `takes back a warning that waited, and no call for help`() {
        var machine = House.machine(House.plan(rules: RuleDefaults.rules))
        _ = machine.hear(House.reading(.oxygenSaturation, 90, at: 10))
        let off = machine.hear(House.reading(.oxygenSaturation, 90, at: 11, contact: .lost))
        #expect(off.contains { if case .noteRecovery = $0 { true } else { false } })
        #expect(machine.advance(to: House.at(120)).notices.isEmpty)

        _ = machine.hear(House.reading(.oxygenSaturation, 84, at: 130))
        _ = machine.hear(House.reading(.oxygenSaturation, 84, at: 131, contact: .lost))
        let believed = machine.advance(to: House.at(132)).notices
        #expect(believed.map(\.priority) == [.high])
    }

    @Test func `with a heart rate of nothing is a technical matter and no arrest`() {
        var machine = House.machine()
        for second in 10..<60 {
            let actions = machine.hear(0, at: Double(second), contact: .lost)
            #expect(actions.count == 1)
            guard case .noteUnjudged(_, .contactLost)? = actions.first else {
                Issue.record("\(actions)")
                return
            }
        }
        guard case .noteUnjudged(_, .implausible)? = machine.hear(0, at: 60, contact: .unknown).first else {
            Issue.record("0 was judged")
            return
        }
        #expect(machine.openAlarms.isEmpty && machine.nextDeadline == nil)
    }
}
