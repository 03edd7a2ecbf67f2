import Consent
import Contract
import GatewayModel
import HouseAlarm
import Logging
import RealTime
import RunBeacon
import Settings
import Vault
import WireFormats

// The box at a checkpoint: what the race thread hears, what it tells, and where that goes.
extension Gateway {
    // MARK: Parts

    /// The record of what was timed, and what an earlier run of the program left in it. Blocking I/O.
    ///
    /// - Parameter isWanted: there are runs. Where nobody runs nothing is read, or written.
    /// - Returns: no report where nothing is wanted, or the log cannot be read.
    static func passingRecord(
        _ settings: GatewaySettings.Gateway, boot: String, isWanted: Bool, _ health: HealthBoard, _ log: Logger,
        tell: @escaping @Sendable (Passing) -> Void
    ) throws -> (recorder: PassingRecorder, report: PassingReport?) {
        let open = { @Sendable () throws(DiskFailure) in
            try PassingLog.open(in: settings.stateDirectory, of: settings.id, boot: boot)
        }
        var found: (log: PassingLog, report: PassingReport)?
        do throws(DiskFailure) {
            found = isWanted ? try open() : nil
        } catch {
            log.error("earlier passings cannot be read", metadata: ["reason": "\(error)"])
        }
        if let flaws = found?.report.flaws, !flaws.isEmpty {
            log.error(
                "the log of passings is not as it was written; see: homegateway passings verify",
                metadata: ["flaws": "\(flaws.count)"])
        }
        let recorder = try PassingRecorder(found?.log) { () throws(DiskFailure) in
            try open().log
        } onKept: {
            tell($0.passing)
        } onHealth: {
            note($0, on: health, log)
        }
        // Whether it can be written is seen at once, and told.
        if isWanted { recorder.note(.start) }
        return (recorder, found?.report)
    }

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
        _ recorder: PassingRecorder, _ clock: ClockRecord, _ wanted: WantedAdverts, _ house: HouseAnnunciator,
        _ positions: PositionDesk.Reports, feed: Feed, _ health: HealthBoard, _ log: Logger
    ) -> RaceDesk.Reports {
        RaceDesk.Reports(
            keep: { recorder.keep($0) },
            listens: { wanted.want(tags: $0) },
            holds: { health.set($0, $1) },
            heard: { house.tagHeard() },
            dropped: {
                log.warning("adverts of tags came faster than they were looked at", metadata: ["lost": "\($0)"])
            },
            overdue: { feed.put(.overdue($0, at: Clock.moment())) },
            turned: { runs in
                clock.turn(on: !runs.isEmpty)
                log.notice(
                    "runs underway", metadata: ["runs": "\(runs.map(\.text).joined(separator: " "))"])
            }, positions: positions)
    }

    /// Whoever has left is told of no more, by the gate and by the race, before this returns.
    func followRuns() {
        runs.onChange { [gate, race, outbox] book in
            gate.enrol(Enrolments(book.enrolments))
            race.inbox.put(.runs(book))
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

    /// What may not have reached the outbox when the gateway ended. What had reached it may be sent twice, under one id.
    func tellAgain() {
        for unsure in unsure {
            guard let cleared = try? gate.clear(Envelope.passing(unsure.passing, topics: topics)) else {
                continue
            }
            queue.enqueue(cleared)
        }
    }

    // MARK: Any thread that asks

    /// For `status`; nothing where no run is underway or to come.
    var raceLines: [String] {
        let now = Clock.boot()
        guard let status = race.status, status.isOfUse else { return [] }
        return status.lines(at: now) + surroundings.lines(at: now)
    }

    // MARK: Control thread

    func testHearing(_ request: ControlRequest, _ reply: @escaping ControlServer.Answer) {
        let identity: TagIdentity
        do throws(TagIdentity.Flaw) {
            identity = try TagIdentity(request.subject ?? "")
        } catch {
            return reply(.refused("the tag cannot be used: \(error)"))
        }
        race.inbox.put(
            .selfTest(identity) { verdict in
                switch verdict {
                case .listening: break
                case .passed(let measure):
                    reply(
                        .done(
                            "passed: \(measure.hits) advertisements in \(measure.took.wholeMilliseconds) ms, "
                                + "\(measure.strength) dBm"))
                case .failed(let reason): reply(.refused("failed: \(reason)"))
                }
            })
    }
}
