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
        core.roster.wearables.compactMap { wearable in
            let isSOSButton = wearable.signals.meanings.contains { $0.means == .sosButton }
            let isBroadcaster = wearable.heardBy == .advertising
            guard isSOSButton || isBroadcaster else { return nil }
            return SOSButtonMachine.Button(
                id: wearable.id, address: wearable.address, person: wearable.person, isSOSButton: isSOSButton,
                isBroadcaster: isBroadcaster)
        }
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

/// Begins the press tests that are due and says the requests in the house, and the thanks for a late press.
final class ButtonTestAnnouncer: Sendable {
    private let buttons: SOSButtonSupervision
    private let house: HouseService
    private let alarms: AlarmService

    init(_ buttons: SOSButtonSupervision, house: HouseService, alarms: AlarmService) {
        (self.buttons, self.house, self.alarms) = (buttons, house, alarms)
    }

    /// Judges the buttons and says the words that are due. Call once a second.
    func look(at now: Moment) {
        for word in buttons.look(at: now, personsInAlarm: alarms.openAlarms.owners) {
            switch word {
            case .ask(let device, let person):
                let request = ButtonTest.due(button: buttons.name(of: device, worn: person))
                // Said only once a press is a test.
                alarms.testButtons(of: person, at: now.boot) { [house] refusal in
                    if refusal == nil { house.say(.buttonTest(person, request)) }
                }
            case .thank(let person): house.say(.buttonTest(person, .passed))
            }
        }
    }
}
