import Alarms
import Consent
import Contract
import GatewayModel
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
        var clock: ClockTrust.Look?
        var settings: SettingsWatch
        var clockSetting: ClockSetting
    }

    /// The last time that was believed, among the marks of the state directory.
    private static let clockMark = "clock"

    /// Mains that are gone are to be told within seconds (T7).
    private static let powerInterval = Duration.seconds(5)

    func makeCaretaker(_ settingsService: SettingsService) throws -> ThreadService {
        let care = Mutex<Care?>(nil)
        let caretaker = try Caretaker { [self] now in
            care.withLock { care in
                var current = care ?? beginCare(at: now, settingsService)
                look(after: &current, at: now, settingsService)
                endGrants(&current)
                checkClock(&current.clockSetting, at: now, isTrusted: current.clock?.isTrusted ?? false)
                applyConsent()
                lookAfterDashboard(at: now.boot)
                care = current
            }
        }
        return ThreadService(run: caretaker.run, stop: caretaker.stop)
    }

    /// Ends the grants whose time is over, by a clock that is believed. When it comes to be, what was kept for want of
    /// one is deleted or sent.
    private func endGrants(_ care: inout Care) {
        let look = clockTrust.look()
        expireGrants(at: look.wall, isTimeSure: look.isTrusted)
        if let before = care.clock, (before.isTrusted, before.steps) != (look.isTrusted, look.steps) {
            if look.isTrusted, isAnyGrantTimed { outbox.purge { _ in } }
            queue.offerAgain()
        }
        care.clock = look
    }

    /// To look for what is to be deleted takes a walk through all that waits.
    private var isAnyGrantTimed: Bool {
        gate.snapshot.requests.values.compactMap(\.grant).contains {
            $0.request.from != nil || $0.request.until != nil
        }
    }

    private func beginCare(at now: Moment, _ settingsService: SettingsService) -> Care {
        let records = earlierRecords()
        for person in DrillBook.failed(in: records) {
            health.set(HealthCondition(.drillFailed, subject: person), true)
        }
        if let plan = settings.sos.drill { rota.plan(schedules(plan, after: records, at: now)) }
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

    private func schedules(
        _ plan: GatewaySettings.DrillPlan, after records: [AlarmRecord], at now: Moment
    ) -> [PersonID: DrillSchedule] {
        var schedules: [PersonID: DrillSchedule] = [:]
        for person in settings.persons.map(\.id) {
            // The newest first, as the journal gives them.
            let last = records.first { $0.isDrill && $0.person == person.text }
            let time = last.flatMap { AlarmID($0.id)?.message.wall }.map { LocalTime($0) }
            schedules[person] = DrillSchedule(plan, last: time, now: LocalTime(now.wall))
        }
        return schedules
    }

    private func earlierRecords() -> [AlarmRecord] {
        do throws(DiskFailure) {
            let (records, unreadable) = try AlarmJournal(of: settings.gateway).load()
            if unreadable > 0 {
                damage.report(.alarmJournal, because: "\(unreadable) lines cannot be read")
            }
            return records
        } catch {
            log.error("the alarm journal cannot be read", metadata: ["reason": "\(error)"])
            return []
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
        if !personsToHelp.isEmpty { ways.tick(at: now.boot) }
        settingsService.tend(&care.settings, at: now.boot)
        raceTime.look()
        passings.tick(at: now.boot)
        if let told = toldRecords.due(at: now.boot, isAllKept: queue.undurable == 0) { keeper.keep(told) }
        for result in drills.take() { record(result) }
        let local = LocalTime(now.wall)
        for person in rota.due(among: personsToHelp, at: local) { holdDrill(of: person, at: now) }
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
                annunciator.say(.supervision(person, isPaused: true))
            }
        case .settings(let condition):
            annunciator.say(.settingsWrong(areEarlierUsed: condition.code == .settingsRefused))
        case .back:
            for person in settings.persons { annunciator.say(.supervision(person.id, isPaused: false)) }
        }
    }

    /// Who wears what a condition is about; everyone where it is about the box.
    private func persons(concernedBy condition: HealthCondition) -> [PersonID] {
        let wearers = roster.wearables.filter { $0.id.text == condition.subject }.map(\.person)
        return wearers.isEmpty ? settings.persons.map(\.id) : wearers
    }

    // MARK: Drills

    private var personsToHelp: [PersonID] {
        settings.persons.map(\.id).filter { gate.holds(.automatedSOS, for: $0) }
    }

    private func holdDrill(of person: PersonID, at now: Moment) {
        let drill = Drill(
            id: .random(at: now.wall), person: person, act: PersonAct(by: "the schedule", means: .gateway),
            arrival: now)
        inbox.ask(.drill(drill), at: now.boot) { [rota, log] actions in
            guard let refusal = rota.answered(person, actions, at: LocalTime(now.wall)) else { return }
            log.warning("a drill is postponed", metadata: ["reason": "\(refusal.inWords)"])
        }
    }

    private func record(_ result: DrillBook.Result) {
        log.log(
            level: result.answeredAfter == nil ? .warning : .notice, "a drill is over",
            metadata: [
                "answered_after_ms": "\(result.answeredAfter.map { "\($0.wholeMilliseconds)" } ?? "never")"
            ])
        tell([result.change])
    }

    // MARK: Heartbeat

    private func heartbeat(at now: BootInstant, _ supply: PowerSupply?) -> Heartbeat {
        let wearables = roster.wearables
        let agrees: (PersonID) -> Bool = { [gate] in gate.holds(.dataPolicy, for: $0) }
        return Heartbeat(
            uptime: started.duration(to: now),
            conditions: HealthCondition.leaving(health.conditions, of: wearables, agrees: agrees),
            openAlarms: openAlarms.count, unsent: queue.count,
            wearables: wearables.filter { agrees($0.person) }.map {
                Heartbeat.Wearable(
                    device: $0.id, person: $0.person, lastReadingAge: lastReadings.age(of: $0.id, at: now))
            },
            power: supply.map {
                Heartbeat.Power(hasMains: $0.hasMains, batteryPercent: $0.batteryPercent)
            })
    }
}
