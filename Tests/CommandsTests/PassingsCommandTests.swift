import ContractSamples
import Foundation
import GatewayModel
import Hub
import ModelSamples
import RunBeacon
import Samples
import SettingsSamples
import TestSupport
import Testing
import Vault

@testable import Commands

@Suite struct `homegateway passings` {
    private let scratch: ScratchDirectory
    private let settings: URL

    init() throws {
        scratch = try ScratchDirectory()
        settings = try scratch.writeSettings()
    }

    private func run(_ words: String...) async throws -> BuiltProgram.Answer {
        try await BuiltProgram.run(["passings"] + words + ["--config", settings.path])
    }

    /// Two runs; the first passing before the clock was set, an hour off.
    private func write() throws {
        var log = try PassingLog.open(in: scratch.url.path, of: RaceSample.box, boot: "b-1").log
        let unset = RaceSample.passing(
            1, bib: 9, clock: ClockState(source: .freeRunning, bound: nil), flags: [.clockUnset, .fewHits])
        let at = Sample.moment(0).boot
        let early = RecordedPassing(
            unset, boot: "b-1", nearest: at, first: at, last: at, passageBound: .milliseconds(300))
        let mark = ClockMark(
            at: Sample.moment(10).boot, offset: (1_772_353_800_000 + 3_600_000) * 1_000_000,
            bound: .milliseconds(395), source: .gps)
        let other = RaceSample.passing(3, bib: 7, at: 90, run: RunID(sample: "autumn"))
        try log.append([
            PassingLog.Entry(.start, made: Sample.moment(0)),
            PassingLog.Entry(.passing(early), made: Sample.moment(6)),
            PassingLog.Entry(.clock(mark), made: Sample.moment(10)),
            PassingLog.Entry(.passing(RaceSample.record(2, at: 60)), made: Sample.moment(66)),
            PassingLog.Entry(
                .passing(
                    RecordedPassing(
                        other, boot: "b-1", nearest: at, first: at, last: at, passageBound: .milliseconds(300))),
                made: Sample.moment(96)),
        ])
    }

    @Test func `says that nothing was timed where nothing was`() async throws {
        #expect(try await run("list").output == "nothing was timed here")
        #expect(try await run("verify").output == "nothing was timed here")
        #expect(try await run("export").output == PassingRow.columns.joined(separator: ","))
        #expect(try await run("export", "--format", "json").output == "[]")
    }

