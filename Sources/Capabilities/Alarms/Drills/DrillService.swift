import ControlContract
import GatewayModel
import Hub
import Logging
import RealTime
import SOSLocal
import Settings
import Synchronization
import Vault

/// Drills: those that the house holds by itself at the times of the settings, those that a person asks for, and how they
/// ended. From any thread.
final class DrillService: Sendable {
    private let schedule = DrillRota()
    private let results = DrillResults()
    private let isPlanned = Mutex(false)
    private let settings: GatewaySettings
    private let personsToHelp: @Sendable () -> [PersonID]
    private let readRecords: @Sendable ([AlarmRecord]) -> Void
    private let inbox: SOSInbox
    private let damage: StateDamage
    private var health: HealthBoard { damage.health }
    private var log: Logger { damage.log }

    /// - Parameters:
    ///   - settings: settings of the start: the plan of the drills, and the state directory.
    ///   - readRecords: gets the records of earlier runs, which are read once.
    ///   - personsToHelp: returns the persons who may be called for now.
    init(
        _ settings: GatewaySettings, inbox: SOSInbox, damage: StateDamage,
        readRecords: @escaping @Sendable ([AlarmRecord]) -> Void,
        personsToHelp: @escaping @Sendable () -> [PersonID]
    ) {
        (self.settings, self.inbox, self.damage) = (settings, inbox, damage)
        (self.readRecords, self.personsToHelp) = (readRecords, personsToHelp)
    }

    /// Records the course of a drill. On the SOS thread, at once.
    func note(_ alarm: Alarm, besides open: OpenAlarms) {
        guard alarm.cause.isDrill, !alarm.cause.isButtonTest else { return }
        schedule.note(alarm)
        results.note(alarm, besides: open)
    }

    /// Reports drills that are over, and begins those that are due. Call once a second, on a thread that may wait for a
    /// disk.
    func look(at now: Moment) {
        isPlanned.withLock { isPlanned in
            guard !isPlanned else { return }
            isPlanned = true
            plan(at: now)
        }
        for result in results.take() { report(result) }
        if let person = schedule.due(among: personsToHelp(), at: LocalTime(now.wall)) {
            begin(of: person, at: now)
        }
    }

    private func plan(at now: Moment) {
        let records = earlierRecords()
        readRecords(records)
        for person in DrillResults.failed(in: records) {
            health.set(HealthCondition(.drillFailed, subject: person), true)
        }
        guard let plan = settings.sos.drill else { return }
        var schedules: [PersonID: DrillSchedule] = [:]
        for person in settings.persons.map(\.id) {
            // The newest first.
            let last = records.first { $0.isRehearsal && $0.person == person.text }
            let time = last.flatMap { AlarmID($0.id)?.message.wall }.map { LocalTime($0) }
            schedules[person] = DrillSchedule(plan, last: time, now: LocalTime(now.wall))
        }
        schedule.plan(schedules)
    }

    private func earlierRecords() -> [AlarmRecord] {
        do throws(DiskFailure) {
            // A connection of its own: it waits for no write of another thread.
            let reader = StateReader(in: settings.gateway.stateDirectory)
            let (rows, unreadable) = try reader.rows(of: .alarmRecord)
            if unreadable > 0 {
                damage.report(.state, because: "\(unreadable) records of alarms cannot be read")
            }
            return AlarmRecord.sorted(rows)
        } catch {
            log.error("the records of alarms cannot be read", metadata: ["reason": "\(error)"])
            return []
        }
    }

    private func begin(of person: PersonID, at now: Moment) {
        let drill = Drill(
            id: .random(at: now.wall), person: person, act: PersonAct(by: "the schedule", means: .gateway),
            arrival: now)
        inbox.ask(.drill(drill), at: now.boot) { [schedule, log] actions in
            guard let refusal = schedule.answered(person, actions, at: LocalTime(now.wall)) else { return }
            log.warning("a drill is postponed", metadata: ["reason": "\(refusal.inWords)"])
        }
    }

    private func report(_ result: DrillResults.Result) {
        log.log(
            level: result.answeredAfter == nil ? .warning : .notice, "a drill is over",
            metadata: [
                "answered_after_ms": "\(result.answeredAfter.map { "\($0.wholeMilliseconds)" } ?? "never")"
            ])
        health.set(result.change.condition, result.change.holds)
    }

    /// Begins the drill that a person asks for. On the control thread.
    func begin(_ request: Verb.Drill, _ reply: ControlAnswer<NoDocument>) {
        let now = Clock.moment()
        let act = PersonAct(by: request.caller.name, means: request.caller.means)
        let drill = Drill(id: .random(at: now.wall), person: request.person, act: act, arrival: now)
        inbox.ask(.drill(drill), at: now.boot) { actions in
            if let refusal = actions.refusal { return reply(.refused(refusal.inWords, RefusalCode(refusal))) }
            let isRaised = actions.contains { if case .annunciate = $0 { true } else { false } }
            reply(
                isRaised
                    ? .done(
                        "the drill has begun: watch it with homegateway watch, end it with homegateway abort")
                    : .refused(
                        "a drill of this person goes on already: homegateway abort ends it", .drillUnderWay))
        }
    }

    /// Lines of `homegateway status`.
    var statusLines: [String] { schedule.lines }
}
