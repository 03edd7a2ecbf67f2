import GatewayModel
import ModelSamples
import SOSLocal
import Testing

/// A person in fear presses the same button again and again.
@Suite struct `A press after a call for help` {
    private static let tag = DeviceID(sample: "tag")
    private static let act = PersonAct(by: "Maria, on tag", means: .wearable)
    private static let cancel = SOSEvent.abort(.openOf(House.maria, pressedOn: tag), act)
    private static let box = SOSEvent.abort(
        .whatIsOpen(buttonOf: House.maria), PersonAct(by: "the button of the box", means: .button))

    private func call(at seconds: Double, on device: DeviceID = tag) -> SOSEvent {
        .signal(
            WearableSignal(
                id: House.reading(1, at: seconds).id, person: House.maria, device: device, kind: .sosButton,
                arrival: House.moment(seconds)))
    }

    /// Help is called by the tag at 10 s.
    private func called(window: Duration = .seconds(2)) -> (machine: SOSMachine, alarm: AlarmID) {
        var machine = House.machine(House.plan(window: window))
        let raised = machine.handle(call(at: 10), at: House.at(10))
        return (machine, raised.notices[0].alarm)
    }

    private func arrived() -> (machine: SOSMachine, alarm: AlarmID) {
        var (machine, alarm) = called()
        _ = machine.advance(to: House.at(12))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(12.2))
        return (machine, alarm)
    }

    @Test func `on the button that called cancels nothing for ten seconds`() {
        var (machine, _) = called(window: .seconds(30))
        for second in [10.5, 11, 14, 19.9] {
            #expect(machine.handle(Self.cancel, at: House.at(second)).refusals == [.hasJustCalled])
        }
        #expect(machine.openAlarms.count == 1)
        #expect(machine.handle(Self.cancel, at: House.at(20)).endings.count == 1)
    }

    @Test func `on the button of the box that called by a hold cancels nothing for ten seconds`() {
        var machine = House.machine(House.plan(window: .seconds(30)))
        _ = machine.handle(call(at: 10, on: .houseButton), at: House.at(10))
        #expect(machine.handle(Self.box, at: House.at(19)).refusals == [.hasJustCalled])
        #expect(machine.handle(Self.box, at: House.at(20)).endings.count == 1)
    }

    @Test func `on another button cancels at once while the call has not arrived`() {
        var (machine, _) = called()
        #expect(machine.handle(Self.box, at: House.at(11)).endings.count == 1)
    }

    @Test func `on any button ends nothing once the call has arrived, and its recipients are told, once`()
        throws
    {
        for press in [Self.cancel, Self.box] {
            var (machine, alarm) = arrived()
            let pressed = machine.handle(press, at: House.at(25))
            #expect(pressed.endings.isEmpty && pressed.retractions.isEmpty && pressed.refusals.isEmpty)
            let order = try #require(pressed.orders.first)
            #expect(order.alarm == alarm && order.channels == [House.mqtt] && order.stage == .confirmed)
            #expect(order.round == 2, "a message of its own")
            #expect(order.saidAllRight?.at == House.at(25))
            #expect(machine.openAlarms.map(\.saidAllRight?.at) == [House.at(25)])
            #expect(machine.handle(press, at: House.at(26)).orders.isEmpty, "once")
            // The call goes on, with what was said.
            _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(26.5))
            let repeated = machine.advance(to: House.at(55)).orders
            #expect(repeated.map(\.round) == [3] && repeated[0].saidAllRight != nil)
        }
    }

    @Test func `leaves an alarm of the house beside the call as it is`() {
        var (machine, _) = arrived()
        for second in [13.0, 14, 15] { _ = machine.hear(150, at: second) }
        #expect(machine.openAlarms.count == 2)
        #expect(machine.handle(Self.cancel, at: House.at(25)).endings.isEmpty)
        #expect(machine.openAlarms.count == 2)
    }

    @Test func `does not hinder a screen, a terminal or the recipients of the call`() {
        for means in [PersonAct.Means.screen, .commandLine, .console, .page, .command] {
            var (machine, alarm) = arrived()
            _ = machine.handle(Self.cancel, at: House.at(25))
            let ended = machine.handle(
                .abort(.alarm(alarm), PersonAct(by: "Anna", means: means)), at: House.at(26))
            #expect(ended.endings.count == 1 && ended.retractions.count == 1)
        }
    }

    @Test func `ends an alarm that the house raised by itself, also after the call has arrived`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        #expect(machine.handle(Self.cancel, at: House.at(16)).endings.count == 1)
    }

    @Test func `is remembered over a restart`() throws {
        var (machine, _) = arrived()
        _ = machine.handle(Self.cancel, at: House.at(25))
        var next = House.machine(House.plan(window: .seconds(2)))
        _ = next.resume(machine.snapshot, after: .known)
        #expect(next.openAlarms.first?.saidAllRight?.by == Self.act)
    }
}
