import GatewayModel
import ModelSamples
import SOSLocal
import Testing

@Suite struct `A channel that is known to be dead` {
    private static let third = ChannelID(sample: "third")

    /// A press at 10 s, whose window of 2.5 s ends at 12.5 s.
    private func pressed(
        _ channels: [ChannelID] = [House.mqtt, House.sms, third], toldAtOnce: Int = 1, dead: [ChannelID] = [],
        window: Duration = .milliseconds(2_500), hasEarlyNotice: Bool = false
    ) -> (machine: SOSMachine, alarm: AlarmID) {
        let plan = SOSPlan(
            person: House.maria, rules: [], windows: AbortWindows(vitalSign: window),
            hasEarlyNotice: hasEarlyNotice, ways: EscalationPlan(channels: channels, toldAtOnce: toldAtOnce))
        var machine = House.machine(plan)
        for channel in dead { _ = machine.handle(.channelState(channel, isLive: false), at: House.at(1)) }
        let signal = WearableSignal(
            id: House.reading(150, at: 10).id, person: House.maria, device: DeviceID(sample: "tag"),
            kind: .sosButton, arrival: House.moment(10))
        let raised = machine.handle(.signal(signal), at: House.at(10))
        return (machine, raised.notices[0].alarm)
    }

    private func told(_ actions: [SOSAction]) -> [[ChannelID]] { actions.orders.map(\.channels) }

    @Test func `costs no time, and has the call beside the next`() {
        var (machine, _) = pressed(dead: [House.mqtt])
        #expect(told(machine.advance(to: House.at(12.5))) == [[House.mqtt, House.sms]])
    }

    @Test func `is called with all others at once where all are dead, and the house hears it at once`() {
        var (machine, alarm) = pressed(dead: [House.mqtt, House.sms, Self.third])
        let actions = machine.advance(to: House.at(12.5))
        #expect(told(actions) == [[House.mqtt, House.sms, Self.third]])
        #expect(actions.unreached == [alarm])
        #expect(machine.advance(to: House.at(30)).unreached.isEmpty, "once")
    }

    @Test func `is left alone while one before it lives`() {
        var (machine, _) = pressed(dead: [House.sms])
        #expect(told(machine.advance(to: House.at(12.5))) == [[House.mqtt]])
    }

    @Test func `hands the call to the next as it dies`() {
        var (machine, alarm) = pressed()
        #expect(told(machine.advance(to: House.at(12.5))) == [[House.mqtt]])
        let died = machine.handle(.channelState(House.mqtt, isLive: false), at: House.at(12.6))
        #expect(told(died) == [[House.sms]])
        // What the dead one says then is no reason to tell a third.
        let failed = machine.handle(
            .channel(House.mqtt, .failed(alarm, .confirmed, reason: "gone")), at: House.at(12.7))
        #expect(told(failed) == [])
    }

    @Test func `that dies after the call was handed over brings in nobody before the next round`() {
        var (machine, alarm) = pressed()
        _ = machine.advance(to: House.at(12.5))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(12.6))
        #expect(told(machine.handle(.channelState(House.mqtt, isLive: false), at: House.at(13))) == [])
        #expect(told(machine.advance(to: House.at(42.4))) == [])
        #expect(told(machine.advance(to: House.at(42.5))) == [[House.mqtt, House.sms]])
    }

    @Test func `gets a call that failed as soon as it lives again`() {
        var (machine, alarm) = pressed([House.mqtt], dead: [House.mqtt])
        _ = machine.advance(to: House.at(12.5))
        _ = machine.handle(.channel(House.mqtt, .failed(alarm, .confirmed, reason: "gone")), at: House.at(12.6))
        let back = machine.handle(.channelState(House.mqtt, isLive: true), at: House.at(13))
        #expect(told(back) == [[House.mqtt]])
    }

    @Test func `gets the last word as soon as it lives again`() {
        var (machine, alarm) = pressed([House.mqtt])
        _ = machine.advance(to: House.at(12.5))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(12.6))
        _ = machine.handle(.resolve(.alarm(alarm), House.act), at: House.at(20))
        _ = machine.handle(.channelState(House.mqtt, isLive: false), at: House.at(20))
        _ = machine.handle(.channel(House.mqtt, .retractionFailed(alarm, reason: "gone")), at: House.at(20))
        let back = machine.handle(.channelState(House.mqtt, isLive: true), at: House.at(21))
        #expect(back.retractions.map(\.channels) == [[House.mqtt]])
        _ = machine.handle(.channel(House.mqtt, .retracted(alarm)), at: House.at(21))
        #expect(machine.advance(to: House.at(100)).retractions.isEmpty)
    }

    @Test func `is passed over by an early notice as well`() {
        var (machine, _) = pressed(dead: [House.mqtt], window: .seconds(30), hasEarlyNotice: true)
        let notice = machine.advance(to: House.at(14.5))
        #expect(told(notice) == [[House.mqtt, House.sms]])
        #expect(notice.orders.map(\.stage) == [.pending])
    }
}

