import GatewayModel
import SOSLocal
import Testing

@Suite struct `An alarm` {
    /// One that was dispatched at 14.5 s.
    private func dispatched(channels: [ChannelID] = [House.mqtt]) -> (SOSMachine, AlarmID) {
        var machine = House.machine(House.plan(channels: channels))
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        return (machine, alarm)
    }

    @Test func `is ended by an acceptance, and by that alone`() {
        var (machine, alarm) = dispatched()
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        #expect(machine.openAlarms.count == 1, "handed over is not accepted")
        let accepted = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: House.operatorAct.by)), at: House.at(20))
        #expect(accepted.endings == [.accepted(House.operatorAct, channel: House.mqtt, at: House.at(20))])
        #expect(machine.openAlarms.isEmpty)
        #expect(machine.handle(.resolve(.alarm(alarm), House.act), at: House.at(21)).endings.isEmpty)
    }

    @Test func `is repeated in the house and at the channel until someone accepts`() {
        var (machine, alarm) = dispatched()
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        let again = machine.advance(to: House.at(44.5))
        #expect(again.notices.map(\.repetition) == [1])
        #expect(again.orders.map(\.round) == [2])
        _ = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: House.operatorAct.by)), at: House.at(50))
        #expect(machine.advance(to: House.at(3_600)).isEmpty)
    }

    @Test func `is not queued again at a channel that is still trying`() {
        var (machine, _) = dispatched()
        let again = machine.advance(to: House.at(44.5))
        #expect(again.notices.count == 1)
        #expect(again.orders.isEmpty)
    }

    @Test func `is escalated to the next channel at each repetition`() {
        var (machine, alarm) = dispatched(channels: [House.mqtt, House.sms])
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        #expect(machine.advance(to: House.at(44.5)).orders.map(\.channels) == [[House.mqtt, House.sms]])
    }

    @Test func `goes to the next channel at once when one gives up`() {
        var (machine, alarm) = dispatched(channels: [House.mqtt, House.sms])
        let actions = machine.handle(
            .channel(House.mqtt, .failed(alarm, .confirmed, reason: "not authorised")), at: House.at(15))
        #expect(actions.orders.map(\.channels) == [[House.sms]])
        _ = machine.handle(.channel(House.sms, .handedOver(alarm, .confirmed)), at: House.at(15.5))
        #expect(machine.advance(to: House.at(20)).orders.isEmpty, "one of them has the call")
        #expect(machine.advance(to: House.at(44.5)).orders.map(\.channels) == [[House.mqtt, House.sms]])
    }

    @Test func `goes to the next channel when one has not got through in time`() {
        var (machine, alarm) = dispatched(channels: [House.mqtt, House.sms])
        #expect(machine.nextDeadline == House.at(14.75))
        #expect(machine.advance(to: House.at(19.5)).orders.map(\.channels) == [[House.sms]])
        _ = machine.handle(
            .channel(House.sms, .failed(alarm, .confirmed, reason: "no modem")), at: House.at(20))
        #expect(machine.advance(to: House.at(24.5)).orders.map(\.channels) == [[House.sms]])
    }

    @Test func `is told again to the only channel after it gave up`() {
        var (machine, alarm) = dispatched()
        #expect(
            machine.handle(.channel(House.mqtt, .failed(alarm, .confirmed, reason: "quota")), at: House.at(15))
                .orders
                .isEmpty)
        #expect(machine.advance(to: House.at(19.5)).orders.map(\.channels) == [[House.mqtt]])
    }

    @Test func `cannot be accepted before it was dispatched`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        let early = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: House.operatorAct.by)), at: House.at(13))
        #expect(early.refusals == [.notDispatchedYet])
        #expect(machine.advance(to: House.at(14.5)).orders.count == 1)
    }

    @Test func `cannot be accepted under another person's name or an unknown id`() {
        var (machine, alarm) = dispatched()
        let wrongPerson = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.giuseppe, by: House.operatorAct.by)),
            at: House.at(15))
        #expect(wrongPerson.refusals == [.unknownAlarm])
        let unknown = AlarmID(House.reading(99, at: 1).id)
        let wrongAlarm = machine.handle(
            .channel(House.mqtt, .accepted(unknown, of: House.maria, by: House.operatorAct.by)),
            at: House.at(15))
        #expect(wrongAlarm.refusals == [.unknownAlarm])
        #expect(machine.openAlarms.count == 1)
    }

    @Test func `stays accepted when it is aborted later, and the channels are told once`() {
        var (machine, alarm) = dispatched()
        _ = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: House.operatorAct.by)), at: House.at(20))
        let standDown = machine.handle(.abort(.theOpenOne, House.act), at: House.at(25))
        #expect(standDown.retractions.map(\.channels) == [[House.mqtt]])
        #expect(standDown.endings.isEmpty)
        #expect(
            machine.handle(.abort(.theOpenOne, House.act), at: House.at(26)).refusals == [.alreadyRetracted])
    }

    @Test func `that is resolved after its dispatch tells the channels`() {
        var (machine, alarm) = dispatched()
        let actions = machine.handle(.resolve(.alarm(alarm), House.act), at: House.at(20))
        #expect(actions.endings == [.resolved(House.act, at: House.at(20))])
        #expect(actions.retractions.count == 1)
    }

    @Test func `records its own time line`() throws {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.handle(.annunciated(alarm), at: House.at(12.02))
        _ = machine.handle(.annunciated(alarm), at: House.at(13))
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(.channel(House.mqtt, .dispatched(alarm)), at: House.at(14.51))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        let timeline = try #require(machine.openAlarms.first).timeline
        #expect(timeline.alarmDelay == .milliseconds(20))
        #expect(timeline.handOverDelay == .milliseconds(4_600))
        #expect(timeline.handedOver == [House.mqtt: House.at(14.6)])
    }
}

