import GatewayModel
import ModelSamples
import SOSLocal
import Testing

@Suite struct `A limit whose alarm has ended` {
    private let plan = SOSPlan(
        person: House.maria, rules: [House.rule(.high, 131)], exerciseRules: [House.rule(.high, 170)],
        windows: AbortWindows(vitalSign: .milliseconds(2_500)), ways: EscalationPlan(channels: [House.mqtt]),
        rearmInterval: .seconds(60))

    @Test func `alarms again although another figure raised it, in exercise`() {
        var machine = House.machine(plan)
        _ = machine.handle(.exercise(House.maria, until: House.at(20)), at: House.at(1))
        let raised = (10..<13).flatMap { machine.hear(175, at: Double($0)).notices }
        #expect(raised.count == 1)
        // Rest again, and still beyond the limit at rest: the same call.
        for second in 21..<25 {
            #expect(machine.hear(140, at: Double(second)).notices.allSatisfy { $0.repetition > 0 })
        }
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(26))
        _ = machine.hear(80, at: 27)
        let again = (30..<34).flatMap { machine.hear(150, at: Double($0)).notices }
        #expect(again.map(\.repetition) == [0])
    }

    @Test func `alarms again although the settings were changed while it was open`() {
        var machine = House.machine()
        _ = machine.alarmAtTwelve()
        var next = SOSMachine(
            plans: [House.plan(rules: [House.rule(.low, 40), House.rule(.high, 140)])], installed: House.place,
            startingAt: House.at(13))
        _ = next.resume(machine.snapshot, after: .known)
        _ = next.handle(.abort(.theOpenOne, House.act), at: House.at(13.5))
        _ = next.hear(80, at: 14)
        #expect((20..<24).flatMap { next.hear(150, at: Double($0)).notices }.count == 1)
    }
}

@Suite struct `The big button` {
    @Test func `does not take back what somebody has accepted`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: "Operator 7")), at: House.at(20))
        let pressed = machine.handle(.abort(.whatIsOpen(buttonOf: House.maria), House.act), at: House.at(60))
        #expect(pressed.retractions.isEmpty)
        #expect(pressed.refusals == [.nothingOpen])
        #expect(
            machine.handle(.abort(.theOpenOne, House.act), at: House.at(61)).retractions.count == 1,
            "who asks for it in words takes it back")
    }
}

extension `The big button` {
    private func alarmed(_ persons: [PersonID]) -> SOSMachine {
        var machine = House.machine(
            House.plan(House.maria), House.plan(House.giuseppe), House.plan(Self.anna))
        for person in persons {
            for second in [10.0, 11, 12] { _ = machine.hear(150, at: second, of: person) }
        }
        return machine
    }

    private static let anna = PersonID(sample: "anna")
    private static let press = PersonAct(by: "the button of the box", means: .button)
    private static let marias = SOSEvent.abort(.whatIsOpen(buttonOf: House.maria), press)

    @Test func `ends the alarm of its person first where several persons have one`() {
        var machine = alarmed([House.maria, House.giuseppe])
        let first = machine.handle(Self.marias, at: House.at(13))
        #expect(first.endings.count == 1 && first.refusals.isEmpty)
        #expect(machine.openAlarms.map(\.cause.person) == [House.giuseppe])
        _ = machine.handle(Self.marias, at: House.at(14))
        #expect(machine.openAlarms.isEmpty)
    }

    @Test func `ends none of several that are all somebody else's, and says so`() {
        var machine = alarmed([House.giuseppe, Self.anna])
        let pressed = machine.handle(Self.marias, at: House.at(13))
        #expect(pressed == [.refuse(.severalOpen([House.giuseppe, Self.anna], asked: .button))])
        #expect(machine.openAlarms.count == 2)
    }
}

@Suite struct `A button of a wearable that cancels` {
    private static let tag = DeviceID(sample: "tag")
    private static let act = PersonAct(by: "Maria, on tag", means: .wearable)
    private static let cancel = SOSEvent.abort(.openOf(House.maria, pressedOn: tag), act)

    private func press(at seconds: Double, on device: DeviceID = tag) -> SOSEvent {
        .signal(
            WearableSignal(
                id: House.reading(1, at: seconds).id, person: House.maria, device: device, kind: .sosButton,
                arrival: House.moment(seconds)))
    }

