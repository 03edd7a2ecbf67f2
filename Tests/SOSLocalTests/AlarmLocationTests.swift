import GatewayModel
import SOSLocal
import Testing

@Suite struct `The location sent` {
    private func location(fixAt: Double?) -> AlarmLocation? {
        var machine = House.machine()
        if let fixAt { _ = machine.handle(.fix(House.fix(at: fixAt)), at: House.at(fixAt)) }
        for second in [100.0, 101, 102] { _ = machine.hear(150, at: second) }
        return machine.advance(to: House.at(104.5)).orders.first?.location
    }

    @Test func `is the fix while it is fresh at the dispatch`() {
        #expect(location(fixAt: 74.5) == .fix(House.fix(at: 74.5)))
    }

    @Test func `is the last known one with its age when it is older`() {
        #expect(location(fixAt: 74.4) == .lastKnown(House.fix(at: 74.4), age: .milliseconds(30_100)))
    }

    @Test func `is the installed address when there was never a fix`() {
        #expect(location(fixAt: nil) == .installed(House.place))
    }

    @Test func `never goes back to an older fix that arrives late`() {
        var machine = House.machine()
        _ = machine.handle(.fix(House.fix(at: 20)), at: House.at(20))
        _ = machine.handle(.fix(House.fix(at: 5)), at: House.at(21))
        for second in [22.0, 23, 24] { _ = machine.hear(150, at: second) }
        #expect(machine.advance(to: House.at(26.5)).orders.first?.location == .fix(House.fix(at: 20)))
    }
}
