package import ControlContract
package import GatewayModel
package import HTML

extension PageModule {
    /// Pages of races have their own shared contents: the console serves them beside the pages of the house.
    static let races = PageModule(
        [HousePage("/", for: [.organiser]) { _ in .redirect(Pages.Route.races) }], acts: [.correctRace])
}

/// Fields: those of `RaceChoice`.
extension Pages.Route {
    package static let races: HTML.Place = "/races"
    package static let run: HTML.Place = "/race"
    package static let runner: HTML.Place = "/race/runner"
    package static let board: HTML.Place = "/race/board"
    package static let boxes: HTML.Place = "/race/boxes"
    package static let results: HTML.Place = "/race/results"
    package static let resultsTable: HTML.Place = "/race/results.csv"
    package static let corrections: HTML.Place = "/race/corrections"
    package static let raceStream: HTML.Place = "/race/stream"
}

/// Pages of one run. Pure: the document of the run, a choice and a reader become a document.
///
/// The gateway has left out of the document all that the reader must not see.
package struct RacePages: Sendable {
    package let race: RaceDocument
    package let choice: RaceChoice
    /// Nil for a spectator: a spectator has no form but the search.
    let token: String?
    let words: Words
    let calendar: LocalCalendar

    /// - Parameter token: form token of an organiser; nil for spectators.
    package init(
        _ race: RaceDocument, _ choice: RaceChoice, _ language: PersonProfile.Language,
        in calendar: LocalCalendar, token: String? = nil
    ) {
        (self.race, self.choice, self.calendar, self.token) = (race, choice, calendar, token)
        words = Words(language)
    }

    var isOrganiser: Bool { token != nil }

    /// The page of the choice; nil where the reader may not see it, or the run has no such runner.
    package func page() -> Page? {
        guard let main = content() else { return nil }
        let board = choice.view == .board
        return Page(
            lang: words.language.rawValue, title: title,
            kind: board ? .kiosk : choice.view == .results ? .print : .family,
            refreshSeconds: choice.view.isLive ? 30 : nil, style: PageFiles.style.place,
            script: choice.view == .results ? nil : PageFiles.script.place,
            header: lost + navigation + (choice.view == .list ? search : .none), main: main)
    }

    /// Content of `<main>`, as the stream sends it; nil as for `page`.
    package func content() -> HTML? {
        guard isOrganiser || !choice.view.isOfOrganiser else { return nil }
        return switch choice.view {
        case .list: list()
        case .runner: runner()
        case .board: board()
        case .boxes: boxes()
        case .results: results()
        case .corrections: corrections()
        }
    }

    // MARK: Frame

    var title: String {
        switch choice.view {
        case .list: race.title
        case .runner: words.say(.bib(choice.bib?.number ?? 0)) + ", " + race.title
        case .board: words.say(.board) + ", " + race.title
        case .boxes: words.say(.boxes) + ", " + race.title
        case .results: words.say(.results) + ", " + race.title
        case .corrections: words.say(.corrections) + ", " + race.title
        }
    }

    /// Live content: the script asks the stream for the next.
    func live(_ content: HTML...) -> HTML {
        HTML(
            .div, .set(.dataPage, "race"), choice.view.isLive ? .stream(choice.stream) : nil,
            content: HTML(content))
    }

    private var lost: HTML {
        HTML(
            .div, .set(.id, "lost"), .set(.class, "lost hidden"), .set(.role, "status"), text: words.say(.lost))
    }

    private var navigation: HTML {
        let spectators: [(RaceChoice.View, Text)] = [(.list, .listAndMap), (.board, .board)]
        let organisers: [(RaceChoice.View, Text)] = [
            (.boxes, .boxes), (.corrections, .corrections), (.results, .results),
        ]
        let links = (isOrganiser ? spectators + organisers : spectators).map { view, text in
            HTML(
                .a, .href(choice.showing(view).link), view == choice.view ? .set(.ariaCurrent, "page") : nil,
                text: words.say(text))
        }
        return HTML(
            .nav, .set(.class, "screen"), .set(.ariaLabel, words.say(.racePages)),
            content: HTML(.a, .href(Pages.Route.races), text: words.say(.races)), HTML(links))
    }

    /// Form of the search: it works without script.
    private var search: HTML {
        let all = HTML(.option, .set(.value, ""), text: words.say(.allCategories))
        let options = race.categories.prefix(60).map { category in
            HTML(
                .option, .set(.value, category), category == choice.category ? .flag(.selected) : nil,
                text: category)
        }
        let category = HTML(
            .label, content: HTML(words.say(.category)),
            HTML(.select, .set(.name, "category"), content: all, HTML(options)))
        return HTML(
            .form, .set(.method, "get"), .action(Pages.Route.run), .set(.class, "find choose"),
            .set(.role, "search"),
            content: HTML(
                void: .input, .set(.type, "hidden"), .set(.name, "run"), .set(.value, choice.run.text)),
            HTML(
                .label, content: HTML(words.say(showsNames ? .bibOrName : .bibOnly)),
                HTML(
                    void: .input, .set(.type, "search"), .set(.name, "find"), .set(.maxlength, 40),
                    .set(.inputmode, showsNames ? "text" : "numeric"), .set(.autocomplete, "off"),
                    .set(.value, choice.text))), race.categories.isEmpty ? .none : category,
            HTML(.button, .set(.type, "submit"), .set(.class, "plain"), text: words.say(.find)))
    }

    // MARK: Parts of several pages

    /// Whether the reader sees names.
    var showsNames: Bool { isOrganiser || race.showsNames }

    /// One line on the state of the run.
    var stateLine: HTML {
        let finished = race.standings.rows.count { $0.state == "finished" }
        let running = race.standings.rows.count { $0.state == "running" }
        let state: Text =
            switch race.state {
            case "idle": .startsAt(calendar.clock(of: race.start))
            case "underway":
                .underway(
                    running: running, notHeard: race.standings.rows.count { $0.state == "expected" },
                    finished: finished, of: race.runners)
            case "cancelled": .cancelled
            default: .over(finished: finished, of: race.runners)
            }
        // Only a race that goes on changes each second.
        return HTML(.p, .set(.class, "state"), text: words.say(state)) + asOf
    }

    var asOf: HTML {
        guard race.state == "underway" else { return .none }
        return HTML(.p, .set(.class, "hint"), text: words.say(.asOf(calendar.clockWithSeconds(of: race.time))))
    }

    func row(_ bib: Int) -> StandingsDocument.Row? { race.standings.rows.first { $0.bib == bib } }

    /// Name of a runner where the reader sees it, else nothing.
    func name(_ bib: Int) -> String? { showsNames ? row(bib)?.name : nil }

    /// Bib, with the name where the reader sees it.
    func called(_ bib: Int) -> String { name(bib).map { "\(bib) \($0)" } ?? "\(bib)" }

    /// Name of a point: `lap 3` where it is passed several times.
    func name(_ split: StandingsDocument.Split) -> String {
        race.points.first { $0.checkpoint == split.checkpoint && $0.order == split.order }?.name
            ?? split.checkpoint
    }

    /// Words on a place: measured or projected, with the distance.
    func whereabouts(_ place: RaceDocument.Place) -> String {
        guard let metres = place.distanceM else { return words.say(.offCourse) }
        let distance = words.kilometres(metres)
        return words.say(place.isLocated ? .located(distance) : .projected(distance))
    }

    /// Expected time at the next point, with its bound.
    func expectation(_ place: RaceDocument.Place) -> String? {
        guard let next = place.next, let expected = place.expected, let bound = place.boundMs else {
            return nil
        }
        let said = words.say(
            .expected(next, calendar.clockWithSeconds(of: expected), words.roundBound(bound)))
        return isLate(place) ? "\(said), \(words.say(.late))" : said
    }

    /// Whether the expected time has gone by, by more than its bound or by five minutes.
    func isLate(_ place: RaceDocument.Place) -> Bool {
        guard race.state == "underway", let expected = place.expected, let bound = place.boundMs else {
            return false
        }
        return race.time > expected + min(bound, 300_000)
    }

    /// Table that scrolls by itself where a screen is too narrow for it.
    func table(_ caption: String, _ columns: [Text], _ rows: [HTML], kind: StaticString = "figures")
        -> HTML
    {
        HTML(
            .div, .set(.class, "scroll"), .set(.role, "region"), .set(.tabindex, 0), .set(.ariaLabel, caption),
            content: HTML(
                .table, .set(.class, kind.description), content: HTML(.caption, text: caption),
                HTML(
                    .thead,
                    content: HTML(
                        .tr, content: HTML(columns.map { HTML(.th, .set(.scope, "col"), text: words.say($0)) }))
                ),
                HTML(.tbody, content: HTML(rows))))
    }
}

