import Foundation
import GatewayModel
import ModelSamples
import RunBeacon
import TestSupport
import Testing

@testable import CloudCommands

@Suite struct RunCommandTests {
    private static let examples = Repository.root.appending(
        path: "docs/contract/examples/command")

    private func read(_ command: String) throws -> CloudCommand {
        try CloudCommand.read(StrictJSON(Array(command.utf8))).1
    }

    /// The `cmd` of an example of the contract.
    private func example(_ name: String) throws -> CloudCommand {
        let bytes = try Data(contentsOf: Self.examples.appending(path: name + ".json"))
        let claims = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        let command = try JSONSerialization.data(withJSONObject: try #require(claims["cmd"]))
        return try read(String(decoding: command, as: UTF8.self))
    }

    @Test func `the examples of the contract read as what they say`() throws {
        guard case .run(.create(let plan)) = try example("run-create") else {
            Issue.record("no run-create")
            return
        }
        let run = try Run(plan)
        #expect(
            run.id.text == "milan" && run.title == "Milan 10K" && run.waves.map(\.id.text) == ["fast", "late"])
        #expect(run.start == WallTime(rfc3339: "2026-05-10T07:00:00Z"))
        #expect(run.checkpoints.map { $0.rule(forOrder: 1) } == [.last, .best, .first])
        #expect(
            run.checkpoints[1].distances == [2_500, 7_500] && run.checkpoints[1].minimumSplit == .seconds(240))
        #expect(run.checkpoints.map(\.box?.text) == ["house-11", "house-12", "house-13"])
        #expect(run.participants.map(\.bib.number) == [17] && run.participants[0].tags.count == 2)
        let milan = RunID(sample: "milan")
        #expect(try example("run-cancel") == .run(.cancel(milan)))
        #expect(try example("run-leave") == .run(.leave(milan, [#require(Bib(17))])))
        #expect(
            try example("run-change")
                == .run(.change(milan, RunChange(end: WallTime(rfc3339: "2026-05-10T10:30:00Z")))))
        guard case .run(.enrol(_, let entrants)) = try example("run-enrol") else {
            Issue.record("no run-enrol")
            return
        }
        #expect(entrants.map(\.bib.number) == [18, 17])
        #expect(try entrants[1].tags == [TagName("key-file:17.key")])
        #expect(entrants.map(\.carries?.text) == ["house-14", nil])
    }

    private static func create(_ members: String) -> String {
        #"{"type":"run-create","run":"milan","title":"M","end":"2026-05-10T12:00:00Z","#
            + #""waves":[{"id":"all","start":"2026-05-10T09:00:00Z"}],"#
            + #""checkpoints":[{"id":"finish","distances_m":[10000]}]"# + members + "}"
    }

    private static func change(_ members: String) -> String {
        #"{"type":"run-change","run":"milan","checkpoints":[{"id":"finish",\#(members)}]}"#
    }

    private static func enrol(_ participant: String) -> String {
        #"{"type":"run-enrol","run":"milan","participants":[\#(participant)]}"#
    }

    @Test func `what is not of the form is refused, and a key is not repeated`() throws {
        let key = "00112233445566778899aabbccddeeff"
        let wrong: [(String, CommandRefusal.Reason)] = [
            (Self.create(#","starts":"x""#), .unknownMember),
            (Self.create(#","course":"../milan.gpx""#), .wrongValue),
            (Self.create(#","course":"line:owntGo|aw@""#), .wrongValue),
            (Self.create(#","course":["owntGo|aw@"]"#), .wrongValue),
            (Self.create(#","course":null"#), .wrongValue), (Self.create(#","course":{}"#), .wrongValue),
            (Self.create(#","course":{"polyline":5}"#), .wrongValue),
            (Self.create(#","course":{"polyline":""}"#), .wrongValue),
            (Self.create(#","course":{"polyline":"_p~iF~ps|U_ulLnnqC"}"#), .wrongValue),
            (Self.create(#","course":{"polyline":"owntGo|aw@_D_D","precision":6}"#), .unknownMember),
            (Self.create(#","participants":[]"#), .wrongValue),
            (Self.create("").replacing("[10000]", with: "[10000, 2]"), .wrongValue),
            (Self.create("").replacing("[10000]", with: "[]"), .wrongValue),
            (Self.create("").replacing("[10000]", with: #"["0"]"#), .wrongValue),
            (Self.create("").replacing("[10000]", with: "[1e21]"), .wrongValue),
            (Self.create("").replacing("[10000]", with: "[0,1000000.5]"), .wrongValue),
            (Self.create("").replacing("[10000]", with: "[-1]"), .wrongValue),
            (Self.create("").replacing("[10000]", with: #"[1],"minimum_split_s":1e30"#), .wrongValue),
            (Self.create("").replacing("[10000]", with: #"[1],"minimum_split_s":-1"#), .wrongValue),
            (Self.change(#""distances_m":[1e21]"#), .wrongValue),
            (Self.create("").replacing("09:00:00Z", with: "09:00:00"), .wrongValue),
            (Self.create("").replacing(#""id":"all""#, with: #""id":"All""#), .wrongValue),
            (Self.create("").replacing(#""id":"all""#, with: #""id":"all","gun":1"#), .unknownMember),
            (#"{"type":"run-create","run":"milan"}"#, .wrongValue),
            (#"{"type":"run-change","run":"milan"}"#, .wrongValue),
            (#"{"type":"run-change","run":"milan","participants":[{"bib":1}]}"#, .unknownMember),
            (#"{"type":"run-cancel","run":"milan","bibs":[1]}"#, .unknownMember),
            (#"{"type":"run-leave","run":"milan","bibs":[]}"#, .wrongValue),
            (#"{"type":"run-leave","run":"milan","bibs":[1,1]}"#, .wrongValue),
            (#"{"type":"run-leave","run":"milan","bibs":[100000]}"#, .wrongValue),
            (#"{"type":"run-leave","run":"milan"}"#, .wrongValue), (Self.enrol(#"{"bib":0}"#), .wrongValue),
            (Self.enrol(#"{"bib":1,"person":"maria"}"#), .unknownMember),
            (Self.enrol(#"{"bib":1,"tags":["irk:\#(key)"]}"#), .wrongValue),
            (Self.enrol(#"{"bib":1,"tags":["key-file:\#(key)"]}"#), .wrongValue),
            (Self.enrol(#"{"bib":1,"tags":["key-file:/etc/shadow"]}"#), .wrongValue),
            (Self.enrol(#"{"bib":1,"name":"a\nb"}"#), .wrongValue),
            (Self.enrol(#"{"bib":1,"carries":"House 14"}"#), .wrongValue),
            (Self.enrol(#"{"bib":1,"carries":["house-14"]}"#), .wrongValue),
        ]
        for (command, reason) in wrong {
            let refusal = #expect(throws: CommandRefusal.self, "\(command)") { try read(command) }
            #expect(refusal?.reason == reason, "\(command): \(String(describing: refusal))")
            #expect(refusal?.detail.contains("8899") == false)
        }
    }

    @Test func `a course comes as the name of a file, or as an encoded polyline`() throws {
        guard case .run(.create(let filed)) = try read(Self.create(#","course":"milan.gpx""#)),
            case .run(.create(let drawn)) = try read(
                Self.create(#","course":{"polyline":"owntGo|aw@_D_D"}"#)),
            case .run(.change(_, let change)) = try read(
                #"{"type":"run-change","run":"milan","course":{"polyline":"owntGo|aw@_D_D"}}"#)
        else {
            Issue.record("no course")
            return
        }
        #expect(filed.outline.course == .file(try #require(CompanionFile("milan.gpx"))))
        #expect(drawn.companions.course == nil && change.course == drawn.outline.course)
        // As the Python package polyline 2.0.2 has it: (45.4644, 9.19), (45.4652, 9.1908).
        let points = try Run(drawn).course?.points
        #expect(points?.map(\.latitude) == [45.4644, 45.4652] && points?.map(\.longitude) == [9.19, 9.1908])
    }

    @Test func `a course of as many characters as a command holds is read, and one more is refused`() throws {
        // A point each 1.1 m to the north: "A?" is one step.
        let longest = "owntGo|aw@" + String(repeating: "A?", count: (CourseLine.mostCharacters - 10) / 2)
        guard case .run(.create(let plan)) = try read(Self.create(#","course":{"polyline":"\#(longest)"}"#))
        else {
            Issue.record("no course")
            return
        }
        #expect(try Run(plan).course?.points.count == 1 + (CourseLine.mostCharacters - 10) / 2)
        let refusal = #expect(throws: CommandRefusal.self) {
            try read(Self.create(#","course":{"polyline":"\#(longest)A?"}"#))
        }
        #expect(refusal?.reason == .wrongValue && refusal?.detail.contains("expected 12288 at most") == true)
    }

    @Test func `only leaving is done whatever the clock says`() throws {
        #expect(try example("run-leave").onlyEnds)
        for other in ["run-create", "run-change", "run-cancel", "run-enrol"] {
            #expect(try !example(other).onlyEnds)
        }
    }

    @Test func `every refusal of the book has its word in the contract`() throws {
        let (milan, bib) = (RunID(sample: "milan"), try #require(Bib(1)))
        let refusals: [RunRefusal] = [
            .unknownRun(milan), .runExists(milan), .runOver(milan), .runCancelled(milan), .notEnrolled(bib),
            .runBegun(milan), .tooManyRuns(1), .tooManyRunners(1), .flaw(.noWave),
        ]
        for refusal in refusals { #expect(CommandRefusal.Reason(rawValue: refusal.code) != nil, "\(refusal)") }
    }
}
