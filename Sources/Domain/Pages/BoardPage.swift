import ControlContract
import GatewayModel
import HTML

/// Board of the announcer: the last passings in large letters, and the runners that come next.
extension RacePages {
    /// Rows of each list: they fill a screen.
    private static let rows = 12

    func board() -> HTML {
        let passings = race.standings.rows.flatMap { row in row.splits.map { (row: row, split: $0) } }
            .sorted { ($0.split.time, $0.row.bib) > ($1.split.time, $1.row.bib) }.prefix(Self.rows)
        let next = race.places.filter { $0.expected != nil }
            .sorted { ($0.expected ?? 0, $0.bib) < ($1.expected ?? 0, $1.bib) }.prefix(Self.rows)
        return live(
            HTML(.h1, .set(.class, "board-title"), text: race.title),
            HTML(
                .div, .set(.class, "board"),
                content: HTML(
                    .section, content: HTML(.h2, text: words.say(.lastPassings)),
                    passings.isEmpty
                        ? HTML(.p, text: words.say(.noPassings))
                        : HTML(.ol, content: HTML(passings.map { passed($0.row, $0.split) }))),
                HTML(
                    .section, content: HTML(.h2, text: words.say(.nextExpected)),
                    next.isEmpty
                        ? HTML(.p, text: words.say(.nobodyExpected))
                        : HTML(.ol, content: HTML(next.map(coming))))))
    }

    private func passed(_ row: StandingsDocument.Row, _ split: StandingsDocument.Split) -> HTML {
        let isLast = row.splits.last == split
        let rank = isLast ? row.rank.map { words.say(.rankShort($0)) } : nil
        return line(row.bib, row.category, [name(split), words.time(split.gunMs), rank])
    }

    private func coming(_ place: RaceDocument.Place) -> HTML {
        let time = place.expected.map { calendar.clockWithSeconds(of: $0) }
        return line(
            place.bib, row(place.bib)?.category,
            [place.next, time, place.boundMs.map(words.roundBound), isLate(place) ? words.say(.late) : nil])
    }

    private func line(_ bib: Int, _ category: String?, _ facts: [String?]) -> HTML {
        HTML(
            .li, content: HTML(.span, .set(.class, "number"), text: "\(bib)"),
            HTML(
                .span, .set(.class, "fact"),
                text: [name(bib) ?? category].compactMap { $0 }.joined()),
            HTML(.span, .set(.class, "fact"), text: facts.compactMap { $0 }.joined(separator: " · ")))
    }
}

extension Text {
    static let lastPassings = Text(en: "Last passings", it: "Ultimi passaggi")
    static let noPassings = Text(en: "No runner has passed yet.", it: "Non è ancora passato nessuno.")
    static let nextExpected = Text(en: "Expected next", it: "Prossimi arrivi")
    static let nobodyExpected = Text(en: "No runner is expected.", it: "Nessun atleta è previsto.")
    static func rankShort(_ rank: Int) -> Text {
        Text(en: "rank \(rank)", it: "pos. \(rank)")
    }
}
