import Alarms
import ControlContract
import GatewayModel
import HouseAlarm
import Hub
import Logging
package import OutboxService
package import Readings
import RealTime
import SOSLocal
import Settings
import Synchronization
import Vault

/// SOS buttons and broadcasters of the house with their conditions and their rows in `state.sqlite`. From any thread.
package final class SOSButtonSupervision: Sendable {
    /// Shortest window in which a wearer who was asked for a press can cancel the alarm. Below it nobody is asked aloud:
    /// the test would call help.
    package static let shortestWindow = Duration.seconds(10)

    private let machine: Mutex<SOSButtonMachine>
    private let core: GatewayCore

    /// Restores the records of the last run. Where they cannot be read, each test begins anew. Blocking I/O.
    package init(_ core: GatewayCore, broadcasters: BroadcasterState) {
        var records: [SOSButtonRecord] = []
        do throws(DiskFailure) {
            records = try core.database.rows(of: .sosButton).compactMap { $0.decoded() }
        } catch {
            core.log.error(
                "the life signs of the SOS buttons cannot be restored", metadata: ["reason": "\(error)"])
        }
        machine = Mutex(
            SOSButtonMachine(
                Self.buttons(core), records: records, known: Set(broadcasters.memories.map(\.device)),
                at: Clock.boot()))
        self.core = core
    }

    /// Applies a report about a wearable, on the thread that received it.
    func note(_ event: (inout SOSButtonMachine) -> Void) {
        machine.withLock { event(&$0) }
    }

    /// Judges the buttons, sets their conditions and keeps their rows. About once a second.
    ///
    /// - Returns: the words that are due.
    func look(at now: Moment, personsInAlarm: Set<PersonID>) -> [SOSButtonMachine.Word] {
        let (settings, buttons) = (core.settings(), Self.buttons(core))
        let situation = SOSButtonMachine.Situation(
            now: now, interval: settings.sos.buttonTests,
            isClockSet: !core.health.conditions.contains(HealthCondition(.clockNotSet)),
            isAwake: settings.house.wakingHours.contains(LocalTime(now.wall).time),
            personsInAlarm: personsInAlarm)
        let (replaced, judged) = machine.withLock { machine in
            let replaced = machine.replace(buttons, at: now.boot)
            return (replaced, machine.tick(situation))
        }
        for change in replaced.changes + judged.changes { set(change, settings.persons) }
        core.writer.put(replaced.rows + judged.rows)
        return judged.words
    }

    /// Name of a button in a sentence; nil where the person has no other.
    func name(of device: DeviceID, worn person: PersonID) -> String? {
        let worn = machine.withLock { $0.states(interval: nil) }.filter {
            $0.button.person == person && $0.button.isSOSButton
        }
        return worn.count > 1 ? device.text : nil
    }

    /// Whether the wearer of a button may be asked aloud for a press.
    func mayAsk(for device: String?) -> Bool {
        Self.buttons(core).contains { $0.id.text == device && $0.mayAsk }
    }

    func keepState() {
        core.writer.put(machine.withLock { $0.unsavedRows() })
    }

    private func set(_ change: HealthChange, _ persons: [GatewaySettings.Person]) {
        let isNews = core.health.set(change.condition, change.holds)
        guard isNews, change.holds,
            let state = states.first(where: { $0.button.id.text == change.condition.subject })
        else { return }
        let name = persons.first { $0.id == state.button.person }?.profile.name ?? state.button.person.text
        core.health.explain(
            change.condition, "worn by \(name), last pressed \(state.record.pressed?.inHouse ?? "never")")
    }

    private var states: [SOSButtonMachine.State] {
        let interval = core.settings().sos.buttonTests
        return machine.withLock { $0.states(interval: interval) }
    }

    private static func buttons(_ core: GatewayCore) -> [SOSButtonMachine.Button] {
        let (settings, wearables) = (core.settings(), core.roster.wearables)
        return wearables.compactMap { wearable in
            let isSOSButton = wearable.signals.meanings.contains { $0.means == .sosButton }
            let isBroadcaster = wearable.heardBy == .advertising
            guard isSOSButton || isBroadcaster else { return nil }
            let person = settings.persons.first { $0.id == wearable.person }
            return SOSButtonMachine.Button(
                id: wearable.id, address: wearable.address, person: wearable.person, isSOSButton: isSOSButton,
                isBroadcaster: isBroadcaster,
                mayAsk: person.map { mayAsk($0, wearables, settings.house.button) } ?? false)
        }
    }

    /// Whether a person can cancel the alarm of a test before it calls help, at a button in the house or on a wearable.
    private static func mayAsk(
        _ person: GatewaySettings.Person, _ wearables: [GatewaySettings.Wearable],
        _ button: GatewaySettings.House.Button?
    ) -> Bool {
        let ways = CancelWays(of: person, wearables: wearables, button: button).ways
        return person.plan.windows[.button] >= shortestWindow && ways.contains { $0 != .commandLine }
    }

    // MARK: Status

    /// For `homegateway status`.
    var lines: [String] {
        states.map { state in
            let record = state.record
            let kind = state.button.isSOSButton ? "SOS button" : "broadcaster"
            let heard = record.heard.map { "last heard \($0.inHouse)" } ?? "never heard"
            let pressed = record.pressed.map { ", last pressed \($0.inHouse)" } ?? ", never pressed"
            let battery = record.battery.map { ", battery \($0) %" } ?? ""
            let due = state.due.map { ", press test due \($0.inHouse)" } ?? ", no press test"
            return "\(kind) \(state.button.id) of \(state.button.person): \(heard)"
                + (state.button.isSOSButton ? pressed + battery + due : battery)
        }
    }

    /// For programs.
    var rows: [SOSButtonRow] {
        states.map { state in
            SOSButtonRow(
                device: state.button.id.text, person: state.button.person.text,
                callsHelp: state.button.isSOSButton, lastHeard: state.record.heard?.millisecondsSince1970,
                lastPressed: state.record.pressed?.millisecondsSince1970, battery: state.record.battery,
                testDue: state.due?.millisecondsSince1970, isTestMissed: state.isMissed)
        }
    }
}

/// Says the requests of the press tests in the house, and the thanks for a press.
final class ButtonTestAnnouncer: Sendable {
    private let buttons: SOSButtonSupervision
    private let house: HouseService
    private let openAlarms: OpenAlarms

    init(_ buttons: SOSButtonSupervision, house: HouseService, openAlarms: OpenAlarms) {
        (self.buttons, self.house, self.openAlarms) = (buttons, house, openAlarms)
    }

    /// Judges the buttons and says the words that are due. Call once a second.
    func look(at now: Moment) {
        for word in buttons.look(at: now, personsInAlarm: openAlarms.owners) {
            switch word {
            case .ask(let device, let person):
                house.say(.buttonTest(person, .due(button: buttons.name(of: device, worn: person))))
            case .thank(let person): house.say(.buttonTest(person, .passed))
            }
        }
    }
}
