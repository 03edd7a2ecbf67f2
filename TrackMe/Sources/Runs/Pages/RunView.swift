import Accounts
import Contract
import GatewayModel
import HTML
import RunBeacon
import WebPages

/// HTML of runs, from values alone.
struct RunView: Sendable {
    static let root: HTML.Place = "/runs"
    static let mine: HTML.Place = "/my-runs"
    /// Rows of the standings.
    private static let mostRows = 100

    static func place(of run: RunID) -> HTML.Place { root.appending(run.text) }
    static func mine(_ run: RunID) -> HTML.Place { mine.appending(run.text) }

    let layout: Layout
    let words: Words
    let now: WallTime
    let calendar: LocalCalendar

    init(_ context: RouteContext, now: WallTime, calendar: LocalCalendar) {
        (layout, words) = (Layout(context), Words(context.language))
        (self.now, self.calendar) = (now, calendar)
    }

    private func time(_ time: WallTime) -> String {
        let at = time.millisecondsSince1970
        return layout.date(calendar.date(of: at)) + ", " + calendar.clock(of: at)
    }

    private func clock(_ time: WallTime) -> String { calendar.clock(of: time.millisecondsSince1970) }

    func part(_ html: HTML) -> WebAnswer {
        .text(Array(html.source.utf8), type: "text/html; charset=utf-8")
    }

    func link(_ place: HTML.Place, _ text: Text) -> HTML {
        HTML(.p, content: HTML(.a, .href(place), text: words.say(text)))
    }

    func warning(_ text: String?) -> HTML {
        text.map { HTML(.p, .set(.class, "warn"), .set(.role, "alert"), text: $0) } ?? .none
    }

    // MARK: Lists

    func list(_ runs: [OrganisedRun]) -> Page {
        func section(_ title: Text, _ states: Set<RunState>, isFirst: Bool) -> HTML {
            let found = runs.filter { states.contains($0.state(at: now)) }
            guard !found.isEmpty || isFirst else { return .none }
            return HTML(.h2, text: words.say(title))
                + entries(found.map { line($0, Self.place(of: $0.id)) })
        }
        return layout.page(
            title: words.say(.runs),
            main: section(.ongoing, [.underway], isFirst: true) + section(.coming, [.idle], isFirst: false)
                + section(.past, [.over, .cancelled], isFirst: false) + link(Self.mine, .myRuns))
    }

    private func entries(_ entries: [HTML]) -> HTML {
        entries.isEmpty
            ? HTML(.p, text: words.say(.noRuns))
            : HTML(.ul, .set(.class, "entries"), content: HTML(entries.map { HTML(.li, content: $0) }))
    }

    private func line(_ run: OrganisedRun, _ place: HTML.Place) -> HTML {
        HTML(.p, content: HTML(.a, .href(place), text: run.definition.outline.title))
            + HTML(.p, .set(.class, "hint"), text: facts(run))
    }

    private func facts(_ run: OrganisedRun) -> String {
        words.say(.from(time(run.definition.start), to: time(run.definition.outline.end))) + ", "
            + words.say(.state(run.state(at: now)))
    }

    func mine(
        _ organised: [(run: OrganisedRun, role: RunRole)], _ joined: [(run: OrganisedRun, bib: Bib)]
    ) -> Page {
        func section(_ title: Text, _ states: Set<RunState>) -> HTML {
            let found = organised.filter { states.contains($0.run.state(at: now)) }
            guard !found.isEmpty else { return .none }
            return HTML(.h2, text: words.say(title))
                + entries(found.map { line($0.run, Self.mine($0.run.id)) })
        }
        let sections =
            section(.ongoing, [.underway]) + section(.coming, [.idle]) + section(.past, [.over, .cancelled])
        return layout.page(
            title: words.say(.myRuns),
            main: (organised.isEmpty ? HTML(.p, text: words.say(.noRuns)) : sections)
                + link("/my-runs/new", .organise) + HTML(.h2, text: words.say(.joined))
                + entries(
                    joined.map { entry in
                        line(entry.run, Self.place(of: entry.run.id).adding("/join"))
                            + HTML(.p, text: words.say(.bib) + " \(entry.bib)")
                    }))
    }

    // MARK: Spectators

    func runPage(_ shown: RunFrames.Shown, search: String) -> Page {
        let place = Self.place(of: shown.run.id)
        let part = search.isEmpty ? place.adding("/part") : place.adding("/part").with("text", search)
        let form = HTML(
            .form, .set(.method, "get"), .action(place), .set(.class, "choose"),
            content: HTML(
                .div, .set(.class, "field"),
                content: HTML(.label, .set(.for, "text"), text: words.say(.search)),
                HTML(.p, .set(.id, "text-hint"), .set(.class, "hint"), text: words.say(.searchHint)),
                HTML(
                    void: .input, .set(.id, "text"), .set(.name, "text"), .set(.type, "text"),
                    .set(.maxlength, 60), .set(.autocomplete, "off"), .set(.ariaDescribedby, "text-hint"),
                    search.isEmpty ? nil : .set(.value, search))),
            layout.button(words.say(.show)))
        let join =
            [.idle, .underway].contains(shown.run.state(at: now))
            ? link(place.adding("/join"), .join) : HTML.none
        return layout.page(
            title: shown.run.definition.outline.title, live: place.adding("/live"),
            part: run(shown, search: search), at: part, lost: words.say(.lost),
            // A field below the map and a hundred rows is found by nobody on a telephone.
            first: form + (search.isEmpty ? .none : link(place, .all)), rest: join + link(Self.root, .runs),
            hasForm: true, script: RunFiles.script.place)
    }

