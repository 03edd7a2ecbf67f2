import GatewayModel
import ModelSamples
import SOSLocal
import Testing

/// T3: who wants a longer window has the ambulance service warned in time.
@Suite struct `An early notice` {
    private let plan = SOSPlan(
        person: House.maria, rules: [House.rule(.low, 40), House.rule(.high, 131)],
        windows: AbortWindows(vitalSign: .seconds(60), button: .seconds(2)), hasEarlyNotice: true,
        ways: EscalationPlan(channels: [House.mqtt]))

    private func machine() -> (SOSMachine, AlarmID) {
        var machine = House.machine(plan)
        let alarm = machine.alarmAtTwelve()
        return (machine, alarm)
    }

    @Test func `leaves in time, and the call when the window ends`() {
        var (machine, alarm) = machine()
        #expect(machine.nextDeadline == House.at(14.5), "4.5 s after the crossing")
        let notice = machine.advance(to: House.at(14.5))
        #expect(notice.orders.map(\.stage) == [.pending])
        #expect(machine.openAlarms.first?.isNoticeGiven == false, "ordered is not given")
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .pending)), at: House.at(14.6))
        #expect(machine.openAlarms.first?.isNoticeGiven == true)
        let call = machine.advance(to: House.at(72))
        #expect(call.orders.map(\.stage) == [.confirmed])
        #expect(call.orders.map(\.firstOrdered) == [House.at(14.5)])
    }

    @Test func `that is acknowledged late says nothing of the call that followed it`() {
        var (machine, alarm) = machine()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.advance(to: House.at(72))
        let late = machine.handle(.channel(House.mqtt, .handedOver(alarm, .pending)), at: House.at(72.1))
        #expect(machine.openAlarms.map(\.call) == [.trying])
        #expect(late.notes == [.channel(House.mqtt, .handedOver(alarm, .pending))])
        _ = machine.handle(.channel(House.mqtt, .failed(alarm, .confirmed, reason: "cut")), at: House.at(73))
        #expect(machine.advance(to: House.at(77)).orders.map(\.stage) == [.confirmed], "5 s after the call")
    }

    @Test func `and the call are each told to have arrived`() {
        var (machine, alarm) = machine()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .pending)), at: House.at(14.6))
        _ = machine.advance(to: House.at(72))
        let arrived = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(72.1))
        #expect(arrived.notes == [.channel(House.mqtt, .handedOver(alarm, .confirmed))])
        #expect(machine.openAlarms.map(\.call) == [.handedOver])
        #expect(machine.openAlarms.map(\.timeline.callHandedOver) == [House.at(72.1)])
    }

    @Test func `that fails late neither repeats the call nor alarms the house`() {
        var (machine, alarm) = machine()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.advance(to: House.at(72))
        let late = machine.handle(
            .channel(House.mqtt, .failed(alarm, .pending, reason: "cut")), at: House.at(72.1))
        #expect(late.orders.isEmpty && late.failures.isEmpty)
    }

    @Test func `is taken back when someone cancels`() {
        var (machine, _) = machine()
        _ = machine.advance(to: House.at(14.5))
        let abort = machine.handle(.abort(.theOpenOne, House.act), at: House.at(30))
        #expect(abort.retractions.map(\.channels) == [[House.mqtt]])
        #expect(abort.endings == [.aborted(House.act, at: House.at(30), beforeDispatch: false)])
    }

    @Test func `is not sent where the call itself is no later`() {
        var machine = House.machine(plan)
        let button = WearableSignal(
            id: House.reading(1, at: 10).id, person: House.maria, device: DeviceID(sample: "tag"),
            kind: .sosButton, arrival: House.moment(10))
        _ = machine.handle(.signal(button), at: House.at(10))
        #expect(machine.advance(to: House.at(12)).orders.map(\.stage) == [.confirmed])
    }

    @Test func `makes the plan keep its promise`() {
        #expect(plan.timelines.allSatisfy { $0.keepsPromise })
        let high = plan.timelines.first { $0.name == "heart-rate-high" }
        #expect(high?.notice == .milliseconds(4_500))
        #expect(high?.dispatch == .seconds(62))
        let silent = SOSPlan(
            person: House.maria, rules: plan.rules, windows: plan.windows, ways: plan.ways)
        #expect(!silent.timelines.allSatisfy { $0.keepsPromise })
    }

    @Test func `may be accepted, and the window is over then`() {
        var (machine, alarm) = machine()
        _ = machine.advance(to: House.at(14.5))
        let accepted = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: "Operator 7")), at: House.at(20))
        #expect(accepted.endings == [.accepted(House.operatorAct, channel: House.mqtt, at: House.at(20))])
        #expect(machine.advance(to: House.at(80)).orders.isEmpty)
    }
}

/// T10: a rehearsal of the whole way.
@Suite struct `A drill` {
    private func drill(at seconds: Double, of person: PersonID = House.maria) -> SOSEvent {
        .drill(
            Drill(
                id: House.reading(1, at: seconds).id, person: person, act: House.act,
                arrival: House.moment(seconds)))
    }

    @Test func `takes the same way, marked at every hop, and lapses when nobody answers`() {
        var machine = House.machine()
        let begun = machine.handle(drill(at: 10), at: House.at(10))
        #expect(begun.notices.map(\.cause.isDrill) == [true])
        let called = machine.advance(to: House.at(12.5))
        #expect(called.orders.map(\.isDrill) == [true])
        _ = machine.handle(
            .channel(House.mqtt, .handedOver(called.orders[0].alarm, .confirmed)), at: House.at(12.6))
        let lapsed = [42.5, 72.5, 102.5].flatMap { machine.advance(to: House.at($0)) }
        #expect(lapsed.endings.map(\.word) == ["lapsed"])
        #expect(lapsed.retractions.map(\.isDrill) == [true])
        #expect(machine.openAlarms.isEmpty)
    }

