import Alarms
import Ciphers
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
import TagAdverts
import Vault
import WireFormats

// The box at a checkpoint: what the race thread hears, what it tells, and where that goes.
extension Gateway {
    // MARK: Parts

    /// The record of what was timed.
    ///
    /// - Parameter book: where it has runs, whether the log can be written is seen at once, and told.
    static func passingRecord(
        in place: PassingPlace, of book: RunCatalog, _ health: HealthBoard, _ log: Logger,
        tell: @escaping @Sendable (Passing) -> Void
    ) throws -> PassingRecorder {
        let recorder = try PassingRecorder(in: place) {
            tell($0.passing)
        } onHealth: {
            note($0, on: health, log)
        }
        recorder.expect(Set(book.underway(at: Clock.wall()).map(\.id)))
        if !book.enrolments.isEmpty { recorder.note(.start) }
        return recorder
    }

    func makeRace(_ adverts: AdvertSelection) -> RaceService {
        let tracker = RaceTracker(
            gateway: settings.gateway.id, boot: Boot.id(), clock: raceTime,
            recogniser: AdvertRecogniser(cipher: OpenSSLCipher()),
            recallWithin: Gateway.recallPatience, makeID: { .random(at: $0) })
        let tellers = Gateway.raceReports(
            passings, clockRecord, adverts, house.outputs,
            Gateway.positionReports(raceBearers, followed, feed, gate, queue, topics, log), inbox,
            of: Set(settings.persons.map(\.id)), feed: feed, health, log)
        return RaceService(inbox: raceInbox) { [settings] inbox, publish in
            RaceLoop(
                tracker, inbox: inbox, radios: settings.listeners.map { $0 ?? "any" },
                silence: settings.race.silence, cipher: OpenSSLCipher(),
                reports: tellers, publish: publish)
        }
    }

    /// How long what passes waits for what the log says of before: 100,000 passings take 2 s (`make bench-race`), and
    /// a small processor may be ten times as slow.
    static let recallPatience = Duration.seconds(30)

    private static func note(_ state: PassingRecorder.Health, on health: HealthBoard, _ log: Logger) {
        let condition = HealthCondition(.passingLogUnavailable)
        switch state {
        case .written: health.set(condition, false)
        case .failing(let reason):
            health.set(condition, true)
            log.error("passings cannot be written down", metadata: ["reason": "\(reason)"])
        }
    }

    static func raceReports(
        _ recorder: PassingRecorder, _ clock: ClockRecord, _ adverts: AdvertSelection,
        _ house: HouseAnnunciator,
        _ positions: PositionPublisher.Reports, _ inbox: SOSInbox, of residents: Set<PersonID>, feed: Feed,
        _ health: HealthBoard, _ log: Logger
    ) -> RaceLoop.Reports {
        RaceLoop.Reports(
            keep: { recorder.keep($0) },
            listens: { adverts.setTagRules($0) },
            holds: { health.set($0, $1) },
            heard: { house.tagHeard() },
            dropped: {
                log.warning("adverts of tags came faster than they were looked at", metadata: ["lost": "\($0)"])
            },
            overdue: { feed.put(.overdue($0, at: Clock.moment())) },
            turned: { runs in
                clock.turn(on: !runs.isEmpty)
                recorder.recall(Set(runs))
                log.notice(
                    "runs underway", metadata: ["runs": "\(runs.map(\.text).joined(separator: " "))"])
            },
            ownRuns: { ends in
                let now = Clock.boot()
                // Participants may be persons of another box; and of whoever is in none it is said, for the alarm may know
                // of an earlier one.
                for person in residents { inbox.submit(.ownRun(person, until: ends[person]), at: now) }
                log.notice("runs of persons of the house", metadata: ["underway": "\(ends.count)"])
            }, positions: positions)
    }

    /// Whoever has left is told of no more, by the gate and by the race, before this returns.
    func followRuns() {
        // Before anything asks it: a run that is underway begins here with the first look, and not a second later.
        raceTime.look()
        passings.onRecall { [self] in recalled($0) }
        runs.onChange { [gate, raceInbox, outbox] book in
            gate.enrol(Enrolments(book.enrolments))
            raceInbox.put(.runs(book))
            outbox.purge(open: nil) { _ in }
        }
    }

    // MARK: "passings" thread

    /// - Parameter passing: durable by now, where the disk takes it.
    static func tell(
        _ passing: Passing, _ feed: Feed, _ gate: ConsentGate, _ queue: OutboundQueue, _ topics: Topics
    ) {
        feed.put(.passing(passing, at: Clock.moment()))
        guard let cleared = try? gate.clear(Envelope.passing(passing, topics: topics)) else { return }
        queue.enqueue(cleared)
    }

    /// What an earlier run of the program left in the log.
    private func recalled(_ memory: PassingRecorder.Memory) {
        if let report = memory.opened { opened(report) }
        if !memory.runs.isEmpty { raceInbox.put(.recalled(memory.records, of: memory.runs)) }
    }

    private func opened(_ report: PassingReport) {
        if !report.flaws.isEmpty {
            let flaws = report.flaws.prefix(3).map(\.description).joined(separator: "; ")
            damage.report(.passings, because: "\(report.flaws.count) flaws: \(flaws)")
        }
        let boot = Boot.id()
        if let mark = report.marks[boot]?.last { raceTime.restore(mark) }
        raceInbox.put(.logged(report.loggedTime(in: boot)))
        // What may not have reached the outbox when the gateway ended. What had may be sent twice, under one id.
        for unsure in report.unsure {
            guard let cleared = try? gate.clear(Envelope.passing(unsure.passing, topics: topics)) else {
                continue
            }
            queue.enqueue(cleared)
        }
    }

    // MARK: Any thread that asks

    /// For `status`; nothing where no run is underway or to come.
    func raceLines(_ race: RaceService) -> [String] {
        let now = Clock.boot()
        guard let status = race.status, status.isOfUse else { return [] }
        return status.lines(at: now) + boxStatus.lines(at: now)
    }

    // MARK: Control thread

    func testHearing(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        let tag: TagName
        do throws(TagIdentity.Flaw) {
            tag = try TagName(request.subject ?? "")
        } catch {
            return reply(.refused("the tag cannot be used: \(error)"))
        }
        guard let identity = runs.book.identity(of: tag) else {
            return reply(
                .refused(
                    "no run of this box has a tag \(tag), or its file cannot be used: see homegateway runs list"
                ))
        }
        raceInbox.put(
            .selfTest(identity) { [settings] verdict in
                switch verdict {
                case .listening: break
                case .passed(let measure):
                    let name = settings.race.adapters.dropFirst(Int(measure.antenna)).first
                    reply(
                        .done(
                            "passed: \(measure.hits) advertisements in \(measure.took.wholeMilliseconds) ms, "
                                + "\(measure.strength) dBm\(name.map { ", by \($0)" } ?? "")"))
                case .failed(let reason): reply(.refused("failed: \(reason)"))
                }
            })
    }
}
