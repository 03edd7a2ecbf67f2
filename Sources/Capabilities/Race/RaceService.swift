package import Alarms
import Ciphers
package import CloudCommands
import Consent
import Contract
package import ControlContract
package import GatewayModel
package import Hub
import Logging
package import OutboxService
package import Readings
import RealTime
import RunBeacon
import RunFiles
package import ServiceLifecycle
import Settings
import SettingsReading
import TagAdverts
import Vault

/// The box at a checkpoint: its runs, the passings and positions of their runners, and the clock that times them.
package final class RaceService: Capability {
    package static let names = CapabilityNames(
        settings: ["race"],
        conditions: [
            .passingLogUnavailable, .raceClockDisputed, .raceClockUnset, .raceDeaf, .raceRadioDeaf, .raceSilent,
            .runFilesWrong, .runsDoubtful,
        ], topics: ["runs"])

    /// Limit for the recall of earlier passings, during which new ones wait: 100,000 passings take 2 s
    /// (`make bench-race`), and a small processor may be ten times as slow.
    static let recallPatience = Duration.seconds(30)
    /// Interval of the looks at free space and power, as often as the power is read.
    private static let boxInterval = Duration.seconds(5)
    /// Interval of the looks at each runner for news, and at unsent corrections: a list of 10,000 takes some
    /// milliseconds.
    private static let newsInterval = Duration.seconds(5)

    private let intake: RaceIntake
    private let runs: RunStore
    private let recorder: PassingRecorder
    private let thread: RaceThread
    private let board: RaceBoard
    private let news: RunnerNewsReporter
    private let corrections: CorrectionPublisher
    private let core: GatewayCore
    private let lastReadings: LastReadings
    private let powerSupply: @Sendable () -> PowerSupply?

    /// Reads the run files and the runs of commands. Blocking I/O. A run file that is wrong is reported, and the others are
    /// taken.
    ///
    /// - Parameters:
    ///   - adverts: lets the adverts of the runs' tags through.
    ///   - powerSupply: returns the supply of the box as it was read last.
    package init(
        _ core: GatewayCore, _ intake: RaceIntake, adverts: AdvertSelection, readings: ReadingState,
        house: HouseService, sos: SOSInbox, outbox: OutboxWriter,
        powerSupply: @escaping @Sendable () -> PowerSupply?
    ) throws {
        let start = core.settings()
        let (gateway, boot) = (start.gateway.id, Boot.id())
        let reporter = RaceReporter(
            intake: intake, residents: Set(start.persons.map(\.id)), adverts: adverts,
            followed: readings.followed, house: house, sos: sos, outbox: outbox, core: core)
        // Before the race asks for the time: a run that is underway begins with the first look.
        intake.time.look()
        news = RunnerNewsReporter(core)
        runs = RunStore(
            folder: RunFolder(path: start.race.runsDirectory, course: CourseFile.reader),
            stateDirectory: start.gateway.stateDirectory, marks: core.marks, keeping: start.boxKeptFromCommands,
            of: gateway, reports: reporter.storeReports, followers: [reporter.follow, news.follow])
        corrections = CorrectionPublisher(core)
        board = try RaceBoard(
            RaceBoard.Sources(
                catalog: { [runs] in runs.book },
                vitals: { [lastReadings = readings.lastReadings] person, party in
                    guard core.settings().persons.contains(where: { $0.id == person }) else { return [] }
                    return RunnerVitals(of: person, for: party, by: core.gate, at: Clock.moment()) {
                        lastReadings.latest($0, of: person)
                    }.values
                },
                damaged: { flaws in
                    let words = flaws.prefix(3).map(\.description).joined(separator: "; ")
                    core.damage.report(.corrections, because: "\(flaws.count) flaws: \(words)")
                },
                publish: { [corrections] in corrections.publish($0, in: $1) }, gateway: gateway,
                stateDirectory: start.gateway.stateDirectory, marks: core.marks))
        let recorder = try PassingRecorder(
            in: PassingPlace(
                directory: start.gateway.stateDirectory, gateway: gateway, boot: boot, marks: core.marks),
            onKept: { [board] record in
                reporter.report(record.passing)
                board.add(record.passing)
            }, onRecall: reporter.recall, onHealth: reporter.report)
        // Of the runs underway the log is opened at once, so that a log that cannot be written is seen.
        recorder.expect(Set(runs.book.underway(at: Clock.wall()).map(\.id)))
        if !runs.book.enrolments.isEmpty { recorder.note(.start) }
        self.recorder = recorder
        let tracker = RaceTracker(
            gateway: gateway, boot: boot, clock: intake.time,
            recogniser: AdvertRecogniser(cipher: OpenSSLCipher()), recallWithin: Self.recallPatience,
            makeID: { .random(at: $0) })
        thread = RaceThread(inbox: intake.inbox) { inbox, publish in
            RaceLoop(
                tracker, inbox: inbox, radios: start.listeners.map { $0 ?? "any" }, silence: start.race.silence,
                cipher: OpenSSLCipher(), reports: reporter.loopReports(recorder), publish: publish)
        }
        (self.core, self.intake, lastReadings) = (core, intake, readings.lastReadings)
        self.powerSupply = powerSupply
    }

    // MARK: Capability

    /// Keeps which news of runners and which corrections were sent. To be called when no more is made.
    package func keepState() {
        news.keepMarks()
        corrections.keepMarks()
    }

    /// In the order of starting: the race thread ends first, and its last passings are written.
    package var services: [any Service] {
        [
            ThreadService(run: recorder.run, stop: recorder.stop),
            ThreadService(run: thread.run, stop: thread.stop),
            ThreadService(run: board.run, stop: board.stop),
        ]
    }

    package var careTasks: [CareTask] {
        [
            CareTask(every: Self.boxInterval) { [self] _ in
                intake.box.look(at: powerSupply(), core.stateDirectory)
            },
            CareTask { [intake, recorder] now in
                intake.time.look()
                recorder.tick(at: now.boot)
            },
            CareTask(every: Self.newsInterval) { [news, runs, thread, board, corrections] now in
                news.look({ runs.book }, status: thread.status, at: now)
                news.keepMarks()
                board.publishCorrections()
                corrections.keepMarks()
            },
        ]
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.Runs.self) { [self] in $1(showRuns($0)) },
            ControlHandler(Verb.ReloadRuns.self) { [self] in reloadRuns($0) },
            ControlHandler(Verb.Positions.self) { [self] in $1(showPositions(in: $0.run)) },
            ControlHandler(Verb.RunnerVitals.self) { [self] in $1(showVitals($0)) },
            ControlHandler(Verb.Race.self) { [board, thread] in board.show($0, thread.status, $1) },
            ControlHandler(Verb.CorrectRace.self) { [board] in board.correct($0, at: Clock.wall(), $1) },
            ControlHandler(Verb.RaceSelfTest.self) { [self] in testHearing($0.tag, $1) },
        ]
    }

    package func commandHandlers(_ disk: DiskQueue) -> [CommandKind: CommandHandler] {
        RunCommands(runs: runs, disk: disk, settings: core.settings, notices: core.notices).handlers
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {
        snapshot.runs = runs.book.sorted.map { run in
            HouseSnapshot.Run(
                id: run.id.text, title: run.title, start: run.start, end: run.end,
                runners: run.participants.count)
        }
    }

    /// Empty where no run is underway or to come.
    package var statusLines: [String] {
        let now = Clock.boot()
        guard let status = thread.status, status.isOfUse else { return [] }
        return status.lines(at: now) + intake.box.lines(at: now)
    }

    // MARK: A person's data

    /// Adds the person's enrolments and their passings. On a thread of its own: the log may be long.
    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        let enrolments = enrolments(of: person)
        guard !enrolments.isEmpty else {
            var data = data
            data.add("runs", enrolments)
            data.add("passings", [PassingRecord]())
            return done(.success(data))
        }
        do throws(SystemCallError) {
            _ = try NamedThread("my data") { [self] in
                do throws(DiskFailure) {
                    var data = data
                    data.add("runs", enrolments)
                    data.add("passings", try passings(of: enrolments))
                    done(.success(data))
                } catch {
                    done(.failure(PersonDataFailure("the passings cannot be read: \(error)")))
                }
            }
        } catch {
            done(.failure(PersonDataFailure("the passings cannot be read now: \(error)")))
        }
    }

    /// Erases nothing, and says so: a result belongs to the race as well, and the log proves it line by line.
    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        let enrolments = enrolments(of: person)
        guard !enrolments.isEmpty else { return done([]) }
        let runs = Set(enrolments.map(\.run)).sorted().joined(separator: ", ")
        done([
            ErasureStep(
                isDone: true,
                line: "start lists and passings of \(runs): kept, and sent where they are not yet, because "
                    + "they are the results of the race; ask its organiser")
        ])
    }

    private func enrolments(of person: PersonID) -> [EnrolmentRecord] {
        let book = runs.book
        return book.sorted.flatMap { run in
            run.participants.filter { $0.person == person }.map { participant in
                EnrolmentRecord(participant, in: run, hasLeft: book.left(run.id).contains(participant.bib))
            }
        }
    }

    /// Blocking I/O.
    private func passings(of enrolments: [EnrolmentRecord]) throws(DiskFailure) -> [PassingRecord] {
        let bibs = Dictionary(grouping: enrolments, by: \.run).mapValues { Set($0.map(\.bib)) }
        let report = try PassingReport(
            of: core.stateDirectory, keeping: Set(bibs.keys.compactMap { RunID($0) }))
        return report.passings
            .filter { bibs[$0.run.text]?.contains("\($0.bib)") == true }.map(PassingRecord.init)
    }

    // MARK: Runs, on the control thread

    private var runTable: RunTable {
        RunTable(book: runs.book, gateway: core.gateway, now: Clock.wall())
    }

    /// Shows all runs, or the one that is named, with its runners where the request asks for them.
    private func showRuns(_ request: Verb.Runs) -> ControlReply<[RunRow]> {
        guard let id = request.run else { return runTable.reply }
        guard let run = runTable.book.runs[id] else {
            return .refused("there is no run '\(id)': see homegateway runs list")
        }
        return runTable.reply(about: run, listsRunners: request.listsRunners)
    }

    /// Reads the run files again, on a thread of its own: the control thread must not wait for a disk.
    private func reloadRuns(_ reply: ControlAnswer<NoDocument>) {
        do throws(SystemCallError) {
            _ = try NamedThread("reload") { [self] in reply(readRunsAgain()) }
        } catch {
            reply(.refused("the gateway cannot reload now: \(error)"))
        }
    }

    private func readRunsAgain() -> ControlReply<NoDocument> {
        switch runs.reload() {
        case .failure(let wrong):
            return ControlReply(
                isDone: false,
                lines: ["the run files are wrong; the gateway goes on as before:"]
                    + wrong.errors.flatMap(\.lines))
        case .success(let warnings):
            core.log.notice("runs reloaded", metadata: ["runs": "\(runs.book.runs.count)"])
            return ControlReply(isDone: true, lines: warnings.map { "\($0) (warning)" } + runTable.lines)
        }
    }

    // MARK: Runners, on the control thread

    /// Shows the newest position of each runner, or of those in the run that is named.
    private func showPositions(in run: RunID?) -> ControlReply<[PositionRow]> {
        let rows = thread.status?.positionRows(at: Clock.boot()) ?? []
        let asked = rows.filter { run == nil || $0.run == run?.text }
        return .done(with: asked, lines: PositionTable(rows: asked).lines)
    }

    /// Shows a runner's vital signs to a party, by a grant of the runner and by nothing else.
    private func showVitals(_ request: Verb.RunnerVitals) -> ControlReply<RunnerVitals> {
        let (run, bib) = (request.run, request.bib)
        guard let participant = runs.book.runs[run]?.participant(bib) else {
            return .refused("bib \(bib) is in no run '\(run)' of this box: see homegateway runs list")
        }
        guard let person = participant.person, core.settings().persons.contains(where: { $0.id == person })
        else {
            return .refused(
                "bib \(bib) is nobody whom this box watches: nothing is measured of them here. Their person in the "
                    + "run file has to be one of the settings")
        }
        let vitals = RunnerVitals(of: person, for: request.party, by: core.gate, at: Clock.moment()) {
            [lastReadings] in
            lastReadings.latest($0, of: person)
        }
        return .done(with: vitals, lines: vitals.lines)
    }

    /// Answers when the box has heard the tag, or has not for long enough.
    private func testHearing(_ tag: TagName, _ reply: ControlAnswer<NoDocument>) {
        guard let identity = runs.book.identity(of: tag) else {
            return reply(
                .refused(
                    "no run of this box has a tag \(tag), or its file cannot be used: see homegateway runs list"
                ))
        }
        let adapters = core.settings().race.adapters
        intake.inbox.put(
            .selfTest(identity) { verdict in
                switch verdict {
                case .listening: break
                case .passed(let measure):
                    let name = adapters.dropFirst(Int(measure.antenna)).first
                    reply(
                        .done(
                            "passed: \(measure.hits) advertisements in \(measure.took.wholeMilliseconds) ms, "
                                + "\(measure.strength) dBm\(name.map { ", by \($0)" } ?? "")"))
                case .failed(let reason): reply(.refused("failed: \(reason)"))
                }
            })
    }
}
