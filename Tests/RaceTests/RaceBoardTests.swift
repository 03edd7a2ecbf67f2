import ControlContract
import Foundation
import GatewayModel
import ModelSamples
import RealTime
import RunBeacon
import Samples
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Hub
@testable import Race

@Suite struct `The board of a race` {
    private let scratch: ScratchDirectory
    private let run: Run
    private let start: WallTime
    private let clock = HandClock()
    private let published = Published()

    /// Corrections that a board gave to its publisher, which keeps nothing over a restart here.
    private final class Published: Sendable {
        let all = Mutex<[RaceCorrection]>([])

        var acts: [RaceCorrection.Act] { all.withLock { $0.map(\.act) } }
    }

    /// A clock that stands still until the test moves it.
    private final class HandClock: Sendable {
        let now = Mutex(Clock.moment())
    }

    init() throws {
        scratch = try ScratchDirectory()
        let start = WallTime(millisecondsSince1970: Clock.wall().millisecondsSince1970 - 1_800_000)
        self.start = start
        let wave = Wave(id: WaveID(sample: "all"), start: start)
        run = try Run(
            id: RaceSample.run, title: "Spring 10K", end: Self.time(10_000, after: start), waves: [wave],
            checkpoints: [
                try #require(Checkpoint(id: RaceSample.finish, distances: [10_000], isFinish: true))
            ], audience: RunAudience(party: PartyID(sample: "spectators")),
            participants: [1, 2].map {
                Participant(
                    bib: RaceSample.bib($0), name: "Runner \($0)", wave: wave.id, tags: [],
                    person: $0 == 1 ? PersonID(sample: "maria") : nil)
            })
    }

    private static func time(_ seconds: Int64, after start: WallTime) -> WallTime {
        WallTime(millisecondsSince1970: start.millisecondsSince1970 + seconds * 1_000)
    }

    private func passing(_ number: Int, bib: Int, after seconds: Int64) -> Passing {
        let time = Self.time(seconds, after: start)
        return Passing(
            id: Sample.id(number), run: run.id, checkpoint: RaceSample.finish, gateway: RaceSample.box,
            bib: RaceSample.bib(bib), order: 1, time: time, first: time, last: time,
            clock: ClockState(source: .gps, bound: .milliseconds(50)), bound: .milliseconds(500), hits: 9,
            strongest: -60, flags: [])
    }

    private func log(_ passing: Passing) throws {
        var (log, _) = try PassingLog.open(in: scratch.url.path, of: RaceSample.box, boot: "b")
        let at = BootInstant(nanoseconds: 1)
        try log.append([
            PassingLog.Entry(
                .passing(
                    RecordedPassing(
                        passing, boot: "b", nearest: at, first: at, last: at, passageBound: .milliseconds(500))),
                made: Moment(boot: at, wall: passing.time))
        ])
    }

    /// - Parameter course: of a command before the start; nil for none.
    private func board(course: CourseLine? = nil) throws -> RaceBoard {
        let plan = RunPlan(
            id: run.id,
            outline: RunOutline(
                title: run.title, end: run.end, waves: run.waves, checkpoints: run.checkpoints,
                audience: run.audience),
            entrants: run.participants.map { Entrant(bib: $0.bib, name: $0.name, person: $0.person) })
        var catalog = RunCatalog()
        catalog.replaceFiles([plan], with: RunMaterials(), at: start)
        if let course {
            try catalog.perform(
                .change(run.id, RunChange(course: .line(course))), at: Self.time(-60, after: start))
        }
        let known = catalog
        let sent = Mutex(SentCorrections())
        return try RaceBoard(
            RaceBoard.Sources(
                catalog: { known },
                vitals: { person, party in
                    guard person.text == "maria", party.text == "spectators" else { return [] }
                    return [
                        RunnerVitals.Value(kind: .heartRate, value: 150, unit: "/min", measured: "", ageMs: 1)
                    ]
                }, damaged: { _ in },
                publish: { [published] corrections, catalog in
                    let new = sent.withLock { $0.take(from: corrections, of: Set(catalog.runs.keys)) }
                    published.all.withLock { $0 += new }
                }, gateway: RaceSample.box, stateDirectory: scratch.url.path, marks: nil,
                clock: { [clock] in clock.now.withLock { $0 } }))
    }

    private static func reply<Document>(
        _ ask: (ControlAnswer<Document>) -> Void
    ) async -> ControlReply<Document> {
        await withCheckedContinuation { continuation in
            ask(ControlAnswer { continuation.resume(returning: $0()) })
        }
    }

    private func document(_ board: RaceBoard) async throws -> RaceDocument {
        let reply = await Self.reply { board.show(Verb.Race(run.id), nil, $0) }
        guard let document = reply.document else { throw Failure(lines: reply.lines) }
        return document
    }

    private struct Failure: Error { let lines: [String] }

