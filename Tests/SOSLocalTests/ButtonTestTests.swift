import GatewayModel
import ModelSamples
import SOSLocal
import Testing

@Suite struct `The test of a help button` {
    private static let pendant = DeviceID(sample: "pendant")
    private static let page = PersonAct(by: "Anna", means: .page)

    private func signal(
        at seconds: Double, on device: DeviceID = pendant, of person: PersonID = House.maria,
        kind: WearableSignal.Kind = .sosButton, by name: String? = nil
    ) -> WearableSignal {
        WearableSignal(
            id: House.reading(1, at: seconds).id, person: person, device: device, kind: kind,
            arrival: House.moment(seconds), by: name)
    }

    private func press(_ machine: inout SOSMachine, at seconds: Double, on device: DeviceID = pendant)
        -> [SOSAction]
    {
        machine.handle(.signal(signal(at: seconds, on: device)), at: House.at(seconds))
    }

    /// A test of two minutes that begins at 10 s.
    private func testing(_ plans: SOSPlan...) -> SOSMachine {
        var machine = SOSMachine(
            plans: plans.isEmpty ? [House.plan()] : plans, installed: House.place, startingAt: House.at(0))
        let begun = machine.handle(.testButtons(House.maria, until: House.at(130)), at: House.at(10))
        #expect(begun == [.noteButtonTest(House.maria, isOn: true)])
        return machine
    }

    @Test func `sends the first press as a drill that names the button, once, and asks nobody for an answer`() {
        var machine = testing()
        let pressed = press(&machine, at: 60)
        #expect(pressed.notices.map(\.cause.isDrill) == [true])
        #expect(pressed.notices.first?.cause.isButtonTest == true)
        #expect(pressed.notices.first?.cause.device == Self.pendant)
        let orders = machine.advance(to: House.at(62.5)).orders
        #expect(orders.map(\.isDrill) == [true])
        let over = machine.advance(to: House.at(92.5))
        #expect(over.orders.isEmpty && over.endings.map(\.word) == ["lapsed"])
        #expect(machine.openAlarms.isEmpty)
    }

    @Test func `takes several reports of one press for one, and a second press for a call for help`() {
        var machine = testing()
        _ = press(&machine, at: 60)
        #expect(press(&machine, at: 60.6).isEmpty)
        let second = press(&machine, at: 64)
        #expect(second.notices.map(\.cause.name) == ["sos-button"])
        #expect(machine.openAlarms.map(\.cause.isDrill) == [false], "it ends the test")
    }

    @Test func `has a first press of each button`() {
        var machine = testing()
        _ = press(&machine, at: 60)
        let other = press(&machine, at: 70, on: DeviceID(sample: "wrist"))
        #expect(other.notices.map(\.cause.isDrill) == [true])
    }

    @Test func `is over after its time, which is told, and a press calls for help then`() {
        var machine = testing()
        #expect(machine.advance(to: House.at(129.9)).isEmpty)
        #expect(machine.advance(to: House.at(130)) == [.noteButtonTest(House.maria, isOn: false)])
        #expect(press(&machine, at: 130.1).notices.map(\.cause.name) == ["sos-button"])
    }

    @Test func `is over as soon as an alarm of anybody begins`() {
        var machine = testing(House.plan(), House.plan(House.giuseppe))
        let fall = signal(at: 20, of: House.giuseppe, kind: .fall)
        _ = machine.handle(.signal(fall), at: House.at(20))
        #expect(press(&machine, at: 30).notices.map(\.cause.name) == ["sos-button"])
    }

    @Test func `is refused while an emergency is open`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        let refused = machine.handle(.testButtons(House.maria, until: House.at(130)), at: House.at(13))
        #expect(refused == [.refuse(.emergencyOpen(alarm))])
        #expect(press(&machine, at: 14).notices.map(\.cause.name) == ["sos-button"])
    }

    @Test func `is of one person, and no call for help on a page`() {
        var machine = testing(House.plan(), House.plan(House.giuseppe))
        let call = SOSEvent.callHelp(signal(at: 20, on: .housePage, by: "Anna"), Self.page)
        #expect(machine.handle(call, at: House.at(20)).notices.map(\.cause.name) == ["sos-button"])
        machine = testing(House.plan(), House.plan(House.giuseppe))
        let others = machine.handle(.signal(signal(at: 20, of: House.giuseppe)), at: House.at(20))
        #expect(others.notices.map(\.cause.name) == ["sos-button"])
    }

    @Test func `does not outlast a restart`() {
        let machine = testing()
        var next = House.machine()
        _ = next.resume(machine.snapshot, after: .known)
        #expect(press(&next, at: 60).notices.map(\.cause.name) == ["sos-button"])
    }
}