@Suite struct `A channel that takes a call and never answers` {
    /// A crossing at 10 s that is believed at 12 s, and ordered at 14.5 s; and then a press, ordered after 2.5 s.
    @Test func `is followed by the next within the promise`() {
        var machine = House.machine(House.plan(channels: [House.mqtt, House.sms]))
        _ = machine.alarmAtTwelve()
        #expect(machine.advance(to: House.at(14.5)).orders.map(\.channels) == [[House.mqtt]])
        #expect(machine.advance(to: House.at(14.74)).orders.isEmpty)
        #expect(machine.advance(to: House.at(14.75)).orders.map(\.channels) == [[House.sms]])
    }

    @Test func `is followed by the next after the limit for a hand-over where there is time`() {
        let plan = SOSPlan(
            person: House.maria, rules: [House.rule(.high, 131, readings: 1)],
            windows: AbortWindows(vitalSign: .seconds(1)),
            ways: EscalationPlan(channels: [House.mqtt, House.sms], handoverLimit: .seconds(2)))
        var machine = House.machine(plan)
        _ = machine.hear(150, at: 10)
        #expect(machine.advance(to: House.at(11)).orders.map(\.channels) == [[House.mqtt]])
        #expect(machine.advance(to: House.at(12.9)).orders.isEmpty)
        #expect(machine.advance(to: House.at(13)).orders.map(\.channels) == [[House.sms]])
    }

    @Test func `does not hold up an early notice`() {
        let plan = SOSPlan(
            person: House.maria, rules: [House.rule(.high, 131, readings: 1)],
            windows: AbortWindows(vitalSign: .seconds(30)), hasEarlyNotice: true,
            ways: EscalationPlan(channels: [House.mqtt, House.sms]))
        var machine = House.machine(plan)
        let alarm = machine.hear(150, at: 10).notices[0].alarm
        #expect(machine.advance(to: House.at(14.5)).orders.map(\.channels) == [[House.mqtt]])
        let second = machine.advance(to: House.at(14.75)).orders
        #expect(second.map(\.channels) == [[House.sms]] && second.map(\.stage) == [.pending])
        _ = machine.handle(.channel(House.sms, .handedOver(alarm, .pending)), at: House.at(14.8))
        #expect(machine.advance(to: House.at(39.9)).orders.isEmpty)
    }

    @Test func `is known in the house after two seconds`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        #expect(machine.advance(to: House.at(16.4)).unreached.isEmpty)
        #expect(machine.advance(to: House.at(16.5)).unreached == [alarm])
    }

    @Test func `is not spoken of once a machine has the call`() {
        var machine = House.machine(House.plan(channels: [House.mqtt, House.sms]))
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.advance(to: House.at(14.75))
        _ = machine.handle(.channel(House.sms, .handedOver(alarm, .confirmed)), at: House.at(15))
        let failed = machine.handle(
            .channel(House.mqtt, .failed(alarm, .confirmed, reason: "timed out")), at: House.at(16))
        #expect(failed.unreached.isEmpty && machine.advance(to: House.at(40)).unreached.isEmpty)
    }
}

extension [SOSAction] {
    /// The alarms of which the house hears that nobody is reached.
    fileprivate var unreached: [AlarmID] {
        compactMap { if case .noteUnreached(let notice) = $0 { notice.alarm } else { nil } }
    }
}