    @Test func `is refused while an emergency is open, and gives way to one`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        #expect(machine.handle(drill(at: 13), at: House.at(13)).refusals == [.emergencyOpen(alarm)])
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(13.5))
        _ = machine.hear(80, at: 14)
        _ = machine.handle(drill(at: 20), at: House.at(20))
        _ = machine.hear(150, at: 21)
        _ = machine.hear(151, at: 22)
        let real = machine.hear(152, at: 22.4)
        #expect(real.notices.map(\.cause.isDrill) == [false])
        #expect(real.endings.map(\.word) == ["lapsed"])
        #expect(machine.openAlarms.map(\.cause.isDrill) == [false])
    }

    @Test func `is held beside a warning, and ended without it`() {
        let warning = LimitRule(
            kind: .heartRate, side: .high, limit: 111,
            confirmation: Confirmation(readings: 1, within: .seconds(30)), hysteresis: 5, priority: .medium)
        var machine = House.machine(House.plan(rules: [warning]))
        _ = machine.hear(115, at: 10)
        let begun = machine.handle(drill(at: 20), at: House.at(20))
        #expect(begun.notices.map(\.cause.isDrill) == [true] && begun.refusals.isEmpty)
        let pressed = machine.handle(
            .abort(.whatIsOpen(buttonOf: House.maria), House.act), at: House.at(21))
        #expect(pressed.endings.count == 1)
        #expect(machine.openAlarms.map(\.priority) == [.medium], "nobody has seen to the warning")
        #expect(machine.handle(.abort(.theOpenOne, House.act), at: House.at(30)).endings.count == 1)
        #expect(machine.openAlarms.isEmpty)
    }

    @Test func `is refused while help is called for another person, and ended by any alarm of anybody`() {
        var machine = House.machine(House.plan(), House.plan(House.giuseppe))
        let alarm = machine.alarmAtTwelve()
        let refused = machine.handle(drill(at: 13, of: House.giuseppe), at: House.at(13))
        #expect(refused.refusals == [.emergencyOpen(alarm)] && refused.notices.isEmpty)
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(13.5))
        _ = machine.hear(80, at: 14)
        _ = machine.handle(drill(at: 20, of: House.giuseppe), at: House.at(20))
        #expect(machine.openAlarms.map(\.cause.isDrill) == [true])
        for second in [21.0, 22] { _ = machine.hear(150, at: second) }
        let real = machine.hear(152, at: 22.4)
        #expect(real.endings.map(\.word) == ["lapsed"])
        #expect(machine.openAlarms.map(\.cause.person) == [House.maria])
    }

    @Test func `is ended by a warning that begins for another person`() {
        let warning = LimitRule(
            kind: .heartRate, side: .high, limit: 111,
            confirmation: Confirmation(readings: 1, within: .seconds(30)), hysteresis: 5, priority: .medium)
        var machine = House.machine(House.plan(rules: [warning]), House.plan(House.giuseppe))
        _ = machine.handle(drill(at: 10, of: House.giuseppe), at: House.at(10))
        #expect(machine.hear(115, at: 11).endings.map(\.word) == ["lapsed"])
        #expect(machine.openAlarms.map(\.priority) == [.medium])
    }

    @Test func `is held for one person at a time`() {
        var machine = House.machine(House.plan(), House.plan(House.giuseppe))
        let first = machine.handle(drill(at: 10), at: House.at(10)).notices.map(\.alarm)
        let second = machine.handle(drill(at: 10, of: House.giuseppe), at: House.at(10))
        #expect(second.refusals == [.drillOpen(first[0])] && second.notices.isEmpty)
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(11))
        #expect(machine.handle(drill(at: 12, of: House.giuseppe), at: House.at(12)).notices.count == 1)
    }

    @Test func `of somebody who is not watched is refused`() {
        var machine = House.machine()
        #expect(
            machine.handle(drill(at: 10, of: House.giuseppe), at: House.at(10)).refusals
                == [.unknownPerson(House.giuseppe)])
    }
}

@Suite struct `A warning` {
    private func plan(_ carers: [ChannelID]) -> SOSPlan {
        let rule = LimitRule(
            kind: .heartRate, side: .high, limit: 111,
            confirmation: Confirmation(readings: 2, within: .seconds(30)), hysteresis: 5, priority: .medium)
        return SOSPlan(
            person: House.maria, rules: [rule], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [House.mqtt], carers: carers))
    }

    @Test func `goes to the carers and to no ambulance`() {
        var machine = House.machine(plan([House.sms]))
        _ = machine.hear(115, at: 10)
        let raised = machine.hear(116, at: 11)
        #expect(raised.notices.map(\.priority) == [.medium])
        #expect(raised.notices.map(\.cause.name) == ["heart-rate-high-warning"])
        #expect(machine.advance(to: House.at(41)).orders.map(\.channels) == [[House.sms]])
        #expect(machine.advance(to: House.at(300)).orders.allSatisfy { $0.channels == [House.sms] })
    }

    @Test func `without carers is told in the house until someone acts`() {
        var machine = House.machine(plan([]))
        _ = machine.hear(115, at: 10)
        #expect(machine.hear(116, at: 11).notices.map(\.state.call) == [.none])
        let later = machine.advance(to: House.at(100))
        #expect(later.orders.isEmpty)
        #expect(!later.notices.isEmpty)
        #expect(machine.handle(.resolve(.theOpenOne, House.act), at: House.at(101)).endings.count == 1)
    }
}
