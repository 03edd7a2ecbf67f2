import ControlContract
import GatewayModel
import Hub
import RealTime
import RunBeacon
import Synchronization
import Vault

/// Standings and places of each run for programs, and the corrections of its results. On a thread of its own: a long
/// start list takes some milliseconds, and the logs lie on a disk.
///
/// A document is made once a second at most, however many programs ask.
final class RaceBoard: Sendable {
    /// Parts of the gateway that a document is made from. Each call returns at once, from any thread.
    struct Sources: Sendable {
        let catalog: @Sendable () -> RunCatalog
        /// Readings of a person that a third party may see.
        let vitals: @Sendable (PersonID, PartyID) -> [RunnerVitals.Value]
        /// Flaws of the log of corrections.
        let damaged: @Sendable ([PassingLogFlaw]) -> Void
        /// Publishes those of all corrections that were not published before.
        let publish: @Sendable ([RunID: RaceCorrections], RunCatalog) -> Void
        let gateway: GatewayID
        let stateDirectory: String
        let marks: StateMarks?
        var clock: @Sendable () -> Moment = { Clock.moment() }
    }

    private enum Task {
        case passing(Passing)
        case show(Verb.Race, RaceStatus?, ControlAnswer<RaceDocument>)
        case correct(Verb.CorrectRace, at: WallTime, ControlAnswer<NoDocument>)
        case publish
    }

    private let worker: Worker<Task>

    init(_ sources: Sources) throws(SystemCallError) {
        let state = Mutex(RaceBoardState(sources))
        worker = try Worker("race board") { tasks, _ in
            state.withLock { state in
                for task in tasks {
                    switch task {
                    case .passing(let passing): state.add(passing)
                    case .show(let request, let status, let reply):
                        reply(state.show(request, status, at: sources.clock()))
                    case .correct(let edit, let time, let reply):
                        reply(state.correct(edit, at: time))
                        state.publishCorrections()
                    case .publish: state.publishCorrections()
                    }
                }
            }
        }
    }

    /// Runs until `stop`. Once.
    func run() async throws(SystemCallError) { try await worker.run() }
    func stop() { worker.stop() }

    // From any thread, at once.

    func add(_ passing: Passing) { worker.put(.passing(passing)) }
    func show(_ request: Verb.Race, _ status: RaceStatus?, _ reply: ControlAnswer<RaceDocument>) {
        worker.put(.show(request, status, reply))
    }
    func correct(_ edit: Verb.CorrectRace, at now: WallTime, _ reply: ControlAnswer<NoDocument>) {
        worker.put(.correct(edit, at: now, reply))
    }
    /// Publishes corrections that an earlier run of the program did not, and those of runs that were unknown until now.
    func publishCorrections() { worker.put(.publish) }
}

/// State of the board, on its thread.
private struct RaceBoardState {
    private struct Passings {
        var byID: [MessageID: Passing] = [:]
        /// Instant of the last reading of the log.
        var read: BootInstant
    }

    private struct Made {
        let document: RaceDocument
        let at: BootInstant
    }

    private enum Refusal: Error {
        case disk(DiskFailure)
        case unknown(RunID)
    }

    /// Age up to which a document is shown again. Later parts of a document are of the same one for longer.
    private static let fresh = Duration.seconds(1)
    private static let kept = Duration.seconds(10)
    /// Interval at which the log is read again while passings wait for the time of day.
    private static let redating = Duration.seconds(30)

    private let sources: RaceBoard.Sources
    /// Passings of the runs that were asked for.
    private var passings: [RunID: Passings] = [:]
    private var log: CorrectionLog?
    private var corrections: [RunID: RaceCorrections] = [:]
    private var documents: [RunID: Made] = [:]
    private var shapes: [RunID: (course: Course, shape: CourseShape)] = [:]

    init(_ sources: RaceBoard.Sources) { self.sources = sources }

    mutating func add(_ passing: Passing) { passings[passing.run]?.byID[passing.id] = passing }

    mutating func show(
        _ request: Verb.Race, _ status: RaceStatus?, at now: Moment
    ) -> ControlReply<RaceDocument> {
        do throws(Refusal) {
            let document = try document(of: request.run, status, isNew: request.first == 0, at: now)
            return .done(with: document.part(from: request.first))
        } catch {
            return Self.words(on: error)
        }
    }

    private static func words<Document>(on refusal: Refusal) -> ControlReply<Document> {
        switch refusal {
        case .unknown(let id): .refused("there is no run '\(id)': see homegateway runs list")
        case .disk(let failure): .refused("the log of the race cannot be read or written: \(failure)")
        }
    }

    // MARK: Document

    private mutating func document(
        of id: RunID, _ status: RaceStatus?, isNew: Bool, at now: Moment
    ) throws(Refusal) -> RaceDocument {
        if let made = documents[id], made.at.duration(to: now.boot) < (isNew ? Self.fresh : Self.kept) {
            return made.document
        }
        let catalog = sources.catalog()
        forget(allBut: Set(catalog.runs.keys))
        guard let run = catalog.runs[id] else { throw .unknown(id) }
        try read(run, at: now.boot)
        try openCorrections()
        let document = made(run, in: catalog, status, at: now)
        documents[id] = Made(document: document, at: now.boot)
        return document
    }

    private mutating func forget(allBut runs: Set<RunID>) {
        passings = passings.filter { runs.contains($0.key) }
        documents = documents.filter { runs.contains($0.key) }
        shapes = shapes.filter { runs.contains($0.key) }
    }

