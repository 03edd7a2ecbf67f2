import ControlContract
import Foundation
import GatewayModel
import HTML
import Pages
import RunBeacon
import Testing

@Suite struct `Pages of a race` {
    private static let hostile = "<img src=x onerror=alert(1)>\u{202E}`\"'&"
    private static let start = WallTime(millisecondsSince1970: 1_790_000_000_000)
    private static let calendar = LocalCalendar([LocalCalendar.Step(from: 0, offset: 7_200)])
    private static let now: Int64 = 1_790_001_800_000

    private static func id<ID: Name>(_ text: String) throws -> ID { try #require(ID(text)) }

    private static func at(_ seconds: Int) -> WallTime {
        WallTime(millisecondsSince1970: start.millisecondsSince1970 + Int64(seconds) * 1_000)
    }

    private static func run(_ runners: Int, _ audience: RunAudience) throws -> Run {
        let wave = Wave(id: try id("all"), start: start)
        let line = try (0...40).map {
            try #require(
                Coordinates(latitude: 45 + Double($0) * 0.002_25, longitude: 9 + Double($0 % 7) * 0.001))
        }
        return try Run(
            id: try id("town"), title: "Town \(hostile)", end: at(20_000), waves: [wave],
            checkpoints: [
                try #require(Checkpoint(id: try id("half"), distances: [5_000], box: try id("secret-box"))),
                try #require(Checkpoint(id: try id("finish"), distances: [10_000], isFinish: true)),
            ], course: Course(line), audience: audience,
            participants: try (1...runners).map {
                Participant(
                    bib: try #require(Bib($0)), name: "Runner\($0) \(hostile)",
                    category: "cat \(hostile.prefix(20))",
                    wave: wave.id, tags: [])
            })
    }

    private static func passing(_ bib: Int, _ checkpoint: String, _ seconds: Int, in run: Run) throws -> Passing
    {
        var random = SystemRandomNumberGenerator()
        return Passing(
            id: MessageID(wall: at(seconds), using: &random), run: run.id, checkpoint: try id(checkpoint),
            gateway: try id("secret-box"), bib: try #require(Bib(bib)), order: 1, time: at(seconds),
            first: at(seconds),
            last: at(seconds), clock: ClockState(source: .gps, bound: .milliseconds(50)),
            bound: .milliseconds(840),
            hits: 9, strongest: -60, flags: [])
    }