@Suite struct `A house` {
    private func twoPersons() -> SOSMachine {
        House.machine(House.plan(House.maria), House.plan(House.giuseppe))
    }

    @Test func `judges each person by their own rules`() {
        var machine = twoPersons()
        _ = machine.hear(150, at: 10)
        _ = machine.hear(70, at: 10.5, of: House.giuseppe)
        #expect(machine.hear(150, at: 11).isEmpty)
        #expect(machine.hear(150, at: 12).notices.map(\.person) == [House.maria])
    }

    @Test func `asks whose alarm is meant when two persons have one`() {
        var machine = twoPersons()
        for person in [House.maria, House.giuseppe] {
            for second in [10.0, 11, 12] { _ = machine.hear(150, at: second, of: person) }
        }
        let vague = machine.handle(.abort(.theOpenOne, House.act), at: House.at(13))
        #expect(vague.refusals == [.severalOpen([House.maria, House.giuseppe], asked: .commandLine)])
        let clear = machine.handle(.abort(.person(House.maria), House.act), at: House.at(13))
        #expect(clear.endings.count == 1)
        #expect(machine.openAlarms.map(\.cause.person) == [House.giuseppe])
    }

    @Test func `puts no reading to the rules that the sensor itself disowns`() {
        var machine = House.machine()
        for (second, bpm, contact) in [
            (1.0, 0.0, SensorContact.lost), (2, 150, .lost), (3, 0, .unknown), (4, 300, .detected),
        ] {
            let actions = machine.hear(bpm, at: second, contact: contact)
            guard case .noteUnjudged = actions.first, actions.count == 1 else {
                Issue.record("\(bpm) bpm with contact \(contact) was judged")
                continue
            }
        }
        #expect(machine.nextDeadline == nil)
    }

    @Test func `does not let a lost contact cancel a crossing`() {
        var machine = House.machine()
        _ = machine.hear(150, at: 10)
        _ = machine.hear(0, at: 11, contact: .lost)
        #expect(machine.advance(to: House.at(12)).notices.count == 1)
    }

    @Test func `notes readings of persons it does not watch`() {
        var machine = House.machine()
        let actions = machine.hear(150, at: 1, of: House.giuseppe)
        guard case .noteUnjudged(_, .unwatched) = actions.first else {
            Issue.record("an unwatched person was judged")
            return
        }
    }
}