    @Test func `exports in columns named after the field, and dates what was timed before the clock was set`()
        async throws
    {
        try write()
        let answer = try await run("export", "--run", "spring-10k")
        #expect(answer.code == 0, "\(answer)")
        #expect(
            answer.output == """
                run,checkpoint,bib,order,time,bound_ms,first,last,clock,clock_bound_ms,hits,rssi,method,flags,box,id,\
                told,backup_of,disputes
                spring-10k,finish,9,1,2026-03-01T09:30:00.000Z,497,2026-03-01T09:30:00.000Z,\
                2026-03-01T09:30:00.000Z,gps,396,61,-58,ble-peak,clock-unset few-hits,house-12,\(Sample.id(1)),\
                2026-03-01T08:30:00.000Z,,
                spring-10k,finish,117,1,2026-03-01T08:31:00.000Z,742,2026-03-01T08:30:54.000Z,\
                2026-03-01T08:31:06.000Z,gps,350,61,-58,ble-peak,,house-12,\(Sample.id(2)),,,
                """)
        let json = try await run("export", "--format", "json")
        let rows = try JSONDecoder().decode([PassingRow].self, from: Data(json.output.utf8))
        #expect(
            rows.map(\.bib.number) == [9, 117, 7] && rows.map(\.told) == ["2026-03-01T08:30:00.000Z", nil, nil])
        let list = try await run("list", "--run", "autumn")
        #expect(list.output.split(separator: "\n").count == 2 && list.output.contains("742 ms"), "\(list)")
    }

    @Test(arguments: ["csv", "json"])
    func `says where there was no room for the whole of an export`(format: String) async throws {
        try write()
        let export = "\(BuiltProgram.homegateway) passings export --format \(format) --config \(settings.path)"
        let child = try TiedChild(["/bin/sh", "-c", "\(export) > /dev/full"])
        #expect(try await child.exitCode() == 74)
        #expect(
            child.errors.values.last
                == "the list is not complete: standard output accepts no more (No space left on device); write it "
                + "to a disk with room")
    }

    @Test func `reads its own exports again, as CSV and as JSON, and as a spreadsheet saves them`() async throws
    {
        try write()
        let (csv, json) = (try await run("export").output, try await run("export", "--format", "json").output)
        let european =
            "\u{FEFF}"
            + csv.split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map { "\"\($0)\"" }.joined(
                    separator: ";")
            }.joined(separator: "\r\n")
        var read: [[Passing]] = []
        for (name, text) in [("a.csv", csv), ("a.json", json), ("b.csv", european)] {
            read.append(try PassingFile.read(try scratch.write(text, to: name).path).map(\.passing))
        }
        #expect(read[0].count == 3 && read[0] == read[1] && read[0] == read[2])
        #expect(read[0].map { PassingRow($0).fields.prefix(16) } == rows(csv).map { $0.prefix(16) })
    }

    private func rows(_ csv: String) -> [[String]] {
        csv.split(separator: "\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test func `merges the exports of two boxes, whichever comes first`() async throws {
        func export(_ box: String, _ passings: [Passing]) throws -> String {
            let lines = [PassingRow.columns] + passings.map { PassingRow($0).fields }
            let text = lines.map { $0.joined(separator: ",") }.joined(separator: "\n")
            return try scratch.write(text, to: "\(box).csv").path
        }
        let other = GatewayID(sample: "backup")
        let mine = try export("mine", [RaceSample.passing(1, at: 0), RaceSample.passing(2, bib: 8, at: 50)])
        let theirs = try export(
            "theirs",
            [
                RaceSample.passing(3, at: 0.4, box: other, bound: .milliseconds(100)),
                RaceSample.passing(4, bib: 8, order: 2, at: 53, box: other, bound: .milliseconds(100)),
            ])
        let answer = try await BuiltProgram.run(["passings", "merge", mine, theirs])
        #expect(answer.code == 0, "\(answer)")
        let merged = rows(answer.output)
        #expect(merged.map { $0[15] } == [3, 1, 4, 2].map { Sample.id($0).description })
        #expect(merged.map { $0[17] } == ["", Sample.id(3).description, "", Sample.id(4).description])
        #expect(merged.map { $0[18] } == ["", "", "order time", "order time"])
        #expect(answer.errors.contains("1 passings the boxes disagree"))
        #expect(try await BuiltProgram.run(["passings", "merge", theirs, mine]).output == answer.output)
    }

    @Test func `says of a file that is no export what it saw, where, and what it expected`() async throws {
        let heading = PassingRow.columns.joined(separator: ",")
        let good = PassingRow(RaceSample.passing()).fields.joined(separator: ",")
        let wrongs: [(String, String)] = [
            ("", "line 1: the heading lacks run, checkpoint"),
            ("run,bib\nspring,7", "line 1: the heading lacks checkpoint, order"),
            (
                "\(heading)\n\(good.replacing(",117,", with: ",0,"))",
                "line 2: bib: saw '0', expected 1 to 99999"
            ),
            (
                "\(heading)\n\(good)\n\(good.replacing("08:30:00.000Z", with: "08:30"))",
                "line 3: time: saw '2026-03-01T08:30', expected 2026-05-10T09:41:08.377Z"
            ),
            (
                "\(heading)\n\(good.replacing("ble-peak", with: "radar"))",
                "line 2: method: saw 'radar', expected ble-peak"
            ),
            ("\(heading)\n\"", "quotation mark that is never closed"),
            ("[{\"run\":\"spring\"}]", "is no export in JSON (passing 1: checkpoint is missing)"),
            ("[", "is no export in JSON"), ("\u{FFFE}", "heading lacks"),
        ]
        for (number, (text, expected)) in wrongs.enumerated() {
            let path = try scratch.write(text, to: "wrong-\(number)").path
            #expect {
                try PassingFile.read(path)
            } throws: { error in
                "\(error)".hasPrefix(path) && "\(error)".contains(expected)
            }
        }
        let answer = try await BuiltProgram.run([
            "passings", "merge", "/nonexistent/a.csv", "/nonexistent/b.csv",
        ])
        #expect(
            answer.code == 1 && answer.output.isEmpty && answer.errors.contains("/nonexistent/b.csv"),
            "\(answer)")
    }

    @Test func `reads numbers as large as there are, and refuses those that are none`() throws {
        let heading = PassingRow.columns.joined(separator: ",")
        let good = PassingRow(RaceSample.passing()).fields.joined(separator: ",")
        func read(_ old: String, _ new: String) throws -> [MergedPassing] {
            let path = try scratch.write("\(heading)\n\(good.replacing(old, with: new))", to: "odd.csv").path
            return try PassingFile.read(path)
        }
        let most = try read(",61,-58,", ",\(Int.max),-58,")
        #expect(most.map(\.passing.hits) == [Int.max])
        #expect(try read(",117,1,", ",117,\(Int.max),").map(\.passing.order) == [Int.max])
        let wrongs: [(String, String)] = [
            (",61,-58,", ",-1,-58,"), (",61,-58,", ",\(Int.min),-58,"),
            (",61,-58,", ",9223372036854775808,-58,"),
            (",742,", ",-1,"), (",742,", ",\(Int64.max),"), (",350,", ",\(Int64.min),"), (",117,1,", ",117,0,"),
            // So far from a run that no number of nanoseconds says how far.
            ("2026-03-01T08:30:00.000Z", "9999-12-31T23:59:59.999Z"),
            ("2026-03-01T08:30:00.000Z", "1969-12-31T23:59:59.999Z"),
        ]
        for (old, new) in wrongs {
            #expect(throws: PassingFile.Unusable.self, "\(new)") { try read(old, new) }
        }
        let json = String(decoding: try JSONEncoder().encode([PassingRow(RaceSample.passing())]), as: UTF8.self)
        let path = try scratch.write(
            json.replacing(#""hits":61"#, with: #""hits":\#(Int.max)"#), to: "odd.json"
        ).path
        #expect(try PassingFile.read(path).map(\.passing.hits) == [Int.max])
    }

    @Test func `proves that the log is as it was written, and shows where it is not`() async throws {
        try write()
        let whole = try await run("verify")
        #expect(whole.code == 0 && whole.output.contains("3 passings, each as it was written"), "\(whole)")
        #expect(whole.output.contains("number 4, SHA-256 "))
        let path = scratch.url.path + "/passings.jsonl"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing(#""bib":9"#, with: #""bib":8"#).write(
            toFile: path, atomically: true, encoding: .utf8)
        let changed = try await run("verify")
        #expect(changed.code == 1 && changed.errors.contains("line 3 does not follow from the line before it"))
        #expect(try await run("export").code == 1)
    }

    /// The dozen lines of docs/organiser/passings.md, as they stand there.
    @Test func `can be proven by anybody, with another program`() async throws {
        try write()
        let guide = try String(
            contentsOf: Repository.root.appending(path: "docs/organiser/passings.md"), encoding: .utf8)
        let program = try #require(
            guide.split(separator: "```python\n").dropFirst().first?.split(separator: "```").first)
        let path = scratch.url.path + "/passings.jsonl"
        let child = try TiedChild(["/usr/bin/python3", "-c", String(program), path])
        #expect(try await child.exitCode() == 0)
        let end = try #require(try PassingReport(of: scratch.url.path).end)
        #expect(child.output.values == ["5 lines, \(end.hash)"])
    }
}
