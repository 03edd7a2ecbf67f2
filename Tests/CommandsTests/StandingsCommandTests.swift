import Foundation
import GatewayModel
import Hub
import ModelSamples
import RunBeacon
import RunFiles
import Samples
import Settings
import SettingsSamples
import TestSupport
import Testing
import Vault

@testable import Commands

@Suite struct `homegateway standings` {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func runFile() throws -> String {
        _ = try scratch.write(
            """
            <gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="test"><trk><trkseg>
            <trkpt lat="45.0" lon="9.0"/><trkpt lat="45.05" lon="9.0"/><trkpt lat="45.09" lon="9.0"/>
            </trkseg></trk></gpx>
            """, to: "spring.gpx")
        return try scratch.write(
            """
            id = "spring-10k"
            title = "Spring 10K"
            end = "2026-03-01T12:00:00Z"
            course = "spring.gpx"
            [[waves]]
            id = "all"
            start = "2026-03-01T08:00:00Z"
            [[checkpoints]]
            id = "finish"
            distances_m = [10000]
            finish = true
            [[participants]]
            bib = 7
            name = "Ada"
            category = "w40"
            [[participants]]
            bib = 9
            category = "m40"
            """, to: "spring.toml"
        ).path
    }

    private func export(_ name: String, _ passings: [Passing]) throws -> String {
        let rows = try JSONEncoder().encode(passings.map { PassingRow($0) })
        return try scratch.write(String(decoding: rows, as: UTF8.self), to: name).path
    }

    @Test func `ranks who is in exports of several boxes, each passing once`() async throws {
        let file = try runFile()
        let second = RaceSample.passing(2, bib: 9, at: 12)
        let main = try export("main.json", [RaceSample.passing(1, bib: 7), second])
        let backup = try export("backup.json", [second])
        let answer = try await BuiltProgram.run(["standings", "--run-file", file, main, backup])
        #expect(
            answer.output == """
                Spring 10K (spring-10k), by gun time
                RANK  BIB  NAME  CATEGORY  AT      GUN        NET  GAP    SURE TO
                1     7    Ada   w40       finish  0:30:00.0  -    -      ±0.8 s
                2     9    -     m40       finish  0:30:12.0  -    +12.0  ±0.8 s
                """, "\(answer)")
        let women = try await BuiltProgram.run(["standings", "--run-file", file, "--category", "w40", main])
        #expect(women.code == 0 && women.output.contains("Ada") && !women.output.contains("m40"))
    }

    @Test(arguments: ["csv", "json"])
    func `ranks of a merged list what counts there, and nothing that it has set behind another`(format: String)
        async throws
    {
        let file = try runFile()
        // At a finish the earlier of two counts; the surer one, which is the later one here, has been chosen by then.
        let mine = try export(
            "mine.json", [RaceSample.passing(1, bib: 7), RaceSample.passing(2, bib: 9, at: 12)])
        let sure = RaceSample.passing(
            3, bib: 7, at: 0.4, box: GatewayID(sample: "backup"), bound: .milliseconds(100))
        let theirs = try export("theirs.json", [sure])
        let merged = try await BuiltProgram.run(["passings", "merge", mine, theirs, "--format", format])
        let results = try scratch.write(merged.output, to: "results.\(format)").path
        for lists in [[results], [mine, results]] {
            let answer = try await BuiltProgram.run(["standings", "--run-file", file] + lists)
            #expect(
                answer.output == """
                    Spring 10K (spring-10k), by gun time
                    RANK  BIB  NAME  CATEGORY  AT      GUN        NET  GAP    SURE TO
                    1     7    Ada   w40       finish  0:30:00.4  -    -      ±0.1 s
                    2     9    -     m40       finish  0:30:12.0  -    +11.6  ±0.8 s
                    """, "\(answer)")
        }
    }

    @Test func `says what it lacks`() async throws {
        let file = try runFile()
        let none = try await BuiltProgram.run(["standings", "--run-file", file, "/nonexistent.json"])
        #expect(none.code == 69 && none.errors.contains("/nonexistent.json"), "\(none)")
        let main = try export("main.json", [RaceSample.passing(1, bib: 7)])
        let category = try await BuiltProgram.run(["standings", "--run-file", file, "--category", "x", main])
        #expect(category.code == 64 && category.errors.contains("m40, w40"), "\(category)")
        let other = try await BuiltProgram.run(["standings", "--run-file", file, "--run", "autumn", main])
        #expect(other.code == 66 && other.errors.contains("there is spring-10k"), "\(other)")
    }

    @Test func `shows whoever watches who leaves meanwhile`() async throws {
        let run = try RunFile(path: try runFile(), course: CourseFile.reader)
        let settings = try scratch.writeSettings(
            more: "[race]\nruns_directory = \"\(scratch.url.path)\"", to: "gateway.settings")
        let watching = try TiedChild([
            BuiltProgram.homegateway, "standings", "--watch", "--config", settings.path,
        ])
        #expect(await watching.output.wait { $0.count { $0.hasSuffix("not heard  -    -    -    -") } == 2 })
        var book = RunCatalog()
        book.replaceFiles([run.plan], with: run.materials, at: Sample.moment(0).wall)
        try book.perform(.leave(run.plan.id, [RaceSample.bib(7)]), at: Sample.moment(1).wall)
        try CommandedRunsFile(stateDirectory: scratch.url.path).save(book.commanded)
        #expect(await watching.output.wait { $0.contains { $0.contains("Ada   w40       left") } })
    }

    @Test func `hears what is doubtful in a course from runs check`() async throws {
        let answer = try await BuiltProgram.run(["runs", "check", try runFile()])
        #expect(answer.errors.contains("spring.gpx:2: 5556 m from the point of line 2"), "\(answer)")
        #expect(answer.output.contains("the run is right"), "\(answer)")
    }
}
