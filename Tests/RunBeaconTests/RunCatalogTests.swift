import Foundation
import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import SeededRandom
import Testing

@Suite struct RunCatalogTests {
    private static func bib(_ number: Int) throws -> Bib { try #require(Bib(number)) }

    private static func tag(_ number: Int) throws -> TagName {
        try TagName("C0:FF:EE:00:00:" + (number < 16 ? "0" : "") + String(number, radix: 16))
    }

    /// Each bib with the tag of its number; starts at minute 10 and ends at minute 60.
    private static func plan(
        _ id: String = "milan", title: String = "Milan 10K", bibs: [Int] = [1, 2], start: Int64 = 10,
        end: Int64 = 60
    ) throws -> RunPlan {
        RunPlan(
            id: RunID(sample: id), outline: try outline(title, start, end),
            entrants: try bibs.map { Entrant(bib: try bib($0), tags: [try tag($0)]) })
    }

    private static func outline(_ title: String, _ start: Int64, _ end: Int64) throws -> RunOutline {
        RunOutline(
            title: title, end: at(end), waves: [Wave(id: WaveID(sample: "all"), start: at(start))],
            checkpoints: [try #require(Checkpoint(id: CheckpointID(sample: "finish"), distances: [10_000]))])
    }

    private static func at(_ minute: Int64) -> WallTime { WallTime(millisecondsSince1970: minute * 60_000) }

    private static func book(
        _ plans: [RunPlan], with materials: RunMaterials = RunMaterials()
    ) -> RunCatalog {
        var book = RunCatalog()
        book.replaceFiles(plans, with: materials, at: at(0))
        return book
    }

    private let milan = RunID(sample: "milan")

    /// Returns the durable part of the catalog, read again, over the same files.
    private static func reborn(_ book: RunCatalog, _ plans: [RunPlan], at minute: Int64 = 0) throws
        -> RunCatalog
    {
        let kept = try JSONEncoder().encode(book.commanded)
        var reborn = RunCatalog(commanded: try JSONDecoder().decode(CommandedRuns.self, from: kept))
        reborn.replaceFiles(plans, with: RunMaterials(), at: at(minute))
        return reborn
    }

    private func bibs(_ book: RunCatalog) -> [Int] { book.enrolments[milan]?.map(\.number).sorted() ?? [] }

    @Test func `who carries this box a command has said only where a command may`() throws {
        let box = GatewayID(sample: "house-14")
        func filed(carries: GatewayID?) throws -> [RunPlan] {
            var plan = try Self.plan()
            plan.entrants[0] = Entrant(bib: try Self.bib(1), tags: [try Self.tag(1)], carries: carries)
            return [plan]
        }
        var book = Self.book(try filed(carries: nil))
        let tags = [try Self.tag(7)]
        try book.perform(
            .enrol(milan, [Entrant(bib: try Self.bib(1), tags: tags, carries: box)]), at: Self.at(20))
        #expect(book.runs[milan]?.carrier(of: box)?.number == 1)
        // Reads it again, after its settings were changed to forbid it.
        func carrier(of gateway: GatewayID, keeping kept: GatewayID?, filed plans: [RunPlan]) throws -> Int? {
            var reborn = RunCatalog(commanded: book.commanded, keeping: kept)
            reborn.replaceFiles(plans, with: RunMaterials(), at: Self.at(0))
            #expect(
                try reborn.runs[milan]?.participant(Self.bib(1))?.tags == [TagIdentity("C0:FF:EE:00:00:07")])
            return reborn.runs[milan]?.carrier(of: gateway)?.number
        }
        let silent = try filed(carries: nil)
        #expect(try carrier(of: box, keeping: nil, filed: silent) == 1)
        #expect(try carrier(of: box, keeping: box, filed: silent) == nil)
        #expect(try carrier(of: box, keeping: GatewayID(sample: "other"), filed: silent) == 1)
        // The entry in the box's own file holds.
        #expect(try carrier(of: box, keeping: box, filed: filed(carries: box)) == 1)
        // The catalog of a command behaves the same.
        var strict = RunCatalog(keeping: box)
        strict.replaceFiles(silent, with: RunMaterials(), at: Self.at(0))
        try strict.perform(.enrol(milan, [Entrant(bib: try Self.bib(9), carries: box)]), at: Self.at(20))
        #expect(strict.runs[milan]?.carrier(of: box) == nil)
    }

    // MARK: Persons of the house in a run

    @Test func `somebody of the house runs from the start of their wave to the end, a day at most`() throws {
        let (anna, day) = (PersonID(sample: "anna"), Int64(24 * 60))
        func book(until end: Int64) throws -> RunCatalog {
            var plan = try Self.plan(end: end)
            let late = Wave(id: WaveID(sample: "late"), start: Self.at(20))
            plan.outline.waves.append(late)
            plan.entrants = [
                Entrant(bib: try Self.bib(1), wave: late.id, tags: [try Self.tag(1)], person: anna),
                Entrant(bib: try Self.bib(2), wave: plan.outline.waves[0].id, tags: [try Self.tag(2)]),
            ]
            return Self.book([plan])
        }
        #expect(try book(until: 60).exercise(at: Self.at(19)) == [:])
        #expect(try book(until: 60).exercise(at: Self.at(20)) == [anna: Self.at(60)])
        #expect(try book(until: 60).exercise(at: Self.at(60)) == [:])
        #expect(try book(until: 3 * day).exercise(at: Self.at(30)) == [anna: Self.at(20 + day)])
        #expect(try book(until: 3 * day).exercise(at: Self.at(20 + day)) == [:])
        var left = try book(until: 60)
        try left.perform(.leave(milan, [Self.bib(1)]), at: Self.at(25))
        #expect(left.exercise(at: Self.at(30)) == [:])
    }

    /// Otherwise a remote issuer that may move a run could widen the limits of a person at home.
    @Test func `no command makes somebody of the house run outside the times of the file`() throws {
        var plan = try Self.plan()
        plan.entrants[0] = Entrant(
            bib: try Self.bib(1), tags: [try Self.tag(1)], person: PersonID(sample: "anna"))
        var book = Self.book([plan])
        let wave = Wave(id: plan.outline.waves[0].id, start: Self.at(30))
        try book.perform(.change(milan, RunChange(end: Self.at(600), waves: [wave])), at: Self.at(5))
        #expect(book.exercise(at: Self.at(29)) == [:])
        #expect(book.exercise(at: Self.at(30)).values.first == Self.at(60))
        #expect(book.underway(at: Self.at(61)).map(\.id) == [milan])
        #expect(book.exercise(at: Self.at(61)) == [:])
    }

    // MARK: State of the runs

    @Test func `a run is idle until its start, underway until its end, and then over`() throws {
        let book = Self.book([try Self.plan()])
        #expect(
            [9, 10, 59, 60].map { book.state(of: milan, at: Self.at($0)) } == [
                .idle, .underway, .underway, .over,
            ])
        #expect(
            [0, 10, 59, 60].map { book.nextChange(after: Self.at($0)) } == [
                Self.at(10), Self.at(60), Self.at(60), nil,
            ])
        #expect(book.tags(at: Self.at(9)).isEmpty && book.tags(at: Self.at(60)).isEmpty)
        #expect(book.tags(at: Self.at(10)).count == 2)
        #expect(book.state(of: RunID(sample: "rome"), at: Self.at(0)) == nil)
        #expect(bibs(book) == [1, 2], "what was timed until the end still goes out")
    }

