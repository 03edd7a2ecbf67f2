import GatewayModel
import SOSLocal
import Testing

@Suite struct `A signal` {
    private func signal(_ kind: WearableSignal.Kind, at seconds: Double, of person: PersonID = House.maria)
        -> SOSEvent
    {
        let reading = House.reading(70, at: seconds)
        return .signal(
            WearableSignal(
                id: reading.id, person: person, device: reading.device, kind: kind, arrival: reading.arrival))
    }

    @Test(arguments: WearableSignal.Kind.allCases)
    func `raises its alarm at once and is dispatched after the window`(kind: WearableSignal.Kind) {
        var machine = House.machine()
        let raised = machine.handle(signal(kind, at: 10), at: House.at(10))
        #expect(raised.notices.map(\.cause.name) == [kind.rawValue])
        #expect(machine.advance(to: House.at(12.499)).orders.isEmpty)
        #expect(machine.advance(to: House.at(12.5)).orders.count == 1)
    }

    @Test func `pressed again is the same call while the alarm is open, and a new one after it`() {
        var machine = House.machine()
        _ = machine.handle(signal(.sosButton, at: 10), at: House.at(10))
        #expect(machine.handle(signal(.sosButton, at: 11), at: House.at(11)).isEmpty)
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(12))
        #expect(machine.handle(signal(.sosButton, at: 13), at: House.at(13)).notices.count == 1)
    }

    @Test func `of another kind is another alarm`() {
        var machine = House.machine()
        _ = machine.handle(signal(.fall, at: 10), at: House.at(10))
        #expect(machine.handle(signal(.sosButton, at: 11), at: House.at(11)).notices.count == 1)
        #expect(machine.openAlarms.count == 2)
    }

    @Test func `that the plan does not watch, or of a stranger, raises nothing`() {
        let plan = SOSPlan(
            person: House.maria, rules: [], signals: [.sosButton],
            windows: AbortWindows(vitalSign: .seconds(2)), ways: EscalationPlan(channels: [House.mqtt]))
        var machine = House.machine(plan)
        #expect(machine.handle(signal(.shaking, at: 10), at: House.at(10)).isEmpty)
        #expect(machine.handle(signal(.sosButton, at: 10, of: House.giuseppe), at: House.at(10)).isEmpty)
    }
}

@Suite struct `A stored record` {
    @Test func `never raises an alarm as if it were now`() {
        var machine = House.machine()
        for second in [10.0, 11, 12] {
            let live = House.reading(180, at: second)
            let stored = Reading(
                id: live.id, person: live.person, device: live.device, quantity: live.quantity,
                contact: live.contact, currency: .history, arrival: live.arrival)
            let actions = machine.handle(.reading(stored), at: House.at(second))
            #expect(actions == [.noteUnjudged(stored, .history)])
        }
        #expect(machine.nextDeadline == nil)
    }
}

@Suite struct `Shaking` {
    private func seen(_ seconds: [Double]) -> [Double] {
        var detector = ShakingDetector()
        return seconds.filter { detector.moved(at: House.at($0)) }
    }

    @Test func `is movement in eight of ten seconds`() {
        #expect(seen((100..<108).map(Double.init)) == [107])
        #expect(seen([100, 101, 102, 104, 105, 106, 108, 109]) == [109])
    }

    @Test func `is not a knock, however often it is repeated within a second`() {
        #expect(seen((0..<100).map { 100 + Double($0) / 101 }) == [])
    }

    @Test func `is not movement with pauses`() {
        #expect(seen(stride(from: 100.0, to: 200, by: 2).map { $0 }) == [])
        #expect(seen([100, 101, 102, 103, 104, 105, 106, 111]) == [])
    }

    @Test func `is told once a bout`() {
        let minutes = (0..<150).map { 100 + Double($0) }
        #expect(seen(minutes) == [107, 167, 227])
    }
}