    func run(_ shown: RunFrames.Shown, search: String) -> HTML {
        let picture = shown.picture
        let found = picture.rows.filter { Self.matches($0, search) }
        let description = shown.run.definition.description
        return HTML(.p, text: facts(shown.run))
            + (description.isEmpty ? .none : HTML(.p, text: description))
            + HTML(
                .p, text: words.say(.runners(shown.run.participants, of: shown.run.definition.most)))
            + map(picture, found) + HTML(.h2, text: words.say(.standings)) + table(picture, found)
    }

    /// A number searches a bib, a text the names that the public may see.
    private static func matches(_ row: Standing, _ search: String) -> Bool {
        if search.isEmpty { return true }
        if let number = Int(search) { return row.bib.number == number }
        return row.name?.lowercased().contains(search.lowercased()) ?? false
    }

    private func map(_ picture: RunPicture, _ rows: [Standing]) -> HTML {
        guard let shape = picture.shape else { return .none }
        let places = rows.compactMap { picture.places[$0.bib] }.filter { $0.point != nil }
        let located = places.count(where: \.isLocated)
        let text = words.say(.onMap(located: located, projected: places.count - located))
        return HTML(.h2, text: words.say(.map))
            + RunMap(shape: shape, picture: picture, shown: rows).svg(
                title: words.say(.mapOf(picture.run.title)), description: text)
            + HTML(
                .ul, .set(.class, "keys"),
                content: HTML(.li, .set(.class, "key-located"), text: words.say(.keyLocated)),
                HTML(.li, .set(.class, "key-projected"), text: words.say(.keyProjected)))
            + HTML(.p, text: text)
    }

    private func table(_ picture: RunPicture, _ rows: [Standing]) -> HTML {
        guard !rows.isEmpty else { return HTML(.p, text: words.say(.nobody)) }
        let shown = rows.prefix(Self.mostRows)
        let head = [Text.rank, .runner, .at, .time].map {
            HTML(.th, .set(.scope, "col"), text: words.say($0))
        }
        return HTML(
            .table, content: HTML(.caption, text: words.say(.byGun)),
            HTML(.thead, content: HTML(.tr, content: HTML(head))),
            HTML(.tbody, content: HTML(shown.map { row($0, picture) })))
            + (shown.contains(where: \.isUndecided)
                ? HTML(.p, .set(.class, "hint"), text: words.say(.undecided)) : .none)
            + (rows.count > shown.count
                ? HTML(.p, text: words.say(.manyRows(shown.count, rows.count))) : .none)
    }

    private func row(_ row: Standing, _ picture: RunPicture) -> HTML {
        let place = Self.place(of: picture.run.id).adding("/runners").appending("\(row.bib)")
        let lost =
            picture.lost[row.bib].map {
                HTML(.p, .set(.class, "warn"), text: words.say(.trackerLost(clock($0))))
            } ?? .none
        return HTML(
            .tr,
            content: HTML(.td, text: row.rank.map { "\($0)" + (row.isUndecided ? "~" : "") } ?? "–"),
            HTML(.th, .set(.scope, "row"), content: HTML(.a, .href(place), text: called(row))),
            HTML(.td, content: HTML(state(row, picture)), lost),
            HTML(
                .td,
                text: [row.gun.map(words.elapsed), row.bound.map(words.bound)].compactMap(\.self)
                    .joined(separator: " ")))
    }

    private func called(_ row: Standing) -> String { "\(row.bib)" + (row.name.map { " \($0)" } ?? "") }

    private func state(_ row: Standing, _ picture: RunPicture) -> String {
        switch row.state {
        case .expected: words.say(.notHeard)
        case .left: words.say(.left)
        case .didNotStart: words.say(.didNotStart)
        case .didNotFinish: words.say(.didNotFinish)
        case .disqualified: words.say(.disqualified)
        case .running, .finished: row.splits.last?.point.name(among: picture.points) ?? "–"
        }
    }

    func runnerPage(_ shown: RunFrames.Shown, _ row: Standing) -> Page {
        let run = Self.place(of: shown.run.id)
        return layout.page(
            title: called(row), live: run.adding("/live"), part: runner(shown, row.bib),
            at: run.adding("/runners").appending("\(row.bib)").adding("/part"), lost: words.say(.lost),
            rest: link(run, .all), script: RunFiles.script.place)
    }