    /// Reads the passings of a run from the log, at first and while some wait to be dated.
    private mutating func read(_ run: Run, at now: BootInstant) throws(Refusal) {
        if let known = passings[run.id] {
            guard known.byID.values.contains(where: { $0.bound == nil }),
                known.read.duration(to: now) >= Self.redating
            else { return }
        }
        var known = passings[run.id] ?? Passings(read: now)
        known.read = now
        do throws(DiskFailure) {
            for passing in try PassingReport(of: sources.stateDirectory, keeping: [run.id]).passings {
                known.byID[passing.id] = passing
            }
        } catch {
            throw .disk(error)
        }
        passings[run.id] = known
    }

    private mutating func openCorrections() throws(Refusal) {
        guard log == nil else { return }
        do throws(DiskFailure) {
            let (log, report) = try CorrectionLog.open(in: sources.stateDirectory, marks: sources.marks)
            if !report.flaws.isEmpty { sources.damaged(report.flaws) }
            corrections = Dictionary(grouping: report.corrections, by: \.run).mapValues { RaceCorrections($0) }
            self.log = log
        } catch {
            throw .disk(error)
        }
    }

    private mutating func made(
        _ run: Run, in catalog: RunCatalog, _ status: RaceStatus?, at now: Moment
    ) -> RaceDocument {
        let corrections = corrections[run.id] ?? RaceCorrections()
        var standings = Standings(run)
        for bib in catalog.left(run.id) { standings.leave(bib) }
        let known = passings[run.id].map { Array($0.byID.values) } ?? []
        standings.add(known, corrected: corrections, of: run)
        let rows = standings.table()
        let shape = shape(of: run)
        var document = RaceDocument(
            run, state: catalog.state(of: run.id, at: now.wall), at: now.wall,
            StandingsDocument(run.id, by: .gun, rows, points: standings.points))
        document.categories = standings.categories
        document.line = shape.map(RaceDocument.Line.init)
        let here = run.checkpoint(of: sources.gateway)?.id
        document.points = standings.points.map { point in
            RaceDocument.Point(point, of: run, at: shape?.place(at: point.distance), here: here)
        }
        document.places = places(rows, standings.points, run, shape, status, at: now)
        document.vitals = vitals(of: run)
        document.corrections = corrections.all.suffix(RaceDocument.mostCorrections).reversed().map {
            RaceDocument.Correction($0, counts: corrections.counts($0))
        }
        document.box = status.flatMap {
            RaceDocument.Box($0, of: run.id, gateway: sources.gateway, at: now.boot)
        }
        return document
    }

    private mutating func shape(of run: Run) -> CourseShape? {
        guard let course = run.course else { return nil }
        if let known = shapes[run.id], known.course == course { return known.shape }
        let shape = CourseShape(course)
        shapes[run.id] = (course, shape)
        return shape
    }

    /// Age of a measured place after which the projection by splits says more.
    private static let oldest = Duration.seconds(120)

    private func places(
        _ rows: [Standing], _ points: [RunPoint], _ run: Run, _ shape: CourseShape?, _ status: RaceStatus?,
        at now: Moment
    ) -> [RaceDocument.Place] {
        guard run.state(at: now.wall) == .underway else { return [] }
        let located = Dictionary(
            (status?.located ?? []).filter {
                $0.owner.run == run.id && $0.position.measured.boot.duration(to: now.boot) <= Self.oldest
            }.map { ($0.owner.bib, $0.position) }
        ) { first, _ in first }
        return rows.compactMap { row in
            guard row.state == .running || row.state == .expected else { return nil }
            if let position = located[row.bib] {
                return RaceDocument.Place(
                    row.bib, position, points: points,
                    at: position.distance.flatMap { shape?.place(at: $0) }, now.boot)
            }
            return SplitProjection(of: row, points: points, at: now.wall).map {
                RaceDocument.Place(row.bib, $0, points: points, at: shape?.place(at: $0.distance))
            }
        }
    }

    private func vitals(of run: Run) -> [RaceDocument.Vitals] {
        guard let party = run.audience.party else { return [] }
        return run.participants.compactMap { participant in
            guard let person = participant.person else { return nil }
            let values = sources.vitals(person, party)
            return values.isEmpty ? nil : RaceDocument.Vitals(participant.bib, values)
        }
    }

    // MARK: Corrections

    /// A disk that fails is tried again with the next call.
    mutating func publishCorrections() {
        let catalog = sources.catalog()
        guard !catalog.runs.isEmpty, (try? openCorrections()) != nil else { return }
        sources.publish(corrections, catalog)
    }

    mutating func correct(_ edit: Verb.CorrectRace, at now: WallTime) -> ControlReply<NoDocument> {
        do throws(Refusal) {
            guard let run = sources.catalog().runs[edit.run] else { throw .unknown(edit.run) }
            try read(run, at: sources.clock().boot)
            try openCorrections()
            var own = corrections[run.id] ?? RaceCorrections()
            let passings = passings[run.id].map { $0.byID.values.filter { $0.bib == edit.bib } } ?? []
            if let refusal = own.refusal(of: edit.act, about: edit.bib, in: run, passings: passings) {
                return .refused(refusal.description)
            }
            let correction = RaceCorrection(
                number: own.nextNumber, run: run.id, bib: edit.bib, act: edit.act, by: edit.caller.name,
                at: now,
                reason: edit.reason)
            do throws(DiskFailure) {
                try log?.append(correction)
            } catch {
                throw .disk(error)
            }
            own.add(correction)
            corrections[run.id] = own
            documents[run.id] = nil
            return .done("correction \(correction.number) of \(run.id): bib \(edit.bib), written down")
        } catch {
            return Self.words(on: error)
        }
    }
}
