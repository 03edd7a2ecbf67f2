import ControlContract
import ControlLink
import Foundation
import GatewayModel
import RunBeacon
import Testing

@Suite struct `The document of a race` {
    private static let start = WallTime(millisecondsSince1970: 1_790_000_000_000)

    private static func id<ID: Name>(_ text: String) throws -> ID { try #require(ID(text)) }

    private static func run(_ runners: Int, laps: Int = 1, showsNames: Bool = false) throws -> Run {
        let wave = Wave(id: try id("all"), start: start)
        let lap = try #require(
            Checkpoint(
                id: try id("lap"), distances: (1...laps).map { Double($0) * 400 }, isFinish: true,
                box: try id("house-12")))
        return try Run(
            id: try id("laps"), title: "Laps",
            end: WallTime(millisecondsSince1970: start.millisecondsSince1970 + 9_000_000),
            waves: [wave], checkpoints: [lap], audience: RunAudience(showsNames: showsNames),
            participants: try (1...runners).map {
                Participant(
                    bib: try #require(Bib($0)), name: "Runner \($0) \(String(repeating: "x", count: 80))",
                    category: "w",
                    wave: wave.id, tags: [])
            })
    }

    private static func document(_ runners: Int, laps: Int = 1, showsNames: Bool = false) throws -> RaceDocument
    {
        let run = try run(runners, laps: laps, showsNames: showsNames)
        var standings = Standings(run)
        var random = SystemRandomNumberGenerator()
        for participant in run.participants {
            for lap in 1...laps {
                let time = WallTime(
                    millisecondsSince1970: start.millisecondsSince1970
                        + Int64(lap * 100_000 + participant.bib.number))
                standings.add(
                    Passing(
                        id: MessageID(wall: time, using: &random), run: run.id, checkpoint: try id("lap"),
                        gateway: try id("house-12"), bib: participant.bib, order: lap, time: time, first: time,
                        last: time, clock: ClockState(source: .gps, bound: .milliseconds(50)),
                        bound: .milliseconds(500),
                        hits: 9, strongest: -60, flags: []))
            }
        }
        var document = RaceDocument(
            run, state: .underway, at: start,
            StandingsDocument(run.id, by: .gun, standings.table(), points: standings.points))
        document.points = standings.points.map { RaceDocument.Point($0, of: run, at: nil, here: nil) }
        document.corrections = [
            RaceDocument.Correction(
                RaceCorrection(
                    number: 1, run: run.id, bib: try #require(Bib(1)), act: .mark(.didNotStart), by: "Anna",
                    at: start,
                    reason: "was ill"), counts: true)
        ]
        return document
    }

    @Test(arguments: [(1, 1), (250, 4), (1_000, 1), (3, 900)])
    func `comes in parts of less than 256 KB, which make the whole again`(runners: Int, laps: Int) throws {
        let whole = try Self.document(runners, laps: laps)
        var joined = whole.part(from: 0)
        var parts = 1
        while let next = joined.next {
            let part = whole.part(from: next)
            #expect(try ControlJSON.line(part).count < 262_144)
            #expect(part.points.isEmpty && part.corrections.isEmpty)
            joined.join(part)
            parts += 1
        }
        #expect(joined.standings.rows == whole.standings.rows)
        #expect(parts == (laps > RaceDocument.mostSplits ? runners : (runners + 99) / 100))
    }

    @Test func `keeps names, boxes, corrections and ids of passings from spectators`() throws {
        let hidden = String(decoding: try ControlJSON.line(try Self.document(3).forSpectators), as: UTF8.self)
        for text in ["Runner", "house-12", "ill", "Anna", "\"passing\""] {
            #expect(!hidden.contains(text), "\(text)")
        }
        let named = try Self.document(3, showsNames: true).forSpectators
        #expect(named.standings.rows.allSatisfy { $0.name?.hasPrefix("Runner") == true })
    }

    @Test func `is cut for every role but the organiser`() throws {
        let reply = ControlReply.done(with: try Self.document(2))
        for role in ControlSession.Role.allCases {
            let session = try ControlSession(role: role, person: PersonID("maria"), name: "Anna")
            let seen = try #require(reply.seen(by: session).document)
            #expect((seen.standings.rows[0].name != nil) == (role == .organiser), "\(role)")
        }
    }

    @Test func `and its standings have the members of homegateway standings --json`() throws {
        let document = try Self.document(2)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(try ControlJSON.line(document.standings)))
                as? NSDictionary)
        #expect(Set(json.allKeys as? [String] ?? []) == ["run", "by", "rows"])
        let row = try #require((json["rows"] as? [NSDictionary])?.first)
        for member in ["rank", "bib", "gun_ms", "bound_ms", "is_undecided", "splits", "state", "wave", "at"] {
            #expect(row[member] != nil, "\(member)")
        }
        let read = try ControlJSON.decode(RaceDocument.self, from: try ControlJSON.line(document))
        #expect(read.standings.rows == document.standings.rows && read.corrections == document.corrections)
    }

    @Test func `asks for a correction in one short line, and gives it back`() throws {
        let bib = try #require(Bib(17))
        let acts: [RaceCorrection.Act] = [
            .add(try Self.id("lap"), order: 3, time: Self.start, bound: 500), .mark(.disqualified), .undo(4),
            .strike(MessageID(wall: Self.start, using: &Self.generator)),
        ]
        for act in acts {
            let edit = try Verb.CorrectRace(
                act, of: bib, in: try Self.id("laps"), reason: String(repeating: "é", count: 500), by: "Anna")
            let line = try ControlJSON.line(ControlLine(edit))
            #expect(line.count < 4_096 && edit.reason.count == 120)
            #expect(try EveryVerb.request(line).request as? Verb.CorrectRace == edit)
        }
        #expect(throws: ControlError.self) {
            try Verb.CorrectRace(.undo(1), of: bib, in: try Self.id("laps"), reason: " ", by: "Anna")
        }
    }

    private static var generator: SystemRandomNumberGenerator {
        get { SystemRandomNumberGenerator() }
        set {}
    }
}