    /// Bib 1 has finished, bib 2 is projected, bib 3 is located, and the others were not heard.
    private static func race(
        _ runners: Int = 6, _ audience: RunAudience = RunAudience(), spectators: Bool = false,
        at time: Int64 = now
    ) throws -> RaceDocument {
        let run = try run(runners, audience)
        let shape = CourseShape(try #require(run.course))
        var standings = Standings(run)
        for (bib, checkpoint, seconds) in [
            (1, "half", 800), (1, "finish", 1_700), (2, "half", 1_200), (3, "half", 1_250),
        ] { standings.add(try passing(bib, checkpoint, seconds, in: run)) }
        let rows = standings.table()
        var race = RaceDocument(
            run, state: .underway, at: WallTime(millisecondsSince1970: time),
            StandingsDocument(run.id, by: .gun, rows, points: standings.points))
        race.categories = standings.categories
        race.line = RaceDocument.Line(shape)
        race.points = standings.points.map {
            RaceDocument.Point($0, of: run, at: shape.place(at: $0.distance), here: run.checkpoints[1].id)
        }
        let projection = try #require(SplitProjection(of: rows[1], points: standings.points, at: at(1_800)))
        let moment = Moment(boot: BootInstant(nanoseconds: 0), wall: at(1_800))
        let position = RunnerPosition(
            coordinates: run.course?.points[30] ?? run.course!.points[0], accuracy: 5, measured: moment,
            arrival: moment,
            distance: 7_250, speed: 3.3,
            next: RunnerPosition.Prediction(checkpoint: try id("finish"), time: at(2_600), bound: .seconds(40)))
        race.places = [
            RaceDocument.Place(
                rows[1].bib, projection, points: standings.points, at: shape.place(at: projection.distance)),
            RaceDocument.Place(
                rows[2].bib, position, points: standings.points, at: shape.place(at: 7_250),
                BootInstant(nanoseconds: 3_000_000_000)),
        ]
        race.corrections = [
            RaceDocument.Correction(
                RaceCorrection(
                    number: 1, run: run.id, bib: rows[1].bib, act: .mark(.didNotFinish), by: "Org \(hostile)",
                    at: at(1_500), reason: "why \(hostile)"), counts: true)
        ]
        return spectators ? race.forSpectators : race
    }

    private static func pages(
        _ race: RaceDocument, _ view: RaceChoice.View, _ query: [String: String] = [:],
        _ language: PersonProfile.Language = .english, token: String? = "secret-token"
    ) throws -> RacePages {
        let fields = ["run": "town"].merging(query) { $1 }
        return RacePages(
            race, try #require(RaceChoice(fields, view: view)), language, in: calendar, token: token)
    }

    private static func text(
        _ race: RaceDocument, _ view: RaceChoice.View, _ query: [String: String] = [:],
        _ language: PersonProfile.Language = .english, token: String? = "secret-token"
    ) throws -> String {
        try #require(try pages(race, view, query, language, token: token).page()).text
    }

    @Test(arguments: [PersonProfile.Language.english, .italian])
    func `keep hostile names, categories, reasons and searches text, in each view`(
        language: PersonProfile.Language
    ) throws {
        let race = try Self.race()
        for view in RaceChoice.View.allCases {
            let query = ["bib": "2", "find": view == .list ? Self.hostile : "", "category": ""]
            for query in [query, ["bib": "2"]] {
                let text = try Self.text(race, view, query, language)
                #expect(!text.contains("<img") && !text.contains("onerror=alert(1)>"), "\(view)")
                #expect(!text.contains("\u{202E}") && !text.contains(" style="), "\(view)")
                #expect(text.contains("lang=\"\(language.rawValue)\""))
                #expect(text.utf8.count <= 30_000, "\(view): \(text.utf8.count) bytes")
            }
        }
    }

    @Test func `have every text in both languages, and not the same`() throws {
        let race = try Self.race()
        for view in RaceChoice.View.allCases {
            let query = ["bib": "2"]
            #expect(try Self.text(race, view, query, .english) != Self.text(race, view, query, .italian))
        }
    }

    @Test func `show spectators no name, no form but the search, and no view of organisers`() throws {
        let race = try Self.race(spectators: true)
        for view in RaceChoice.View.allCases {
            let page = try Self.pages(race, view, ["bib": "2"], token: nil).page()
            #expect((page == nil) == view.isOfOrganiser, "\(view)")
            let text = page?.text ?? ""
            for word in [
                "Runner1", "Runner2", "Runner3", "secret-box", "method=\"post\"", "token", "Org ", "why",
            ] {
                #expect(!text.contains(word), "\(view): \(word)")
            }
        }
        let named = try Self.race(6, RunAudience(showsNames: true), spectators: true)
        #expect(try Self.text(named, .list, token: nil).contains("Runner3"))
    }

    @Test func `draw located runners solid and projected ones hollow, with the same in words`() throws {
        let text = try Self.text(try Self.race(spectators: true), .list, token: nil)
        let dots = ["located", "projected", "hole"].map { kind in
            text.split(separator: "<path class=\"\(kind)\" d=\"").dropFirst().first?.prefix { $0 != "\"" }.count
            {
                $0 == "h"
            }
        }
        #expect(dots == [1, 1, 1])
        #expect(text.contains("1 measured, 1 projected") && text.contains("at 7.2 km, measured"))
        #expect(text.contains("at 7.5 km, projected"))
        #expect(text.contains("role=\"img\"") && text.contains("<desc id=\"map-text\">"))
    }

    @Test func `find a runner by bib, by a name only where names are shown, and by category`() throws {
        let race = try Self.race(spectators: true)
        func rows(_ race: RaceDocument, _ query: [String: String]) throws -> Int {
            try Self.text(race, .list, query, token: nil).split(separator: "class=\"runner\"").count - 1
        }
        #expect(try rows(race, [:]) == 6)
        #expect(try rows(race, ["find": " 3"]) == 1)
        #expect(try rows(race, ["find": "runner3"]) == 0)
        #expect(try rows(race, ["category": "none"]) == 0)
        let named = try Self.race(6, RunAudience(showsNames: true), spectators: true)
        #expect(try rows(named, ["find": "runner3"]) == 1)
    }

    @Test func `stay small for a field of a thousand, and lead on to the rest`() throws {
        let race = try Self.race(1_000, RunAudience(showsNames: true))
        let text = try Self.text(race, .list)
        #expect(text.utf8.count <= 30_000 && text.contains("Rows 1 to 50 of 1000"))
        #expect(text.contains("first=50"))
        #expect(try Self.text(race, .list, ["first": "950"]).contains("Rows 951 to 1000 of 1000"))
        #expect(try Self.text(race, .board).utf8.count <= 30_000)
    }

    @Test func `show a runner's splits with bounds, the pace and the expected time`() throws {
        let text = try Self.text(try Self.race(spectators: true), .runner, ["bib": "2"], token: nil)
        for word in ["0:20:00.0", "±0.9 s", "4:00 min/km", "finish expected at 16:53:20", "±7 min"] {
            #expect(text.contains(word), "\(word)")
        }
        #expect(try Self.pages(try Self.race(), .runner, ["bib": "99"]).page() == nil)
    }

    @Test func `say how many were not heard, and that an expected time has gone by`() throws {
        let race = try Self.race(spectators: true)
        let text = try Self.text(race, .list, token: nil)
        #expect(text.contains("On the course: 2. Not heard yet: 3. Finished: 1 of 6."), "\(text.prefix(2_000))")
        #expect(try !Self.text(race, .board, token: nil).contains("late"))
        let later = try Self.race(spectators: true, at: Self.at(3_300).millisecondsSince1970)
        #expect(try Self.text(later, .board, token: nil).contains("late"))
        #expect(try Self.text(later, .runner, ["bib": "3"], token: nil).contains(", late"))
        #expect(try Self.text(later, .board, [:], .italian, token: nil).contains("in ritardo"))
    }

    @Test func `show readings only where the document has them`() throws {
        var race = try Self.race(spectators: true)
        #expect(try !Self.text(race, .runner, ["bib": "2"], token: nil).contains("Readings"))
        race.vitals = [
            RaceDocument.Vitals(
                try #require(Bib(2)),
                [RunnerVitals.Value(kind: .heartRate, value: 151.6, unit: "/min", measured: "", ageMs: 3_000)])
        ]
        let text = try Self.text(race, .runner, ["bib": "2"], token: nil)
        #expect(text.contains("152 bpm, 3 s ago") && text.contains("has allowed it"))
        #expect(try !Self.text(race, .runner, ["bib": "3"], token: nil).contains("152"))
    }

    @Test func `write a table for other programs without formulas and with every runner`() throws {
        let csv = try Self.pages(try Self.race(), .results).csv()
        let lines = csv.split(separator: "\r\n")
        #expect(lines.count == 7)
        #expect(lines[0] == "rank,bib,name,category,wave,state,gun,net,bound_s,undecided,half,finish")
        #expect(lines[1].hasPrefix("1,1,") && lines[1].hasSuffix("0:28:20.0,,0.9,,0:13:20.0,0:28:20.0"))
    }

    @Test func `ask for a reason of each correction, and give the form the token of its session`() throws {
        let text = try Self.text(try Self.race(), .corrections, ["bib": "2"])
        let forms = text.split(separator: "method=\"post\"").count - 1
        #expect(forms == 4)
        #expect(text.split(separator: "name=\"reason\"").count - 1 == forms)
        #expect(text.split(separator: "value=\"secret-token\"").count - 1 == forms)
        #expect(!text.contains("data-stream"))
    }

    // MARK: Choices and entries

    @Test func `have no choice without a run, and none of a runner without a bib`() {
        #expect(RaceChoice([:], view: .list) == nil)
        #expect(RaceChoice(["run": "../etc"], view: .list) == nil)
        #expect(RaceChoice(["run": "town", "bib": "-1"], view: .runner) == nil)
        #expect(RaceChoice(["run": "town", "first": "x", "bib": "x"], view: .list) != nil)
    }

    private static func edit(_ fields: [String: String]) throws -> Verb.CorrectRace {
        let form = ["run": "town", "bib": "2", "act": "add", "reason": "seen"].merging(fields) { $1 }
        return try #require(RaceEntry(form)).edit(in: calendar, from: start.millisecondsSince1970, by: "Anna")
    }

    @Test(arguments: [
        ("16:30:00", Int64(1_790_001_000_000)), ("16:30:00,5", 1_790_001_000_500),
        ("00:30:00", 1_790_029_800_000),
        ("2026-09-21 16:30:00", 1_790_001_000_000),
    ])
    func `take a time of day as the first after the start`(text: String, time: Int64) throws {
        let edit = try Self.edit(["point": "half 1", "time": text, "bound": "0,5"])
        #expect(
            edit.act
                == .add(
                    try Self.id("half"), order: 1, time: WallTime(millisecondsSince1970: time), bound: 500))
    }

    @Test(arguments: [
        ["time": "25:00:00"], ["time": "16:30"], ["time": "-1:30:00"], ["time": "nan:00:00"], ["time": ""],
        ["time": "16:30:1e1"], ["bound": "1e9"], ["bound": "nan"], ["bound": "0"], ["point": "half"],
        ["point": "half x"], ["act": "strike"], ["act": "undo"], ["act": "win"], ["reason": " "],
    ])
    func `refuse fields that cannot be read`(wrong: [String: String]) {
        let sound = ["point": "half 1", "time": "16:30:00", "bound": "1"]
        #expect(throws: ControlError.self) { try Self.edit(sound.merging(wrong) { $1 }) }
    }
}