    /// Empty for a runner that has left.
    func runner(_ shown: RunFrames.Shown, _ bib: Bib) -> HTML {
        let picture = shown.picture
        guard let row = picture.rows.first(where: { $0.bib == bib }) else {
            return HTML(.p, text: words.say(.left))
        }
        var facts = [state(row, picture)]
        if let place = picture.places[bib], let next = place.next, let expected = place.expected {
            facts.append(
                words.say(.next(next, clock(expected))) + (place.bound.map { " " + words.bound($0) } ?? ""))
        }
        for vital in picture.vitals[bib] ?? [] {
            facts.append(words.say(.vital(vital.kind, vital.value, clock(vital.time))))
        }
        let lost = picture.lost[bib].map { words.say(.trackerLost(clock($0))) }
        let splits = row.splits.map { split in
            HTML(
                .tr,
                content: HTML(.th, .set(.scope, "row"), text: split.point.name(among: picture.points)),
                HTML(.td, text: words.elapsed(split.gun)),
                HTML(.td, text: split.bound.map(words.bound) ?? "–"))
        }
        return HTML(facts.map { HTML(.p, text: $0) })
            + (lost.map { HTML(.p, .set(.class, "warn"), text: $0) } ?? .none) + map(picture, [row])
            + HTML(.h2, text: words.say(.splits))
            + (splits.isEmpty
                ? HTML(.p, text: words.say(.noSplits))
                : HTML(.table, content: HTML(.tbody, content: HTML(splits))))
    }
}

extension Text {
    static let noRuns = Text(en: "There is none.", it: "Nessuna.")
    static let ongoing = Text(en: "Ongoing runs", it: "Gare in corso")
    static let coming = Text(en: "Coming runs", it: "Prossime gare")
    static let past = Text(en: "Past runs", it: "Gare passate")
    static let myRuns = Text(en: "My runs", it: "Le mie gare")
    static func from(_ start: String, to end: String) -> Text {
        Text(en: "From \(start) to \(end)", it: "Dalle \(start) alle \(end)")
    }
    static let byGun = Text(
        en: "By the time since the start of the wave, with the error in 95 of 100 cases",
        it: "Per tempo dallo sparo, con l'errore in 95 casi su 100")
    static let undecided = Text(
        en: "~ the difference to the runner before is smaller than the error of both times.",
        it: "~ la differenza dall'atleta precedente è minore dell'errore dei due tempi.")
    static func mapOf(_ title: String) -> Text {
        Text(en: "Course of \(title)", it: "Percorso di \(title)")
    }
    static let keyLocated = Text(en: "measured place", it: "posizione misurata")
    static let keyProjected = Text(
        en: "place by the pace of the last leg",
        it: "posizione secondo il passo dell'ultimo tratto")
    static func onMap(located: Int, projected: Int) -> Text {
        Text(
            en: "\(located) with a measured place, \(projected) with an expected one.",
            it: "\(located) con posizione misurata, \(projected) con posizione prevista.")
    }
    static let search = Text(en: "Bib or name", it: "Pettorale o nome")
    static let searchHint = Text(
        en: "Names are known of runners that let the public see them.",
        it: "Si conoscono i nomi degli atleti che li mostrano al pubblico.")
    static let show = Text(en: "Filter", it: "Filtra")
    static let all = Text(en: "All runners", it: "Tutti gli atleti")
    static let notHeard = Text(en: "not heard yet", it: "non ancora rilevato")
    static let left = Text(en: "left", it: "ritirato")
    static let didNotStart = Text(en: "did not start", it: "non partito")
    static let didNotFinish = Text(en: "did not finish", it: "non arrivato")
    static let disqualified = Text(en: "disqualified", it: "squalificato")
    static func trackerLost(_ time: String) -> Text {
        Text(
            en: "tracker lost, last position \(time)",
            it: "localizzatore perso, ultima posizione \(time)")
    }
    static func next(_ point: String, _ time: String) -> Text {
        Text(en: "\(point) expected at \(time)", it: "\(point) previsto alle \(time)")
    }
    static let noSplits = Text(en: "No time yet.", it: "Ancora nessun tempo.")
    static func vital(_ quantityKind: QuantityKind, _ value: Double, _ time: String) -> Text {
        switch (quantityKind, value, time) {
        case (.heartRate, let value, let time):
            Text(
                en: "Heart rate \(Int(value.rounded()))/min at \(time)",
                it: "Battito \(Int(value.rounded()))/min alle \(time)")
        case (_, let value, let time):
            Text(
                en: "Energy \(Int(value.rounded())) kJ at \(time)",
                it: "Energia \(Int(value.rounded())) kJ alle \(time)")
        }
    }
    static func manyRows(_ shown: Int, _ count: Int) -> Text {
        Text(
            en: "The first \(shown) of \(count): search for the others.",
            it: "I primi \(shown) di \(count): cerca gli altri.")
    }
}
