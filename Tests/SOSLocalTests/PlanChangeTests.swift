import GatewayModel
import SOSLocal
import Testing

@Suite struct `Plans that are replaced` {
    private func replace(
        _ machine: inout SOSMachine, by plans: [SOSPlan], at second: Double
    ) -> [SOSAction] {
        machine.handle(.plans(plans, House.place), at: House.at(second))
    }

    @Test func `leave an open alarm its deadline and its channels`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        let other = House.plan(window: .milliseconds(500), channels: [House.sms])
        #expect(replace(&machine, by: [other], at: 12.5).isEmpty)
        #expect(machine.advance(to: House.at(14.4)).orders.isEmpty)
        let orders = machine.advance(to: House.at(14.5)).orders
        #expect(orders.map(\.alarm) == [alarm] && orders.first?.channels == [House.mqtt])
    }

    @Test func `hold for the next alarm`() {
        var machine = House.machine()
        let other = House.plan(window: .milliseconds(500), channels: [House.sms])
        _ = replace(&machine, by: [other], at: 5)
        _ = machine.alarmAtTwelve()
        #expect(machine.advance(to: House.at(12.5)).orders.first?.channels == [House.sms])
    }

    @Test func `let a crossing go on under the limit in its place`() {
        var machine = House.machine()
        _ = machine.hear(150, at: 10)
        _ = machine.hear(151, at: 11)
        let moved = House.plan(rules: [House.rule(.low, 40), House.rule(.high, 140)])
        _ = replace(&machine, by: [moved], at: 11.5)
        #expect(machine.hear(152, at: 12).notices.count == 1)
    }

    @Test func `watch a person who is new`() {
        var machine = House.machine()
        _ = replace(&machine, by: [House.plan(), House.plan(House.giuseppe)], at: 5)
        let notices = (10..<14).flatMap { machine.hear(150, at: Double($0), of: House.giuseppe).notices }
        #expect(notices.map(\.person) == [House.giuseppe])
    }

    @Test func `keep a person who is removed until their alarm is over, and judge nothing new of them`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = replace(&machine, by: [House.plan(House.giuseppe)], at: 12.5)
        #expect(machine.openAlarms.map(\.id) == [alarm])
        let unjudged = machine.hear(200, at: 13)
        #expect(unjudged.contains { if case .noteUnjudged(_, .unwatched) = $0 { true } else { false } })
        #expect(machine.advance(to: House.at(14.5)).orders.map(\.alarm) == [alarm])
        let abort = machine.handle(.abort(.person(House.maria), House.act), at: House.at(15))
        #expect(abort.endings.count == 1)
        for retraction in abort.retractions {
            for channel in retraction.channels {
                _ = machine.handle(.channel(channel, .retracted(alarm)), at: House.at(15))
            }
        }
        _ = machine.advance(to: House.at(16))
        #expect(machine.snapshot.watches.map(\.person) == [House.giuseppe])
    }

    @Test func `forget a person without an open alarm at once`() {
        var machine = House.machine()
        _ = replace(&machine, by: [House.plan(House.giuseppe)], at: 5)
        #expect(machine.snapshot.watches.map(\.person) == [House.giuseppe])
    }

    @Test func `take back a person who left, with the alarm that is still open`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = replace(&machine, by: [House.plan(House.giuseppe)], at: 12.2)
        _ = replace(&machine, by: [House.plan(), House.plan(House.giuseppe)], at: 12.4)
        #expect(machine.advance(to: House.at(14.5)).orders.map(\.alarm) == [alarm])
        #expect(machine.snapshot.watches.count == 2)
    }
}
