import CSVTables
import ControlContract
import GatewayModel
import HTML

/// Results with names: to print, and as a table for other programs.
extension RacePages {
    /// Rows of a printed list. A longer field is printed from the table.
    private static let printed = 1_000

    func results() -> HTML {
        let rows = found.prefix(Self.printed)
        let bodies = rows.map { row -> HTML in
            let texts = [row.name ?? "", row.category ?? "", state(row)]
            let times = [
                row.gunMs.map(words.time) ?? "–", row.netMs.map(words.time) ?? "–",
                row.boundMs.map(words.bound) ?? "–",
            ]
            return HTML(
                .tr,
                content: HTML(.td, text: row.rank.map { "\($0)" + (row.isUndecided ? "~" : "") } ?? "–"),
                HTML(.th, .set(.scope, "row"), text: "\(row.bib)"), HTML(texts.map { HTML(.td, text: $0) }),
                HTML(times.map { HTML(.td, .set(.class, "time"), text: $0) }))
        }
        let columns: [Text] = [.rank, .bibColumn, .name, .category, .at, .gun, .netColumn, .sureTo]
        return HTML(
            .div, .set(.dataPage, "race"),
            content: HTML(.h1, text: race.title), stateLine,
            HTML(
                .a, .href(Pages.Route.resultsTable.with("run", choice.run.text)), .set(.class, "ask screen"),
                text: words.say(.downloadResults)),
            table(words.say(.byGun), columns, Array(bodies), kind: "results"),
            HTML(.p, text: words.say(.undecided)),
            race.corrections.isEmpty ? .none : HTML(.p, text: words.say(.corrected(race.corrections.count))))
    }

    /// All runners, with the gun time at each point.
    package func csv() -> String {
        let points = race.points.prefix(400)
        let head =
            ["rank", "bib", "name", "category", "wave", "state", "gun", "net", "bound_s", "undecided"]
            + points.map(\.name)
        return race.standings.rows.reduce(into: CSVRow(head).line + "\r\n") { text, row in
            let splits = Dictionary(row.splits.map { ("\($0.checkpoint) \($0.order)", $0.gunMs) }) { first, _ in
                first
            }
            let rank: String = row.rank.map { "\($0)" } ?? ""
            let runner: [String] = [
                rank, "\(row.bib)", row.name ?? "", row.category ?? "", row.wave, row.state,
            ]
            let bound: String = row.boundMs.map { Self.tenths($0) } ?? ""
            let times: [String] = [Self.plainTime(row.gunMs), Self.plainTime(row.netMs), bound]
            let own: [String] = points.map { Self.plainTime(splits["\($0.checkpoint) \($0.order)"]) }
            text += CSVRow(runner + times + [row.isUndecided ? "yes" : ""] + own).line + "\r\n"
        }
    }

    /// `1:23:45.6`, in every language.
    private static func plainTime(_ milliseconds: Int64?) -> String {
        milliseconds.map(Words(.english).time) ?? ""
    }

    private static func tenths(_ milliseconds: Int64) -> String {
        let tenths = (milliseconds + 99) / 100
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Text {
    static let bibColumn = Text(en: "Bib", it: "Pett.")
    static let gun = Text(en: "Gun time", it: "Tempo ufficiale")
    static let netColumn = Text(en: "Net time", it: "Tempo netto")
    static let downloadResults = Text(en: "Download as a table (CSV)", it: "Scarica come tabella (CSV)")
    static func corrected(_ count: Int) -> Text {
        Text(en: "Corrections by hand: \(count).", it: "Correzioni a mano: \(count).")
    }
}