extension LocalCalendar {
    /// `HH:MM:SS`
    func clockWithSeconds(of time: Int64) -> String {
        let seconds = Int(((time / 1_000) % 60 + 60) % 60)
        return clock(of: time) + ":" + (seconds < 10 ? "0" : "") + "\(seconds)"
    }
}

/// List of the runs of a box, for spectators and organisers.
package struct RaceListPage: Sendable {
    private let runs: [HouseSnapshot.Run]
    private let time: Int64
    private let words: Words
    private let calendar: LocalCalendar

    /// - Parameter time: milliseconds since 1970.
    package init(
        _ runs: [HouseSnapshot.Run], at time: Int64, _ language: PersonProfile.Language,
        in calendar: LocalCalendar
    ) {
        (self.runs, self.time, self.calendar) = (runs, time, calendar)
        words = Words(language)
    }

    package func page() -> Page {
        Page(
            lang: words.language.rawValue, title: words.say(.races), kind: .family, refreshSeconds: 60,
            style: PageFiles.style.place,
            main: HTML(.h1, text: words.say(.races))
                + (runs.isEmpty ? HTML(.p, text: words.say(.noRaces)) : HTML(runs.prefix(100).map(article))))
    }

    private func article(_ run: HouseSnapshot.Run) -> HTML {
        guard let id = RunID(run.id) else { return .none }
        let state: Text = time < run.start ? .toCome : time < run.end ? .isUnderway : .runIsOver
        let day = calendar.date(of: run.start).text(words.language)
        return HTML(
            .article, .set(.class, "tile"), content: HTML(.h2, text: run.title),
            HTML(
                .p,
                text: words.say(state) + ". "
                    + words.say(.startOf(day, calendar.clock(of: run.start), runners: run.runners))),
            HTML(
                .a, .href(RaceChoice(run: id, view: .list).link), .set(.class, "ask"),
                .set(.ariaLabel, words.say(.follow) + ": " + run.title), text: words.say(.follow)))
    }
}

