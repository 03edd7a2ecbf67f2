import ControlContract
import GatewayModel
import HTML

/// One runner: splits with their bounds, pace, the next point, and readings that the runner has granted.
extension RacePages {
    func runner() -> HTML? {
        guard let bib = choice.bib?.number, let row = row(bib) else { return nil }
        let place = race.places.first { $0.bib == bib }
        let heading = words.say(.bib(bib)) + (name(bib).map { ": " + $0 } ?? "")
        return live(
            HTML(.h1, text: heading),
            asOf, HTML(.div, .set(.class, "tiles"), content: HTML(tiles(row, place))), splits(of: row),
            vitals(of: bib),
            map(of: [row]),
            HTML(
                .a, .href(choice.showing(.list).link), .set(.class, "ask"), text: words.say(.backToList)))
    }

    private func tiles(_ row: StandingsDocument.Row, _ place: RaceDocument.Place?) -> [HTML] {
        func tile(_ title: Text, _ lines: String?...) -> HTML {
            HTML(
                .div, .set(.class, "tile"), content: HTML(.h2, text: words.say(title)),
                HTML(lines.compactMap { $0 }.map { HTML(.p, text: $0) }))
        }
        let rank = row.rank.map { words.say(.rankOf($0, isUndecided: row.isUndecided)) }
        let time = row.gunMs.map { gun in
            words.time(gun) + (row.boundMs.map { " " + words.bound($0) } ?? "")
        }
        var tiles = [
            tile(.standing, rank ?? state(row), row.category),
            tile(
                .lastPoint, row.rank == nil ? state(row) : row.at, time,
                row.netMs.map { words.say(.net(words.time($0))) }),
        ]
        if let place {
            tiles.append(
                tile(
                    .onCourse, whereabouts(place), place.perKilometre.map { words.say(.pace(words.pace($0))) },
                    expectation(place)))
        } else if let pace = meanPace(row) {
            tiles.append(tile(.onCourse, words.say(.meanPace(words.pace(pace)))))
        }
        return tiles
    }

    /// Seconds per kilometre from the start; nil where there is no way yet.
    private func meanPace(_ row: StandingsDocument.Row) -> Int? {
        guard let metres = row.distanceM, metres >= 200, let time = row.netMs ?? row.gunMs, time > 0 else {
            return nil
        }
        return Int((Double(time) / metres).rounded())
    }

    private func splits(of row: StandingsDocument.Row) -> HTML {
        guard !row.splits.isEmpty else { return HTML(.p, text: words.say(.noSplits)) }
        var before: (metres: Double, time: Int64)? = (0, 0)
        let rows = row.splits.prefix(200).map { split -> HTML in
            let metres = race.points.first { $0.checkpoint == split.checkpoint && $0.order == split.order }?
                .distanceM
            var pace = "–"
            if let metres, let last = before, metres - last.metres >= 200, split.gunMs > last.time {
                pace = words.pace(Int((Double(split.gunMs - last.time) / (metres - last.metres)).rounded()))
            }
            before = metres.map { ($0, split.gunMs) }
            let time = WallTime(rfc3339: split.time).map {
                calendar.clockWithSeconds(of: $0.millisecondsSince1970)
            }
            let cells = [
                words.time(split.gunMs), split.boundMs.map(words.bound) ?? words.say(.noBound), pace,
                time ?? "–",
                words.say(.method(split.method)),
            ]
            return HTML(
                .tr, content: HTML(.th, .set(.scope, "row"), text: name(split)),
                HTML(cells.map { HTML(.td, text: $0) }))
        }
        return table(
            words.say(.splits), [.point, .raceTime, .sureTo, .paceColumn, .clock, .how], rows,
            kind: "figures splits")
    }

    private func vitals(of bib: Int) -> HTML {
        guard let vitals = race.vitals.first(where: { $0.bib == bib }), !vitals.values.isEmpty else {
            return .none
        }
        let lines = vitals.values.map { value in
            let text = value.kind.words(in: words.language)
            let figure = "\(Int(value.value.rounded())) \(text.displayUnit)"
            return HTML(
                .p, text: words.say(.reading(text.title, figure, seconds: Int(max(value.ageMs, 0) / 1_000))))
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.readings)), HTML(lines),
            HTML(.p, .set(.class, "hint"), text: words.say(.byGrant)))
    }
}

extension Text {
    static let standing = Text(en: "Standing", it: "Classifica")
    static let lastPoint = Text(en: "Last point", it: "Ultimo punto")
    static let onCourse = Text(en: "On the course", it: "Sul percorso")
    static let backToList = Text(en: "All runners", it: "Tutti gli atleti")
    static func rankOf(_ rank: Int, isUndecided: Bool) -> Text {
        Text(
            en: "Rank \(rank)\(isUndecided ? ", only a camera can decide" : "")",
            it: "Posizione \(rank)\(isUndecided ? ", può decidere solo una telecamera" : "")")
    }
    static func net(_ time: String) -> Text {
        Text(en: "\(time) from their own start", it: "\(time) dalla propria partenza")
    }
    static func pace(_ pace: String) -> Text {
        Text(en: "Pace \(pace)", it: "Passo \(pace)")
    }
    static func meanPace(_ pace: String) -> Text {
        Text(en: "Mean pace \(pace)", it: "Passo medio \(pace)")
    }
    static let noSplits = Text(
        en: "No box has heard this runner yet.",
        it: "Nessuna centralina ha ancora rilevato questo atleta.")
    static let paceColumn = Text(en: "Pace of the leg", it: "Passo del tratto")
    static let noBound = Text(en: "unknown", it: "ignoto")
    static let byGrant = Text(
        en: "Shown because the runner has allowed it.",
        it: "Mostrate perché l'atleta lo ha permesso.")
}