    @Test func `a run that is cancelled is underway no more, whatever the time, and stays cancelled`() throws {
        var book = Self.book([try Self.plan()])
        try book.perform(.cancel(milan), at: Self.at(20))
        #expect(
            [0, 20, 70].map { book.state(of: milan, at: Self.at($0)) } == [.cancelled, .cancelled, .cancelled])
        #expect(book.underway(at: Self.at(20)).isEmpty && book.nextChange(after: Self.at(0)) == nil)
        #expect(bibs(book) == [1, 2], "what was timed until then still goes out")
        #expect(try !book.perform(.cancel(milan), at: Self.at(21)))
        for order in [
            RunOrder.change(milan, RunChange(title: "Again")), .enrol(milan, []),
            .create(try Self.plan(title: "x")),
        ] {
            #expect(throws: RunRefusal.self) { try book.perform(order, at: Self.at(22)) }
        }
        book.replaceFiles([try Self.plan(title: "Milan, again")], with: RunMaterials(), at: Self.at(0))
        #expect(book.state(of: milan, at: Self.at(20)) == .cancelled)
    }

    // MARK: Files and commands

    @Test func `who leaves goes at once and comes back by a command alone`() throws {
        let file = [try Self.plan()]
        var book = Self.book(file)
        try book.perform(.leave(milan, [try Self.bib(1)]), at: Self.at(20))
        #expect(bibs(book) == [2])
        #expect(book.tags(at: Self.at(20)).values.flatMap(\.self).map(\.bib.number) == [2])
        // The file still names them, with a new title as well.
        book.replaceFiles([try Self.plan(title: "Milan, the 12th")], with: RunMaterials(), at: Self.at(0))
        #expect(bibs(book) == [2] && book.runs[milan]?.title == "Milan, the 12th")
        book = try Self.reborn(book, file)
        #expect(bibs(book) == [2])
        #expect(try !book.perform(.leave(milan, [try Self.bib(1)]), at: Self.at(21)), "as it is already")
        #expect(throws: RunRefusal.notEnrolled(try Self.bib(9))) {
            try book.perform(.leave(milan, [try Self.bib(9)]), at: Self.at(21))
        }
        try book.perform(
            .enrol(milan, [Entrant(bib: try Self.bib(1), tags: [try Self.tag(7)])]), at: Self.at(22))
        #expect(bibs(book) == [1, 2])
        book = try Self.reborn(book, file)
        let runner = try #require(book.runs[milan]?.participant(try Self.bib(1)))
        #expect(try runner.tags == [TagIdentity("C0:FF:EE:00:00:07")])
    }

    @Test func `who left is gone also when the run is over`() throws {
        var book = Self.book([try Self.plan()])
        try book.perform(.leave(milan, [try Self.bib(1)]), at: Self.at(100))
        #expect(bibs(book) == [2])
        #expect(throws: RunRefusal.runOver(milan)) {
            try book.perform(.enrol(milan, [Entrant(bib: try Self.bib(1))]), at: Self.at(100))
        }
    }

    @Test func `a tag is changed by enrolling the bib again, and its person stays`() throws {
        var plan = try Self.plan(bibs: [1])
        let maria = PersonID(sample: "maria")
        plan.entrants = [Entrant(bib: try Self.bib(1), tags: [try Self.tag(1)], person: maria)]
        var book = Self.book([plan])
        try book.perform(
            .enrol(milan, [Entrant(bib: try Self.bib(1), tags: [try Self.tag(2)])]), at: Self.at(20))
        let tags = book.tags(at: Self.at(20))
        #expect(try Array(tags.keys) == [TagIdentity("C0:FF:EE:00:00:02")])
        #expect(book.runs[milan]?.participants.first?.person == maria)
    }

    @Test
    func `whoever has another tag in the file than by command is told, until both say the same or they leave`()
        throws
    {
        func file(_ tags: [Int: Int], wave: String? = nil) throws -> [RunPlan] {
            var plan = try Self.plan(bibs: [])
            plan.entrants = try tags.sorted { $0.key < $1.key }.map { bib, tag in
                Entrant(
                    bib: try Self.bib(bib), wave: wave.map { WaveID(sample: $0) }, tags: [try Self.tag(tag)])
            }
            return [plan]
        }
        func change(_ book: inout RunCatalog, _ plans: [RunPlan]) {
            book.replaceFiles(plans, with: RunMaterials(), at: Self.at(0))
        }
        var book = Self.book(try file([1: 1, 2: 2, 3: 3]))
        let entrants = try [(1, 1), (2, 7), (9, 9)].map {
            Entrant(bib: try Self.bib($0.0), tags: [try Self.tag($0.1)])
        }
        try book.perform(.enrol(milan, entrants), at: Self.at(20))
        #expect(book.warnings == [.overruled(milan, [try Self.bib(2)])], "also of what was changed on purpose")
        // The organiser corrects both in the start list, and relies on it.
        change(&book, try file([1: 5, 2: 6, 3: 3]))
        #expect(book.warnings == [.overruled(milan, [try Self.bib(1), try Self.bib(2)])])
        let warning = try #require(book.warnings.first)
        #expect(warning.concerns(milan) && "\(warning)".contains("for bib 1, 2 than a command has"))
        #expect("\(warning)".contains("run-enrol"))
        #expect(try Self.reborn(book, file([1: 5, 2: 6, 3: 3])).warnings == book.warnings)
        change(&book, try file([1: 1, 2: 7, 3: 4], wave: "all"))
        #expect(book.warnings.isEmpty, "the same again; the only wave is the one that is not named")
        change(&book, try file([1: 5, 2: 7]))
        try book.perform(.leave(milan, [try Self.bib(1)]), at: Self.at(21))
        #expect(book.warnings.isEmpty)
        change(&book, try file([2: 6]))
        try book.perform(.cancel(milan), at: Self.at(22))
        #expect(book.warnings.isEmpty)
    }

    @Test
    func `whoever starts with another wave by command than by the file is told, the first of many by name`()
        throws
    {
        var plan = try Self.plan(bibs: [])
        plan.outline.waves.append(Wave(id: WaveID(sample: "late"), start: Self.at(15)))
        func entrants(_ wave: String) throws -> [Entrant] {
            try (1...7).map {
                Entrant(bib: try Self.bib($0), wave: WaveID(sample: wave), tags: [try Self.tag($0)])
            }
        }
        plan.entrants = try entrants("late")
        var book = Self.book([plan])
        try book.perform(.enrol(milan, try entrants("all")), at: Self.at(5))
        #expect(book.warnings == [.overruled(milan, try (1...7).map { try Self.bib($0) })])
        let warning = try #require(book.warnings.first)
        #expect("\(warning)".contains("for bib 1, 2, 3, 4, 5 and 2 more than a command has"))
    }

    @Test func `what a command says a run is holds until its file says something else`() throws {
        let file = [try Self.plan()]
        var book = Self.book(file)
        try book.perform(.change(milan, RunChange(end: Self.at(90))), at: Self.at(20))
        #expect(book.state(of: milan, at: Self.at(80)) == .underway && book.runs[milan]?.title == "Milan 10K")
        book = try Self.reborn(book, file)
        #expect(book.state(of: milan, at: Self.at(80)) == .underway)
        book.replaceFiles([try Self.plan(end: 70)], with: RunMaterials(), at: Self.at(0))
        #expect(book.state(of: milan, at: Self.at(80)) == .over)
    }

    @Test func `a run that ends too early goes on by a command`() throws {
        var book = Self.book([try Self.plan()])
        try book.perform(.change(milan, RunChange(end: Self.at(90))), at: Self.at(65))
        #expect(book.state(of: milan, at: Self.at(66)) == .underway)
    }

    @Test func `a run of a command outlives a restart, and gives way to a file of its id`() throws {
        var book = RunCatalog()
        let plan = try Self.plan(bibs: [1, 2, 3])
        try book.perform(.create(plan), at: Self.at(0))
        #expect(try !book.perform(.create(plan), at: Self.at(1)), "the same again changes nothing")
        #expect(throws: RunRefusal.runExists(milan)) {
            try book.perform(.create(try Self.plan(title: "Another")), at: Self.at(1))
        }
        book = try Self.reborn(book, [])
        #expect(bibs(book) == [1, 2, 3] && book.runs[milan]?.title == "Milan 10K")
        book.replaceFiles([try Self.plan(title: "By file", bibs: [4])], with: RunMaterials(), at: Self.at(0))
        #expect(book.runs[milan]?.title == "By file" && bibs(book) == [1, 2, 3, 4])
        book.replaceFiles([], with: RunMaterials(), at: Self.at(0))
        #expect(book.runs[milan]?.title == "Milan 10K")
    }

    @Test func `a run is gone with its file, and nobody has left it by that but who had before`() throws {
        var book = Self.book([try Self.plan(bibs: [1, 2, 3])])
        try book.perform(.leave(milan, [try Self.bib(2)]), at: Self.at(5))
        book.replaceFiles([], with: RunMaterials(), at: Self.at(20))
        #expect(
            book.runs.isEmpty && book.underway(at: Self.at(20)).isEmpty && book.tags(at: Self.at(20)).isEmpty)
        #expect(book.nextChange(after: Self.at(20)) == nil)
        #expect(bibs(book) == [1, 3] && book.vanished.keys.map(\.text) == ["milan"])
        // The same holds after a restart without the file, and for runners that leave now.
        book = try Self.reborn(book, [], at: 21)
        #expect(bibs(book) == [1, 3])
        #expect(throws: RunRefusal.notEnrolled(try Self.bib(9))) {
            try book.perform(.leave(milan, [try Self.bib(9)]), at: Self.at(22))
        }
        try book.perform(.leave(milan, [try Self.bib(3)]), at: Self.at(22))
        #expect(bibs(book) == [1])
        book.replaceFiles([try Self.plan(bibs: [1, 2, 3, 4])], with: RunMaterials(), at: Self.at(30))
        #expect(bibs(book) == [1, 4] && book.vanished.isEmpty)
        #expect(book.state(of: milan, at: Self.at(30)) == .underway)
    }

    @Test func `who was enrolled by command stays enrolled when the run's file goes, until they leave`() throws
    {
        let file = [try Self.plan(bibs: [1, 2])]
        var book = Self.book(file)
        let entrants = try [2, 7, 8, 9].map { Entrant(bib: try Self.bib($0), tags: [try Self.tag($0)]) }
        try book.perform(.enrol(milan, entrants), at: Self.at(5))
        try book.perform(.leave(milan, [try Self.bib(8)]), at: Self.at(6))
        book.replaceFiles([], with: RunMaterials(), at: Self.at(20))
        #expect(book.runs.isEmpty && bibs(book) == [1, 2, 7, 9], "a reload without it")
        // The same as a wrong file: a start loads only the sound ones.
        book = try Self.reborn(book, [], at: 21)
        #expect(bibs(book) == [1, 2, 7, 9], "a start without it")
        #expect(try Self.reborn(Self.commanded(entrants, over: file), []).vanished[milan]?.count == 5)
        try book.perform(.leave(milan, [try Self.bib(7), try Self.bib(2)]), at: Self.at(22))
        #expect(bibs(book) == [1, 9])
        book = try Self.reborn(book, [], at: 23)
        #expect(bibs(book) == [1, 9] && book.left(milan).map(\.number).sorted() == [2, 7, 8])
        book.replaceFiles(file, with: RunMaterials(), at: Self.at(30))
        #expect(bibs(book) == [1, 9] && book.runs[milan]?.participants.count == 2)
    }

    private static func commanded(_ entrants: [Entrant], over file: [RunPlan]) throws -> RunCatalog {
        var book = book(file)
        try book.perform(.enrol(RunID(sample: "milan"), entrants), at: at(5))
        return book
    }

    @Test func `whoever was taken off the start list has left, though the file goes after`() throws {
        var book = Self.book([try Self.plan(bibs: [1, 2])])
        book.replaceFiles([try Self.plan(bibs: [1])], with: RunMaterials(), at: Self.at(20))
        book.replaceFiles([], with: RunMaterials(), at: Self.at(21))
        #expect(bibs(book) == [1])
    }

    @Test func `who was in a run whose file has gone is forgotten after a month, not sooner than who left it`()
        throws
    {
        var book = Self.book([try Self.plan(bibs: [1, 2])])
        try book.perform(.leave(milan, [try Self.bib(2)]), at: Self.at(5))
        let gone = Int64(20 * 1_440)
        book.replaceFiles([], with: RunMaterials(), at: Self.at(gone))
        let almost = gone + 31 * 1_440
        for minute in [almost - 1, almost] {
            book.replaceFiles([], with: RunMaterials(), at: Self.at(minute))
            try book.perform(.create(try Self.plan("at-\(minute)")), at: Self.at(minute))
            #expect(bibs(book) == [1])
        }
        book.replaceFiles([], with: RunMaterials(), at: Self.at(almost + 1))
        #expect(book.enrolments[milan] == nil)
    }

    @Test func `who was in a file stays enrolled where a command's run comes back for it`() throws {
        var book = RunCatalog()
        try book.perform(.create(try Self.plan(bibs: [1])), at: Self.at(0))
        book.replaceFiles([try Self.plan(bibs: [2])], with: RunMaterials(), at: Self.at(1))
        book.replaceFiles([], with: RunMaterials(), at: Self.at(2))
        #expect(bibs(book) == [1, 2] && book.runs[milan]?.participants.map(\.bib.number) == [1])
    }

    @Test func `a command makes no run of a week or longer, and lets one of a file be`() throws {
        let (start, day): (Int64, Int64) = (10, 1_440)
        var book = Self.book([try Self.plan()])
        let week = RunOrder.change(milan, RunChange(end: Self.at(start + 7 * day)))
        let refusal = #expect(throws: RunRefusal.self) { try book.perform(week, at: Self.at(20)) }
        #expect(refusal == .tooLong(.seconds(7 * 86_400)) && refusal?.code == "wrong-run")
        try book.perform(.change(milan, RunChange(end: Self.at(start + 7 * day - 1))), at: Self.at(20))
        let long = try Self.plan("rome", end: start + 30 * day)
        #expect(throws: RunRefusal.tooLong(.seconds(30 * 86_400))) {
            try book.perform(.create(long), at: Self.at(20))
        }
        // An entry in the box's own file holds, and may be shortened.
        let rome = long.id
        book.replaceFiles([long], with: RunMaterials(), at: Self.at(0))
        #expect(book.runs[rome]?.end == long.outline.end)
        try book.perform(.change(rome, RunChange(end: Self.at(start + 20 * day))), at: Self.at(20))
        #expect(book.runs[rome]?.end == Self.at(start + 20 * day))
    }

    @Test func `a command brings a course until the run begins, and the file of a run goes on counting`() throws
    {
        let (road, lap) = (
            PlannedCourse.line(try CourseLine("owntGo|aw@_D_D")),
            PlannedCourse.line(try CourseLine("owntGo|aw@R_Dsb@ox@"))
        )
        var book = Self.book([try Self.plan()])
        #expect(try book.perform(.change(milan, RunChange(course: road)), at: Self.at(5)))
        #expect(book.runs[milan]?.course?.points.count == 2)
        #expect(book.companions.courses.isEmpty)
        let again = try Self.reborn(book, [try Self.plan()])
        #expect(again.runs[milan]?.course == book.runs[milan]?.course)
        #expect(try book.perform(.change(milan, RunChange(course: lap)), at: Self.at(9)))
        // From the start on, and after the end.
        for minute in [Int64(10), 59, 61] {
            let refusal = #expect(throws: RunRefusal.self) {
                try book.perform(
                    .change(milan, RunChange(title: "Other", course: road)), at: Self.at(minute))
            }
            #expect(refusal?.code == "run-begun")
            #expect(book.runs[milan]?.course?.points.count == 3 && book.runs[milan]?.title == "Milan 10K")
        }
        // The same course is no other course.
        #expect(
            try book.perform(.change(milan, RunChange(title: "Other", course: lap)), at: Self.at(20)))
        #expect(book.runs[milan]?.title == "Other")
        // Another value in the file ends what was commanded.
        let edited = try Self.plan(title: "Edited")
        book.replaceFiles([edited], with: RunMaterials(), at: Self.at(21))
        #expect(book.runs[milan]?.course == nil)
    }

    @Test func `what does not fit changes nothing, and says why`() throws {
        var book = Self.book([try Self.plan()])
        let wrong: [(RunOrder, String)] = [
            (.enrol(milan, [Entrant(bib: try Self.bib(3), tags: [try Self.tag(1)])]), "wrong-run"),
            (.enrol(milan, [Entrant(bib: try Self.bib(3), wave: WaveID(sample: "late"))]), "wrong-run"),
            (.enrol(milan, try [3, 3].map { Entrant(bib: try Self.bib($0)) }), "wrong-run"),
            (
                .enrol(milan, [Entrant(bib: try Self.bib(3), tags: [try TagName("key-file:3.key")])]),
                "wrong-run"
            ),
            (.change(milan, RunChange(end: Self.at(5))), "wrong-run"),
            (.change(milan, RunChange(waves: [])), "wrong-run"),
            (.change(RunID(sample: "rome"), RunChange()), "unknown-run"),
            (.leave(RunID(sample: "rome"), []), "unknown-run"),
            (.create(try Self.plan("rome", bibs: [1, 1])), "wrong-run"),
        ]
        let before = book.commanded
        for (order, code) in wrong {
            let refusal = #expect(throws: RunRefusal.self) { try book.perform(order, at: Self.at(20)) }
            #expect(refusal?.code == code, "\(order)")
            #expect(bibs(book) == [1, 2] && book.commanded == before)
        }
    }

    @Test
    func `what commands enrolled and the file no longer fits is told, and the file holds without who left`()
        throws
    {
        var book = Self.book([try Self.plan()])
        try book.perform(
            .enrol(milan, [Entrant(bib: try Self.bib(3), tags: [try Self.tag(3)])]), at: Self.at(20))
        try book.perform(.leave(milan, [try Self.bib(1)]), at: Self.at(20))
        // The organiser gives the tag of bib 3 to bib 4.
        var plan = try Self.plan()
        plan.entrants.append(Entrant(bib: try Self.bib(4), tags: [try Self.tag(3)]))
        book.replaceFiles([plan], with: RunMaterials(), at: Self.at(0))
        #expect(bibs(book) == [2, 4])
        #expect(book.warnings == [.unfit(milan, .sharedTag(try Self.bib(3), try Self.bib(4)))])
        // A runner with an unfit entry can leave all the same, and does not come back with another file.
        try book.perform(.leave(milan, [try Self.bib(3)]), at: Self.at(21))
        #expect(book.warnings.isEmpty)
        book.replaceFiles([try Self.plan()], with: RunMaterials(), at: Self.at(22))
        #expect(bibs(book) == [2])
    }

    @Test func `a tag whose key is not there is told, and the runner's others are heard`() throws {
        let file = try #require(CompanionFile("1.key"))
        var plan = try Self.plan(bibs: [])
        plan.entrants = [Entrant(bib: try Self.bib(1), tags: [try Self.tag(1), .keyFile(file)])]
        let book = Self.book([plan])
        #expect(book.warnings == [.unread(milan, try Self.bib(1), file)])
        #expect(book.tags(at: Self.at(20)).count == 1)
        let key = [UInt8](0..<16)
        let whole = Self.book([plan], with: RunMaterials(keys: [file: key]))
        #expect(whole.warnings.isEmpty && whole.tags(at: Self.at(20))[.identityKey(key)]?.count == 1)
        #expect(
            whole.identity(of: .keyFile(file)) == .identityKey(key) && book.identity(of: .keyFile(file)) == nil)
        let kept = String(decoding: try JSONEncoder().encode(whole.commanded), as: UTF8.self)
        #expect(!kept.contains("[0,1,2"))
    }

    @Test func `a key that has gone keeps nobody else from being enrolled`() throws {
        let file = try #require(CompanionFile("1.key"))
        var plan = try Self.plan(bibs: [])
        plan.entrants = [Entrant(bib: try Self.bib(1), tags: [.keyFile(file)])]
        var book = Self.book([plan])
        try book.perform(
            .enrol(milan, [Entrant(bib: try Self.bib(2), tags: [try Self.tag(2)])]), at: Self.at(20))
        #expect(bibs(book) == [1, 2] && book.warnings == [.unread(milan, try Self.bib(1), file)])
        try book.perform(
            .enrol(milan, [Entrant(bib: try Self.bib(1), tags: [.keyFile(file)])]), at: Self.at(20),
            with: RunMaterials(keys: [file: [UInt8](repeating: 7, count: 16)]))
        #expect(book.warnings.isEmpty)
    }

    @Test func `a box at the start and the finish is at both after a restart`() throws {
        var (plan, book) = (try Self.plan(), Self.book([]))
        let id = CheckpointID(sample: "arch")
        plan.outline.checkpoints = [
            try #require(Checkpoint(id: id, distances: [0, 10_000], isFinish: true)),
            try #require(Checkpoint(id: CheckpointID(sample: "bridge"), distances: [5_000], rule: .last)),
        ]
        try book.perform(.create(plan), at: Self.at(20))
        #expect(try Self.reborn(book, []).runs[milan]?.checkpoints == plan.outline.checkpoints)
    }

    /// A number beyond the range of the arithmetic would end the program at the first calculation with it.
    @Test func `of what was kept no time, distance or bib is taken that can be none`() throws {
        var book = Self.book([])
        try book.perform(.create(try Self.plan()), at: Self.at(20))
        let kept = String(decoding: try JSONEncoder().encode(book.commanded), as: UTF8.self)
        let (most, least) = ("\(Int64.max)", "\(Int64.min)")
        let wrong = [
            ("\"distances\":[10000]", "\"distances\":[1e21]"), ("\"distances\":[10000]", "\"distances\":[-1]"),
            ("\"minimumSplit\":0", "\"minimumSplit\":\(most)"), ("\"minimumSplit\":0", "\"minimumSplit\":-1"),
            // The start, the end, and the arrival of the command.
            (":600000}", ":\(least)}"), (":3600000}", ":\(most)}"), (":1200000}", ":\(least)}"),
            ("\"bib\":2", "\"bib\":\(most)"),
        ]
        for (part, other) in wrong {
            #expect(kept.contains(part), "\(part) is not in \(kept)")
            let hostile = Data(kept.replacingOccurrences(of: part, with: other).utf8)
            #expect(throws: DecodingError.self, "\(other)") {
                try JSONDecoder().decode(CommandedRuns.self, from: hostile)
            }
        }
    }

    // MARK: Several at a time

    @Test func `a tag of two runs underway at the same time counts in both, and is told`() throws {
        let rome = RunID(sample: "rome")
        let book = Self.book([try Self.plan(), try Self.plan("rome", bibs: [2, 3], start: 30)])
        #expect(
            book.warnings == [.sharedTags(milan, rome, count: 1, first: try Self.bib(2), try Self.bib(2))])
        let both = try #require(book.tags(at: Self.at(40))[try TagIdentity("C0:FF:EE:00:00:02")])
        #expect(Set(both.map(\.run)) == [milan, rome])
        #expect(book.tags(at: Self.at(20))[try TagIdentity("C0:FF:EE:00:00:02")]?.count == 1)
        let after = Self.book([try Self.plan(), try Self.plan("rome", start: 60, end: 90)])
        #expect(after.warnings.isEmpty, "one begins when the other ends")
    }

    @Test
    func `a box that is carried through two runs at the same time, and a person who runs in both, are told`()
        throws
    {
        let (rome, box) = (RunID(sample: "rome"), GatewayID(sample: "box"))
        func runner(_ number: Int, person: String? = nil, carries: GatewayID? = nil) throws -> Entrant {
            Entrant(bib: try Self.bib(number), person: person.map { PersonID(sample: $0) }, carries: carries)
        }
        func warnings(
            _ own: Entrant, _ its: Entrant, start: Int64 = 30, end: Int64 = 100, standingIn place: Int? = nil
        ) throws -> [RunWarning] {
            var plans = [try Self.plan(bibs: []), try Self.plan("rome", bibs: [], start: start, end: end)]
            plans[0].entrants = [own]
            plans[1].entrants = [its]
            if let place {
                plans[place].outline.checkpoints = [
                    try #require(Checkpoint(id: CheckpointID(sample: "arch"), distances: [5_000], box: box))
                ]
            }
            return Self.book(plans).warnings
        }
        let (carrier, other) = (try runner(1, carries: box), try runner(2))
        let warning = RunWarning.carriedBox(box, by: try Self.bib(1), in: milan, also: rome)
        #expect(try warnings(carrier, try runner(2, carries: box)) == [warning])
        #expect(try warnings(carrier, other, standingIn: 1) == [warning])
        #expect(
            try warnings(other, carrier, standingIn: 0)
                == [.carriedBox(box, by: try Self.bib(1), in: rome, also: milan)])
        let anna = try runner(1, person: "anna")
        #expect(
            try warnings(anna, try runner(2, person: "anna"))
                == [.samePerson(milan, rome, first: try Self.bib(1), try Self.bib(2))])
        #expect(try warnings(anna, try runner(2, person: "bruno")).isEmpty)
        #expect(
            try warnings(carrier, try runner(2, carries: box), start: 60, end: 90).isEmpty,
            "one begins when the other ends")
    }

    @Test
    func `a box that is carried through a run, and stands at the only checkpoint of another, is told there`()
        throws
    {
        let (rome, box) = (RunID(sample: "rome"), GatewayID(sample: "box"))
        var plans = [try Self.plan(), try Self.plan("rome", bibs: [], start: 30, end: 100)]
        plans[1].entrants = [Entrant(bib: try Self.bib(5), carries: box)]
        func warnings(of gateway: GatewayID?) -> [RunWarning] {
            var book = RunCatalog(of: gateway)
            book.replaceFiles(plans, with: RunMaterials(), at: Self.at(0))
            return book.warnings
        }
        // No checkpoint names a box: each box with the file stands there.
        #expect(warnings(of: box) == [.carriedBox(box, by: try Self.bib(5), in: rome, also: milan)])
        #expect(warnings(of: GatewayID(sample: "other")).isEmpty && warnings(of: nil).isEmpty)
        plans[0].outline.checkpoints = [
            try #require(
                Checkpoint(
                    id: CheckpointID(sample: "finish"), distances: [10_000], box: GatewayID(sample: "other")))
        ]
        #expect(warnings(of: box).isEmpty, "another one stands there")
    }

    @Test func `commands make a bounded number of runs, and old ones make room`() throws {
        var book = RunCatalog()
        for number in 0..<RunCatalog.mostCommandedRuns {
            try book.perform(.create(try Self.plan("run-\(number)", bibs: [number + 1])), at: Self.at(0))
        }
        let more = try Self.plan("more", start: 100_000, end: 100_001)
        #expect(throws: RunRefusal.tooManyRuns(RunCatalog.mostCommandedRuns)) {
            try book.perform(.create(more), at: Self.at(1))
        }
        // 32 days later.
        try book.perform(.create(more), at: Self.at(32 * 1_440))
        #expect(book.runs.keys.map(\.text) == ["more"])
    }

    /// Any orders in any sequence: every remaining run is valid, no runner that left is in it, and a restart changes
    /// nothing.
    @Test(arguments: 0..<20) func `any orders leave a book that is sound and durable`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func dice(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }
        let files = [try Self.plan(), try Self.plan("rome", bibs: [5, 6], start: 20, end: 50)]
        var book = Self.book(files)
        for minute in 0..<60 {
            let id = RunID(sample: ["milan", "rome", "turin"][dice(3)])
            let entrant = Entrant(bib: try Self.bib(1 + dice(8)), tags: [try Self.tag(1 + dice(8))])
            let order: RunOrder =
                switch dice(6) {
                case 0: .create(try Self.plan(id.text, bibs: [1 + dice(8)]))
                case 1: .change(id, RunChange(end: Self.at(Int64(30 + dice(60)))))
                case 2 where dice(8) == 0: .cancel(id)
                case 2, 3: .enrol(id, [entrant])
                default: .leave(id, [entrant.bib])
                }
            let before = book.commanded
            do throws(RunRefusal) {
                try book.perform(order, at: Self.at(Int64(minute)))
                if case .leave(_, let bibs) = order {
                    #expect(book.enrolments[id]?.isDisjoint(with: bibs) != false)
                }
            } catch {
                #expect(book.commanded == before)
            }
            guard minute % 6 == 5 else { continue }
            let again = try Self.reborn(book, files)
            #expect(
                again.runs == book.runs && again.enrolments == book.enrolments
                    && again.warnings == book.warnings)
        }
    }
}
