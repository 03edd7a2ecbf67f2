import ControlContract
import GatewayModel
import HTML

/// List and map of a run.
extension RacePages {
    /// Rows that the search and the category leave.
    var found: [StandingsDocument.Row] {
        race.standings.rows.filter { row in
            guard choice.category.isEmpty || row.category == choice.category else { return false }
            guard !choice.text.isEmpty else { return true }
            if let number = Int(choice.text) { return row.bib == number }
            return showsNames && (row.name?.lowercased().contains(choice.text.lowercased()) ?? false)
        }
    }

    func list() -> HTML {
        let found = found
        let first = choice.first < found.count ? choice.first : 0
        let shown = found.dropFirst(first).prefix(RaceChoice.rows)
        return live(
            HTML(.h1, text: race.title), stateLine,
            HTML(
                .div, .set(.class, "race"), content: map(of: found),
                HTML(
                    .section, content: HTML(.h2, text: words.say(.standings)),
                    found.isEmpty ? HTML(.p, text: words.say(.nobodyFound)) : standings(Array(shown)),
                    pager(first, of: found.count))))
    }

    private func standings(_ rows: [StandingsDocument.Row]) -> HTML {
        let columns: [Text] = [.rank, .runner, .at, .raceTime]
        let places = Dictionary(race.places.map { ($0.bib, $0) }) { first, _ in first }
        let undecided = rows.contains(where: \.isUndecided)
        return HTML(
            .table, .set(.class, "standings"), content: HTML(.caption, text: words.say(.byGun)),
            HTML(
                .thead,
                content: HTML(
                    .tr, content: HTML(columns.map { HTML(.th, .set(.scope, "col"), text: words.say($0)) }))),
            HTML(.tbody, content: HTML(rows.map { self.row($0, places[$0.bib]) })))
            + (undecided ? HTML(.p, .set(.class, "hint"), text: words.say(.undecided)) : .none)
    }

    private func row(_ row: StandingsDocument.Row, _ place: RaceDocument.Place?) -> HTML {
        let bib = Bib(row.bib)
        let rank = row.rank.map { "\($0)" + (row.isUndecided ? "~" : "") } ?? "–"
        let place = place.map { HTML(.small, text: whereabouts($0)) } ?? .none
        return HTML(
            .tr, content: HTML(.td, .set(.class, "rank"), text: rank),
            HTML(
                .th, .set(.scope, "row"),
                content: HTML(
                    .a, .href(choice.showing(.runner, of: bib).link), .set(.class, "runner"),
                    text: called(row.bib)), row.category.map { HTML(.small, text: $0) } ?? .none),
            HTML(.td, content: HTML(state(row)), place),
            HTML(
                .td, .set(.class, "time"), content: HTML(row.gunMs.map(words.time) ?? "–"),
                row.boundMs.map { HTML(.small, text: words.bound($0)) } ?? .none))
    }

    /// The last point, or the state of a runner that is not under way.
    func state(_ row: StandingsDocument.Row) -> String {
        switch row.state {
        case "expected": words.say(.notHeard)
        case "left": words.say(.hasLeft)
        case "dns": words.say(.didNotStart)
        case "dnf": words.say(.didNotFinish)
        case "dsq": words.say(.disqualified)
        default: row.at ?? "–"
        }
    }

    private func pager(_ first: Int, of count: Int) -> HTML {
        guard count > RaceChoice.rows else { return .none }
        let last = min(first + RaceChoice.rows, count)
        func link(_ start: Int, _ text: Text) -> HTML {
            HTML(.a, .href(choice.from(start).link), .set(.class, "ask"), text: words.say(text))
        }
        return HTML(.p, text: words.say(.rowsOf(first + 1, last, of: count)))
            + HTML(
                .nav, .set(.class, "row"), .set(.ariaLabel, words.say(.moreRows)),
                content: first > 0 ? link(max(0, first - RaceChoice.rows), .previous) : .none,
                last < count ? link(last, .nextRows) : .none)
    }
}

extension Text {
    static func rowsOf(_ first: Int, _ last: Int, of all: Int) -> Text {
        Text(
            en: "Rows \(first) to \(last) of \(all)",
            it: "Righe da \(first) a \(last) di \(all)")
    }
    static let moreRows = Text(en: "More rows", it: "Altre righe")
    static let previous = Text(en: "Earlier rows", it: "Righe precedenti")
    static let nextRows = Text(en: "Next rows", it: "Righe successive")
    static let hasLeft = Text(en: "Has left the run", it: "Uscito dalla corsa")
}