    @Test func `ends what is open of its wearer, and says who, where and when`() {
        var machine = House.machine(House.plan(House.maria), House.plan(House.giuseppe))
        for person in [House.maria, House.giuseppe] {
            for second in [10.0, 11, 12] { _ = machine.hear(150, at: second, of: person) }
        }
        let ended = machine.handle(Self.cancel, at: House.at(13))
        #expect(ended.endings == [.aborted(Self.act, at: House.at(13), beforeDispatch: true)])
        #expect(machine.openAlarms.map(\.cause.person) == [House.giuseppe])
        #expect(machine.handle(Self.cancel, at: House.at(14)).refusals == [.nothingOpen])
    }

    @Test func `never ends the alarm that the same press has begun`() {
        var machine = House.machine()
        _ = machine.handle(press(at: 10), at: House.at(10))
        #expect(machine.handle(Self.cancel, at: House.at(10.5)).refusals == [.hasJustCalled])
        #expect(machine.openAlarms.count == 1)
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(11))
        // Of another wearable it is another press.
        _ = machine.handle(press(at: 20, on: DeviceID(sample: "pendant")), at: House.at(20))
        #expect(machine.handle(Self.cancel, at: House.at(20.1)).endings.count == 1)
    }

    @Test func `does not take back what somebody has accepted, nor end what it may not`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: "Operator 7")), at: House.at(20))
        #expect(machine.handle(Self.cancel, at: House.at(60)) == [.refuse(.nothingOpen)])
        let strict = SOSPlan(
            person: House.maria, rules: [House.rule(.high, 131)], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [House.mqtt]), mayEnd: [.button])
        var other = House.machine(strict)
        _ = other.alarmAtTwelve()
        #expect(other.handle(Self.cancel, at: House.at(13)).refusals == [.notAllowed(.wearable)])
    }
}

@Suite struct `What outlives a restart` {
    @Test func `is an accepted alarm, as long as it can be taken back`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(
            .channel(House.mqtt, .accepted(alarm, of: House.maria, by: "Operator 7")), at: House.at(20))
        var next = SOSMachine(plans: [House.plan()], installed: House.place, startingAt: House.at(60))
        let resumed = next.resume(machine.snapshot, after: .known)
        #expect(resumed.orders.isEmpty && resumed.notices.isEmpty)
        #expect(next.handle(.abort(.theOpenOne, House.act), at: House.at(61)).retractions.count == 1)
        _ = machine.advance(to: House.at(4_000))
        #expect(machine.snapshot.watches.allSatisfy { $0.alarms.isEmpty })
    }

    @Test func `is no position that passes for a fresh one, and no exercise, after a power cut`() {
        var machine = House.machine()
        _ = machine.handle(.fix(House.fix(at: 9)), at: House.at(9))
        _ = machine.handle(.exercise(House.maria, until: House.at(3_600)), at: House.at(9))
        let aged = machine.snapshot.withFixAged(at: House.moment(36_009))
        var next = SOSMachine(plans: [House.plan()], installed: House.place, startingAt: House.at(36_009))
        _ = next.resume(aged, after: .unknown)
        var orders: [DispatchOrder] = []
        for second in [36_010.0, 36_011, 36_012, 36_020] { orders += next.hear(150, at: second).orders }
        guard case .lastKnown(_, of: .box, let age)? = orders.first?.location else {
            Issue.record("a last known position was expected, seen \(orders.map(\.location))")
            return
        }
        #expect(age >= .seconds(36_000))
    }
}

@Suite struct `A cancellation that does not get through` {
    @Test func `is tried again there alone, and where the call may have arrived unseen too`() {
        var machine = House.machine(House.plan(channels: [House.mqtt, House.sms]))
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.advance(to: House.at(19.5))
        let abort = machine.handle(.abort(.theOpenOne, House.act), at: House.at(20))
        #expect(abort.retractions.map(\.channels) == [[House.mqtt, House.sms]])
        _ = machine.handle(
            .channel(House.sms, .retractionFailed(alarm, reason: "no line")), at: House.at(21))
        #expect(machine.advance(to: House.at(51)).retractions.map(\.channels) == [[House.sms]])
    }
}
