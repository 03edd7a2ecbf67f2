import GatewayModel
import HomeGateway
import HouseAlarm
import Hub
import ModelSamples
import RealTime
import SOSLocal
import Samples
import Testing

@testable import Alarms

/// Beside a real machine, without threads.
@Suite struct `The button of the box` {
    private let inbox: SOSInbox
    private let button: BoxButton
    private var machine: SOSMachine

    init() throws {
        inbox = try SOSInbox()
        button = BoxButton(of: Sample.maria, inbox: inbox)
        let plan = SOSPlan(
            person: Sample.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(30)),
            ways: EscalationPlan(channels: [MQTTChannel.id]))
        machine = SOSMachine(
            plans: [plan], installed: InstalledPlace(address: "x", coordinates: nil),
            startingAt: Sample.moment(0).boot)
    }

    /// The button's thread tells, and the SOS thread takes what is in its inbox until there is nothing more.
    private mutating func use(
        _ kind: ButtonPress.Kind, began: Double, at seconds: Double
    ) -> [SOSEvent] {
        let now = Sample.moment(seconds).boot
        button.used(ButtonPress(kind: kind, began: Sample.moment(began).boot, instant: now))
        var events: [SOSEvent] = []
        while case let items = inbox.mailbox.take().values.map(\.item), !items.isEmpty {
            for item in items {
                switch item {
                case .event(let event):
                    events.append(event)
                    _ = machine.handle(event, at: now)
                case .request(let event, let reply):
                    events.append(event)
                    reply(machine.handle(event, at: now))
                case .inspection(let reply): reply(machine.openAlarms)
                case .stop: break
                }
            }
        }
        return events
    }

    private mutating func fall(at seconds: Double) {
        let signal = WearableSignal(
            id: Sample.id(Int(seconds)), person: Sample.maria, device: DeviceID(sample: "tag"), kind: .fall,
            arrival: Sample.moment(seconds))
        _ = machine.handle(.signal(signal), at: Sample.moment(seconds).boot)
    }

    @Test mutating func `cancels the open alarm as it is pressed`() {
        fall(at: 1)
        let wasOpen = machine.openAlarms.count
        let events = use(.pressed, began: 2, at: 2)
        #expect(wasOpen == 1)
        #expect(
            events == [
                .abort(
                    .whatIsOpen(buttonOf: Sample.maria), PersonAct(by: "the button of the box", means: .button))
            ])
        #expect(machine.openAlarms.isEmpty)
    }

    @Test mutating func `takes a second press right after one that cancelled for the same finger`() {
        fall(at: 1)
        _ = use(.pressed, began: 2, at: 2)
        fall(at: 3)
        let nervous = use(.pressed, began: 3.5, at: 3.5)
        #expect(nervous.isEmpty && machine.openAlarms.count == 1)
        _ = use(.pressed, began: 4, at: 4)
        #expect(machine.openAlarms.isEmpty)
    }

    @Test mutating func `calls help for its person when it is held and no alarm is open`() {
        _ = use(.pressed, began: 1, at: 1)
        let events = use(.held, began: 1, at: 4)
        guard case .signal(let signal)? = events.first else {
            Issue.record("no call: \(events)")
            return
        }
        #expect(signal.person == Sample.maria && signal.kind == .sosButton)
        #expect(signal.arrival.boot == Sample.moment(4).boot)
        #expect(machine.openAlarms.count == 1)
    }

    @Test mutating func `calls nobody where the press that is held has just cancelled`() {
        fall(at: 1)
        _ = use(.pressed, began: 2, at: 2)
        let held = use(.held, began: 2, at: 5)
        #expect(held.isEmpty && machine.openAlarms.isEmpty)
        _ = use(.pressed, began: 7, at: 7)
        let again = use(.held, began: 7, at: 10)
        #expect(again.count == 1 && machine.openAlarms.count == 1)
    }

    @Test mutating func `calls nobody anew while an alarm is open that it may not cancel`() {
        let plan = SOSPlan(
            person: Sample.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(30)),
            ways: EscalationPlan(channels: [MQTTChannel.id]), mayEnd: [.commandLine])
        machine = SOSMachine(
            plans: [plan], installed: InstalledPlace(address: "x", coordinates: nil),
            startingAt: Sample.moment(0).boot)
        fall(at: 1)
        _ = use(.pressed, began: 2, at: 2)
        let held = use(.held, began: 2, at: 5)
        #expect(held.isEmpty && machine.openAlarms.count == 1)
    }
}