    private func using<Result: Sendable>(
        _ board: RaceBoard, _ body: @Sendable (RaceBoard) async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await board.run() }
            defer { board.stop() }
            return try await body(board)
        }
    }

    @Test func `has the passings of the log and those of now, with the readings by a grant`() async throws {
        try log(passing(1, bib: 1, after: 1_500))
        try await using(try board()) { board in
            let first = try await document(board)
            #expect(first.standings.rows.map(\.state) == ["finished", "expected"])
            #expect(first.vitals.map(\.bib) == [1] && first.state == "underway")
            board.add(passing(2, bib: 2, after: 1_400))
            #expect(
                try await document(board).standings.rows.map(\.bib) == [1, 2], "within a second the old one")
            clock.now.withLock { $0 = $0.advanced(by: .seconds(1)) }
            #expect(try await document(board).standings.rows.map(\.bib) == [2, 1])
        }
    }

    @Test func `draws the course that a command brought, with its points`() async throws {
        let course = try CourseLine("owntGo|aw@R_Dsb@ox@")
        try await using(try board(course: course)) { board in
            let document = try await document(board)
            let line = try #require(document.line)
            #expect(line.points.count == 6 && line.width > 700 && line.height > 600)
            // The finish of 10 km lies at the end of the line.
            let finish = try #require(document.points.first { $0.checkpoint == RaceSample.finish.text })
            #expect(abs((finish.x ?? 0) - line.width) <= 1 && finish.y == 0)
        }
        try await using(try board()) { board in
            let document = try await document(board)
            #expect(document.line == nil)
        }
    }

    @Test func `shows one document to all that ask within a second`() async throws {
        try await using(try board()) { board in
            let times = try await [document(board).time, document(board).time, document(board).time]
            #expect(Set(times).count == 1)
        }
    }

    @Test func `keeps a correction before it answers, shows it at once, and over a restart`() async throws {
        try log(passing(1, bib: 1, after: 1_500))
        try log(passing(2, bib: 2, after: 1_400))
        let edit = try Verb.CorrectRace(
            .mark(.disqualified), of: RaceSample.bib(2), in: run.id, reason: "short cut", by: "Anna")
        try await using(try board()) { board in
            #expect(try await document(board).standings.rows.map(\.bib) == [2, 1])
            let reply = await Self.reply { board.correct(edit, at: start, $0) }
            #expect(reply.isDone && reply.lines.first?.contains("correction 1") == true)
            #expect(try CorrectionLog.Report(of: scratch.url.path).corrections.count == 1)
            let rows = try await document(board).standings.rows
            #expect(rows.map(\.bib) == [1, 2] && rows.map(\.rank) == [1, nil])
        }
        try await using(try board()) { board in
            let document = try await document(board)
            #expect(document.standings.rows.map(\.state) == ["finished", "dsq"])
            #expect(document.corrections.map(\.reason) == ["short cut"])
            let undo = try Verb.CorrectRace(
                .undo(1), of: RaceSample.bib(2), in: run.id, reason: "wrong bib", by: "Anna")
            #expect(await Self.reply { board.correct(undo, at: start, $0) }.isDone)
            #expect(try await self.document(board).standings.rows.map(\.bib) == [2, 1])
        }
        #expect(try PassingReport(of: scratch.url.path).passings.count == 2)
    }

    @Test func `publishes a correction after it is kept, and at the start those of the log`() async throws {
        let edits = try [.mark(.didNotFinish), .undo(7), .mark(.disqualified)].map { act in
            try Verb.CorrectRace(act, of: RaceSample.bib(1), in: run.id, reason: "x", by: "Anna")
        }
        try await using(try board()) { board in
            for edit in edits {
                _ = await Self.reply { board.correct(edit, at: start, $0) }
            }
            // Answered behind the last publication.
            _ = try await document(board)
            #expect(published.acts == [.mark(.didNotFinish), .mark(.disqualified)])
        }
        try await using(try board()) { board in
            board.publishCorrections()
            board.publishCorrections()
            _ = try await document(board)
            #expect(published.acts.suffix(2) == [.mark(.didNotFinish), .mark(.disqualified)])
            #expect(published.acts.count == 4)
        }
    }

    @Test func `refuses a correction that the run does not fit, and writes nothing`() async throws {
        try await using(try board()) { board in
            let edit = try Verb.CorrectRace(
                .strike(Sample.id(9)), of: RaceSample.bib(1), in: run.id, reason: "x", by: "Anna")
            let reply = await Self.reply { board.correct(edit, at: start, $0) }
            #expect(!reply.isDone && reply.lines.first?.contains("no") == true)
            let other = try Verb.CorrectRace(
                .mark(.didNotStart), of: RaceSample.bib(1), in: RunID(sample: "nothing"), reason: "x",
                by: "Anna")
            #expect(await !Self.reply { board.correct(other, at: start, $0) }.isDone)
        }
        #expect(try CorrectionLog.Report(of: scratch.url.path).corrections.isEmpty)
    }

    @Test func `refuses corrections that the disk does not take, and keeps the results as they are`()
        async throws
    {
        try log(passing(1, bib: 1, after: 1_500))
        // A folder in the place of the log cannot be appended to.
        try await using(try board()) { board in
            _ = try await document(board)
            try FileManager.default.createDirectory(
                at: scratch.url.appending(path: "corrections.jsonl"), withIntermediateDirectories: false)
            let edit = try Verb.CorrectRace(
                .mark(.didNotFinish), of: RaceSample.bib(1), in: run.id, reason: "x", by: "Anna")
            #expect(await !Self.reply { board.correct(edit, at: start, $0) }.isDone)
            #expect(try await document(board).standings.rows.first?.state == "finished")
        }
    }
}
