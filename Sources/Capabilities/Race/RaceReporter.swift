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
import RunBeacon
import SOSLocal
import Settings
import SettingsReading
import Vault
import WireFormats

/// Hands the results of the race to the other parts: passings and positions to the feed and the outbox, conditions to the
/// health board, the runs of residents to the alarm rules. From any thread.
struct RaceReporter: Sendable {
    let intake: RaceIntake
    /// Persons of the house.
    let residents: Set<PersonID>
    let adverts: AdvertSelection
    let followed: FollowedPersons
    let house: HouseService
    let sos: SOSInbox
    let outbox: OutboxWriter
    let core: GatewayCore

    private var damage: StateDamage { core.damage }
    private var health: HealthBoard { core.health }
    private var log: Logger { core.log }

    // MARK: Runs

    /// Reports of the store of runs, on the thread of the change.
    var storeReports: RunStore.Reports {
        RunStore.Reports(
            damage: { damage.report(.runs, $0) },
            disk: { failure in
                let isNews = health.set(HealthCondition(.storageUnavailable, subject: "runs"), failure != nil)
                if isNews, let failure {
                    log.error("the disk does not keep runs", metadata: ["reason": "\(failure)"])
                }
            },
            files: { errors in
                health.set(HealthCondition(.runFilesWrong), !errors.isEmpty)
                for line in errors.flatMap(\.lines) {
                    log.error("a run file is not taken", metadata: ["reason": "\(line)"])
                }
            })
    }

    /// Follows a change of the runs. A runner who has left is in no message from here on, before this returns.
    func follow(_ catalog: RunCatalog) {
        core.gate.enrol(Enrolments(catalog.enrolments))
        intake.inbox.put(.runs(catalog))
        outbox.purge(open: nil) { _ in }
        let isNews = health.set(HealthCondition(.runsDoubtful), !catalog.warnings.isEmpty)
        guard isNews else { return }
        for warning in catalog.warnings {
            log.warning("runs are doubtful", metadata: ["reason": "\(warning)"])
        }
    }

    // MARK: Passings

    /// Reports a passing, which is durable by now where the disk takes it. On the thread "passings".
    func report(_ passing: Passing) {
        core.feed.put(.passing(passing, at: Clock.moment()))
        send(passing)
    }

    private func send(_ passing: Passing) {
        guard let cleared = try? core.gate.clear(Envelope.passing(passing, topics: core.topics)) else { return }
        core.queue.enqueue(cleared)
    }

    func report(_ state: PassingRecorder.Health) {
        let condition = HealthCondition(.passingLogUnavailable)
        switch state {
        case .written: health.set(condition, false)
        case .failing(let reason):
            health.set(condition, true)
            log.error("passings cannot be written down", metadata: ["reason": "\(reason)"])
        }
    }

    /// Takes over the passings of an earlier run of the program from the log. On the thread "passings".
    func recall(_ memory: PassingRecorder.Memory) {
        if let report = memory.opened { restore(report) }
        if !memory.runs.isEmpty { intake.inbox.put(.recalled(memory.records, of: memory.runs)) }
    }

    private func restore(_ report: PassingReport) {
        if !report.flaws.isEmpty {
            let flaws = report.flaws.prefix(3).map(\.description).joined(separator: "; ")
            damage.report(.passings, because: "\(report.flaws.count) flaws: \(flaws)")
        }
        let boot = Boot.id()
        if let mark = report.marks[boot]?.last { intake.time.restore(mark) }
        intake.inbox.put(.logged(report.loggedTime(in: boot)))
        // Passings that may not have reached the outbox when the gateway ended. One that had may be sent twice, under one id.
        for unsure in report.unsure { send(unsure.passing) }
    }

    // MARK: Race thread

    /// - Parameter recorder: log of the passings and of the clock.
    func loopReports(_ recorder: PassingRecorder) -> RaceLoop.Reports {
        RaceLoop.Reports(
            keep: { recorder.keep($0) },
            listens: { adverts.setTagRules($0) },
            holds: { health.set($0, $1) },
            heard: { house.outputs.tagHeard() },
            dropped: {
                log.warning("adverts of tags came faster than they were looked at", metadata: ["lost": "\($0)"])
            },
            overdue: { core.feed.put(.overdue($0, at: Clock.moment())) },
            clock: { recorder.note(.clock($0)) },
            turned: { runs in
                recorder.recall(Set(runs))
                log.notice(
                    "runs underway", metadata: ["runs": "\(runs.map(\.text).joined(separator: " "))"])
            },
            ownRuns: reportOwnRuns,
            positions: PositionPublisher.Reports(
                wants: follow,
                tell: report,
                refused: { counts in
                    log.info(
                        "positions of runners are not used",
                        metadata: ["since_start": "\(PositionTable.words(on: counts))"])
                }))
    }

    /// Participants may be persons of another box. The rules are told of each resident without a run, too, for the alarm may
    /// know of an earlier one.
    private func reportOwnRuns(_ ends: [PersonID: BootInstant]) {
        let now = Clock.boot()
        for person in residents { sos.submit(.ownRun(person, until: ends[person]), at: now) }
        log.notice("runs of persons of the house", metadata: ["underway": "\(ends.count)"])
    }

    private func follow(_ bearers: Set<PositionBearer>) {
        intake.replaceBearers(bearers)
        followed.setRunners(
            Set(bearers.compactMap { if case .person(let person) = $0 { person } else { nil } }))
    }

    /// Reports the position of a runner. One that has left in the meantime is not covered by consent.
    private func report(_ owner: Enrolment, at position: RunnerPosition) {
        let id = MessageID.random(at: position.arrival.wall)
        let envelope = Envelope.runPosition(position, of: owner.bib, in: owner.run, id: id, topics: core.topics)
        guard let cleared = try? core.gate.clear(envelope) else { return }
        core.feed.put(.runner(owner, at: position, id: id))
        core.queue.enqueue(cleared)
    }
}