extension Text {
    static let racePages = Text(en: "Pages of the race", it: "Pagine della corsa")
    static let noRaces = Text(en: "This box has no race.", it: "Questa centralina non ha corse.")
    static let follow = Text(en: "Follow the race", it: "Segui la corsa")
    static let toCome = Text(en: "To come", it: "In programma")
    static let isUnderway = Text(en: "Under way", it: "In corso")
    static let runIsOver = Text(en: "Over", it: "Finita")
    static func startOf(_ day: String, _ time: String, runners: Int) -> Text {
        Text(
            en: "Start \(day), \(time). Runners: \(runners).",
            it: "Partenza \(day), \(time). Iscritti: \(runners).")
    }
    static let listAndMap = Text(en: "List and map", it: "Elenco e mappa")
    static func startsAt(_ time: String) -> Text {
        Text(en: "The start is at \(time).", it: "La partenza è alle \(time).")
    }
    static func underway(running: Int, notHeard: Int, finished: Int, of all: Int) -> Text {
        Text(
            en: "Under way. On the course: \(running). "
                + (notHeard == 0 ? "" : "Not heard yet: \(notHeard). ") + "Finished: \(finished) of \(all).",
            it: "In corso. Sul percorso: \(running). "
                + (notHeard == 0 ? "" : "Non ancora rilevati: \(notHeard). ")
                + "Arrivati: \(finished) di \(all).")
    }
    static func asOf(_ time: String) -> Text {
        Text(en: "As of \(time).", it: "Aggiornato alle \(time).")
    }
    static let bibOrName = Text(en: "Bib or name", it: "Pettorale o nome")
    static let allCategories = Text(en: "All", it: "Tutte")
    static let find = Text(en: "Find", it: "Cerca")
    static let offCourse = Text(en: "off the course", it: "fuori dal percorso")
    static func located(_ distance: String) -> Text {
        Text(en: "at \(distance), measured", it: "a \(distance), misurata")
    }
    static func projected(_ distance: String) -> Text {
        Text(en: "at \(distance), projected", it: "a \(distance), stimata")
    }
}
