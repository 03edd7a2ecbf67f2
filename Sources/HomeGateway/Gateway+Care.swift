import Alarms
import Consent
import ConsentService
import Contract
import GatewayModel
import HomeAssistant
import HouseAlarm
import Hub
import Logging
import OutboxService
import Readings
import RealTime
import SOSLocal
import Settings
import SettingsService
import Synchronization
import Vault

// What is looked after at leisure, once a second, on the "care" thread.
extension Gateway {
    private struct Care: Sendable {
        var voice = SupervisionVoice()
        var power = PowerWatch()
        var supply: PowerSupply?
        var nextPower: BootInstant?
        var settings: SettingsWatch
        var clockSetting: ClockSetting
    }

    /// The last time that was believed, among the marks of the state directory.
    private static let clockMark = "clock"

    /// Mains that are gone are to be told within seconds (T7).
    private static let powerInterval = Duration.seconds(5)

    func makeCaretaker(_ settingsService: SettingsService) throws -> Caretaker {
        let care = Mutex<Care?>(nil)
        return try Caretaker([
            { [self] now in
                care.withLock { care in
                    var current = care ?? beginCare(at: now, settingsService)
                    look(after: &current, at: now, settingsService)
                    checkClock(&current.clockSetting, at: now, isTrusted: consent.expireGrants())
                    consent.applyDecisions()
                    dashboard?.update(at: now.boot)
                    care = current
                }
            }
        ])
    }

    private func beginCare(at now: Moment, _ settingsService: SettingsService) -> Care {
        settingsArchive.keepStart()
        let latest = marks[Self.clockMark].map { WallTime(millisecondsSince1970: $0.sequence) }
        return Care(
            settings: settingsService.makeWatch(),
            clockSetting: ClockSetting(built: Clock.built, latest: latest))
    }

    private func checkClock(_ setting: inout ClockSetting, at now: Moment, isTrusted: Bool) {
        let isSet = setting.isSet(at: now.wall, isSynchronised: isTrusted || Clock.isSynchronised)
        health.set(HealthCondition(.clockNotSet), !isSet)
        if let time = setting.record(at: now, isTrusted: isTrusted) {
            marks.note(Self.clockMark, time.millisecondsSince1970)
        }
    }

    private func look(after care: inout Care, at now: Moment, _ settingsService: SettingsService) {
        if now.boot >= care.nextPower ?? now.boot {
            care.supply = PowerSupply()
            care.nextPower = now.boot.advanced(by: Self.powerInterval)
            tell(care.power.see(care.supply))
            surroundings.look(at: care.supply, settings.gateway.stateDirectory)
            keeper.retry()
        }
        if !settings.personsToHelp(by: gate).isEmpty { help.testChannels(at: now.boot) }
        settingsService.tend(&care.settings, at: now.boot)
        raceTime.look()
        passings.tick(at: now.boot)
        if let told = toldRecords.due(at: now.boot, isAllKept: queue.undurable == 0) { keeper.keep(told) }
        drills.look(at: now)
        let local = LocalTime(now.wall)
        let words = care.voice.see(
            health.conditions, at: now.boot, isAwake: settings.house.wakingHours.contains(local.time))
        for word in words { say(word) }
        let supply = care.supply
        heartbeats.tick(at: now) { heartbeat(at: now.boot, supply) }
    }

    private func tell(_ changes: [HealthChange]) {
        for change in changes { health.set(change.condition, change.holds) }
    }

    private func say(_ word: SupervisionVoice.Word) {
        switch word {
        case .paused(let condition):
            for person in persons(concernedBy: condition) {
                house.say(.supervision(person, isPaused: true))
            }
        case .settings(let condition):
            house.say(.settingsWrong(areEarlierUsed: condition.code == .settingsRefused))
        case .back:
            for person in settings.persons { house.say(.supervision(person.id, isPaused: false)) }
        }
    }

    /// Who wears what a condition is about; everyone where it is about the box.
    private func persons(concernedBy condition: HealthCondition) -> [PersonID] {
        let wearers = roster.wearables.filter { $0.id.text == condition.subject }.map(\.person)
        return wearers.isEmpty ? settings.persons.map(\.id) : wearers
    }

    // MARK: Heartbeat

    private func heartbeat(at now: BootInstant, _ supply: PowerSupply?) -> Heartbeat {
        let wearables = roster.wearables
        let agrees: (PersonID) -> Bool = { [gate] in gate.holds(.dataPolicy, for: $0) }
        return Heartbeat(
            uptime: started.duration(to: now),
            conditions: HealthCondition.leaving(health.conditions, of: wearables, agrees: agrees),
            openAlarms: alarmRecords.open.count, unsent: queue.count,
            wearables: wearables.filter { agrees($0.person) }.map {
                Heartbeat.Wearable(
                    device: $0.id, person: $0.person, lastReadingAge: lastReadings.age(of: $0.id, at: now))
            },
            power: supply.map {
                Heartbeat.Power(hasMains: $0.hasMains, batteryPercent: $0.batteryPercent)
            })
    }
}
