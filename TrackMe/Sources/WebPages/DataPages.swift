import Accounts
import CSVTables
import Charts
import GatewayModel
import HTML
import Houses
import Store

/// Readings of linked persons: newest values, live, as a chart, as a table and as a file.
struct DataPages: Sendable {
    /// Readings of one file: a week of one kind at 1 Hz.
    private static let mostRows = 604_800
    /// A chart marks 20.
    private static let mostAlarms = 20
    /// Gaps of one page.
    private static let mostGaps = 50

    let parts: SiteParts

    var routes: [Route] {
        [
            Route(.get, Places.data.text, access: .signedIn, answer: overview),
            Route(.get, "/data/{link}", access: .signedIn, answer: charts),
            Route(.get, "/data/{link}/csv", access: .signedIn, answer: csv),
            Route(.get, "/data/{link}/live", access: .signedIn, answer: live),
        ]
    }

    private func place(_ link: Link) -> HTML.Place { Places.data.appending(link.id.description) }

    /// The only linked person, or a list of them.
    private func overview(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let links = try await parts.stores.links.links(of: account.id).filter { $0.state == .linked }
        if links.count == 1 { return .redirect(to: place(links[0])) }
        let layout = Layout(context)
        let rows = links.map { link in
            HTML(
                .li,
                content: HTML(.a, .href(place(link)), text: "\(link.subject.person), \(link.subject.gateway)"))
        }
        let main =
            links.isEmpty
            ? HTML(.p, text: layout.words.say(.noLinkYet))
                + HTML(.p, content: HTML(.a, .href(Places.links), text: layout.words.say(.links)))
            : HTML(.ul, .set(.class, "entries"), content: HTML(rows))
        return .page(layout.page(title: layout.words.say(.myData), main: main))
    }

    // MARK: Chart

    private func charts(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.page, context, of: link)
        let layout = Layout(context)
        let words = layout.words
        let now = parts.clock()
        let calendar = parts.calendar(of: context)
        let latest = try await parts.stores.samples.latest(of: link.subject)
        let usual = latest.first { $0.kind == .heartRate } ?? latest.first
        let choice = DataChoice(
            context, usual: usual?.kind ?? .heartRate, today: calendar.day(of: now.millisecondsSince1970))
        let summaries = try await parts.stores.samples.summaries(
            of: link.subject, choice.kind, from: choice.days.from(in: calendar),
            to: choice.days.to(in: calendar),
            minutes: choice.span.minutes)
        let gaps = try await parts.stores.records.gaps(
            of: link.subject, choice.kind, from: choice.days.from(in: calendar),
            to: choice.days.to(in: calendar),
            most: Self.mostGaps)
        let alarms = try await parts.stores.records.alarms(
            of: link.subject, from: choice.days.from(in: calendar), to: choice.days.to(in: calendar),
            most: Self.mostAlarms)
        let shared = try await parts.stores.facts.sharing(.limits, of: link.subject)?.limits ?? []
        let limits = shared.first { $0.kind == choice.kind }.map { LimitLines($0, words).all } ?? []
        let main =
            newest(latest, link, words, calendar)
            + HTML(
                .p,
                content: HTML(.a, .href(place(link).adding("/house")), text: words.say(.houseLink)))
            + HTML(
                .section,
                content: HTML(.h2, text: heading(choice, words)),
                chooser(choice, latest.map(\.kind), link, words),
                summaries.isEmpty
                    ? HTML(.p, text: words.say(.noReadings))
                    : drawing(choice, summaries, limits, alarms, words, calendar),
                AlarmList(alarms, PageTimes(calendar, words), words).html,
                GapList(gaps, PageTimes(calendar, words), words).html,
                summaries.isEmpty && gaps.isEmpty
                    ? .none : table(choice, summaries, gaps, words, calendar),
                HTML(
                    .p,
                    content: HTML(
                        .a, .href(choice.place(place(link).adding("/csv"))), text: words.say(.download))))
        return .page(
            layout.page(
                title: "\(words.say(.myData)): \(link.subject.person)", isLive: !latest.isEmpty, main: main))
    }

    private func newest(
        _ latest: [LatestValue], _ link: Link, _ words: Words, _ calendar: LocalCalendar
    ) -> HTML {
        guard !latest.isEmpty else { return HTML(.p, text: words.say(.noReadings)) }
        let tiles = latest.map { value in
            HTML(
                .div, .set(.class, "tile"), content: HTML(.h3, text: words.title(value.kind)),
                HTML(
                    .p, .set(.id, "value-\(value.kind.rawValue)"), .set(.class, "figure"),
                    text: words.figure(value.value, value.kind)),
                HTML(
                    .p, .set(.id, "time-\(value.kind.rawValue)"),
                    text: Self.time(value.time, words, calendar)))
        }
        return HTML(
            .section, .set(.dataLive, place(link).adding("/live").text),
            content: HTML(.h2, text: words.say(.newest)),
            HTML(
                .p, .set(.id, "lost"), .set(.class, "warn hidden"), .set(.role, "alert"), text: words.say(.lost)
            ),
            HTML(.div, .set(.class, "tiles"), content: HTML(tiles)))
    }

    private static func time(_ time: WallTime, _ words: Words, _ calendar: LocalCalendar) -> String {
        let at = time.millisecondsSince1970
        let second = (at / 1_000) % 60
        return calendar.date(of: at).text(words.language) + ", "
            + words.say(.at(calendar.clock(of: at) + (second < 10 ? ":0" : ":") + "\(second)"))
    }

    private func heading(_ choice: DataChoice, _ words: Words) -> String {
        let first = LocalCalendar.date(of: choice.days.first).text(words.language)
        let last = LocalCalendar.date(of: choice.days.last).text(words.language)
        return words.say(.chartOf(words.title(choice.kind), first == last ? last : "\(first) - \(last)"))
    }

    /// Links for the span, and a form for the rest: both work without script.
    private func chooser(
        _ choice: DataChoice, _ kinds: [QuantityKind], _ link: Link, _ words: Words
    ) -> HTML {
        let base = place(link)
        let options = (kinds.contains(choice.kind) ? kinds : kinds + [choice.kind]).map { kind in
            HTML(
                .option, .set(.value, kind.rawValue), kind == choice.kind ? .flag(.selected) : nil,
                text: words.title(kind))
        }
        let form = HTML(
            .form, .set(.method, "get"), .action(base), .set(.class, "choose"),
            content: HTML(
                void: .input, .set(.type, "hidden"), .set(.name, "span"), .set(.value, choice.span.rawValue)),
            HTML(
                .label, content: HTML(words.say(.kind)),
                HTML(.select, .set(.name, "kind"), content: HTML(options))),
            HTML(
                .label, content: HTML(words.say(.lastDay)),
                HTML(
                    void: .input, .set(.type, "date"), .set(.name, "end"),
                    .set(.value, LocalCalendar.iso(choice.days.last)))),
            HTML(.button, .set(.type, "submit"), .set(.class, "plain"), text: words.say(.show)))
        func entry(_ choice: DataChoice, _ text: String, isCurrent: Bool = false) -> HTML {
            HTML(
                .a, .href(choice.place(base)), isCurrent ? .set(.ariaCurrent, "true") : nil, text: text)
        }
        let spans =
            HTML(
                DataChoice.Span.allCases.map { span in
                    entry(choice.over(span), Self.title(span, words), isCurrent: choice.span == span)
                })
            + entry(choice.earlier, words.say(.earlier))
            + (choice.later.map { entry($0, words.say(.later)) } ?? .none)
        return form + HTML(.nav, .set(.class, "links"), .set(.ariaLabel, words.say(.span)), content: spans)
    }

    private static func title(_ span: DataChoice.Span, _ words: Words) -> String {
        switch span {
        case .day: words.say(.day)
        case .week: words.say(.week)
        case .month: words.say(.month)
        case .quarter: words.say(.quarter)
        }
    }

    private func drawing(
        _ choice: DataChoice, _ summaries: [Summary], _ limits: [Chart.Limit], _ alarms: [StoredAlarm],
        _ words: Words,
        _ calendar: LocalCalendar
    ) -> HTML {
        let (from, to) = (
            choice.days.from(in: calendar).millisecondsSince1970,
            choice.days.to(in: calendar).millisecondsSince1970
        )
        let count = Int((to - from) / Int64(choice.span.minutes * 60_000))
        var columns = [Chart.Column?](repeating: nil, count: max(count, 1))
        for summary in summaries {
            let index = Int((summary.begin.millisecondsSince1970 - from) / Int64(choice.span.minutes * 60_000))
            guard columns.indices.contains(index) else { continue }
            columns[index] = Chart.Column(min: summary.min, mean: summary.mean, max: summary.max)
        }
        let description = Self.description(summaries, choice.kind, words)
        return Chart(
            id: "chart", title: heading(choice, words), description: description, series: .columns(columns),
            limits: limits,
            alarms: alarms.map { choice.days.place(of: $0.begin.millisecondsSince1970, in: calendar) },
            ticks: choice.days.ticks(in: calendar, words.language)
        ).svg(figure: words.figure) + HTML(.p, text: description)
            + (limits.isEmpty ? .none : HTML(.p, text: limits.map { $0.label + "." }.joined(separator: " ")))
    }

    private static func description(_ summaries: [Summary], _ kind: QuantityKind, _ words: Words) -> String {
        let count = summaries.reduce(0) { $0 + $1.count }
        let sum = summaries.reduce(0.0) { $0 + $1.mean * Double($1.count) }
        return words.say(
            .summary(
                count: count, min: words.figure(summaries.map(\.min).min() ?? 0, kind),
                mean: words.figure(sum / Double(max(count, 1)), kind),
                max: words.figure(summaries.map(\.max).max() ?? 0, kind)))
    }

    /// The same data, by hours or by days.
    private func table(
        _ choice: DataChoice, _ summaries: [Summary], _ gaps: [StoredGap], _ words: Words,
        _ calendar: LocalCalendar
    ) -> HTML {
        func row(of time: WallTime) -> Int64 {
            let at = time.millisecondsSince1970
            switch choice.span {
            case .day: return Int64(calendar.hour(of: at))
            case .week, .month, .quarter: return Int64(calendar.day(of: at))
            }
        }
        let (begin, end) = (
            choice.days.from(in: calendar), choice.days.to(in: calendar).advanced(by: .milliseconds(-1))
        )
        var groups = Dictionary(grouping: summaries) { row(of: $0.begin) }
        var missing: [Int64: StoredGap] = [:]
        for gap in gaps {
            let (first, last) = (row(of: max(gap.from, begin)), row(of: min(gap.to, end)))
            for key in first...max(first, last) where groups[key] == nil { missing[key] = gap }
        }
        for key in missing.keys { groups[key] = [] }
        let rows = groups.sorted { $0.key < $1.key }.map { key, group in
            let count = group.reduce(0) { $0 + $1.count }
            let mean = group.reduce(0.0) { $0 + $1.mean * Double($1.count) } / Double(max(count, 1))
            let title =
                switch choice.span {
                case .day: (key < 10 ? "0" : "") + "\(key):00"
                case .week, .month, .quarter: LocalCalendar.date(of: Int(key)).text(words.language)
                }
            if let gap = missing[key] {
                let reason = words.say(
                    .noData(GapWords(dropped: gap.dropped, reason: gap.reason)))
                return FigureTable.row(
                    title,
                    [HTML(.td, .set(.class, "missing"), text: reason)]
                        + ["", "", "0"].map { HTML(.td, text: $0) })
            }
            let figures: [Double] = [group.map(\.min).min() ?? 0, mean, group.map(\.max).max() ?? 0]
            return FigureTable.row(title, figures.map(words.figure) + ["\(count)"])
        }
        return FigureTable(
            "\(words.say(.table)), \(words.unit(choice.kind))",
            columns: [Text.time, .least, .mean, .greatest, .count].map(words.say), rows: rows
        ).html
    }

    // MARK: File

    private func csv(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        try await parts.recordLook(.file, context, of: link)
        let now = parts.clock()
        let calendar = parts.calendar(of: context)
        let choice = DataChoice(
            context, usual: .heartRate, today: calendar.day(of: now.millisecondsSince1970))
        let samples = try await parts.stores.samples.samples(
            of: link.subject, choice.kind, from: choice.days.from(in: calendar),
            to: choice.days.to(in: calendar),
            most: Self.mostRows)
        var text = CSVRow(["time", "kind", "value", "unit", "device", "id"]).line + "\r\n"
        for sample in samples {
            text +=
                CSVRow([
                    calendar.rfc3339(sample.time.millisecondsSince1970), sample.kind.rawValue,
                    "\(sample.value)", sample.kind.coding.unit, sample.device.text, sample.id.description,
                ]).line + "\r\n"
        }
        var answer = WebAnswer.text(Array(text.utf8), type: "text/csv; charset=utf-8")
        let name = "\(link.subject.person)-\(choice.kind.rawValue)-\(LocalCalendar.iso(choice.days.last)).csv"
        answer.headers.append(("Content-Disposition", "attachment; filename=\"\(name)\""))
        return answer
    }

    // MARK: Stream

    private func live(_ context: RouteContext) async throws -> WebAnswer {
        let link = try await parts.openLink(context)
        guard !parts.hub.isFull else { throw Problem(.busy, "too many streams are open") }
        guard let session = context.session else { throw Problem(.notSignedIn, "sign in first") }
        let events = LiveEvents(
            parts: parts, link: link, session: session, account: try context.signedIn(),
            words: Words(context.language))
        let queue = EventQueue<LatestValue>(newest: 16)
        return .events(queue) { send in
            guard
                let page = parts.hub.open(link.subject, put: { queue.put($0) }, end: { queue.end() })
            else { return }
            defer { page.close() }
            try await events.send(queue.events, by: send) { sample, words, calendar in
                let kind = sample.kind.rawValue
                let value = words.figure(sample.value, sample.kind)
                return #"{"kind":"\#(kind)","value":\#(JSONText.quoted(value)),"#
                    + #""time":\#(JSONText.quoted(Self.time(sample.time, words, calendar)))}"#
            }
        }
    }
}

/// Alarms of a chart in words.
private struct AlarmList {
    private let alarms: [StoredAlarm]
    private let times: PageTimes
    private let words: Words

    init(_ alarms: [StoredAlarm], _ times: PageTimes, _ words: Words) {
        (self.alarms, self.times, self.words) = (alarms, times, words)
    }

    var html: HTML {
        guard !alarms.isEmpty else { return .none }
        return HTML(
            .ul, .set(.class, "entries"),
            content: HTML(
                alarms.map { alarm in
                    HTML(
                        .li,
                        text: words.say(.alarm(times.text(alarm.begin), alarm.state, isDrill: alarm.isDrill)))
                }))
    }
}

/// Gaps of a chart in words.
private struct GapList {
    private let gaps: [StoredGap]
    private let times: PageTimes
    private let words: Words

    init(_ gaps: [StoredGap], _ times: PageTimes, _ words: Words) {
        (self.gaps, self.times, self.words) = (gaps, times, words)
    }

    var html: HTML {
        guard !gaps.isEmpty else { return .none }
        return HTML(
            .ul, .set(.class, "entries"),
            content: HTML(
                gaps.map { gap in
                    HTML(
                        .li,
                        text: words.say(
                            .missing(
                                from: times.text(gap.from), to: times.text(gap.to),
                                GapWords(dropped: gap.dropped, reason: gap.reason))))
                }))
    }
}

extension Text {
    static let noLinkYet = Text(
        en: "Your account is not linked to a person yet. Ask the house of the person first.",
        it: "Il tuo account non è ancora collegato a una persona. Prima chiedi alla casa della persona.")
    static let newest = Text(en: "Newest readings", it: "Misure più recenti")
    static let noReadings = Text(en: "There are no readings.", it: "Non ci sono misure.")
    static let show = Text(en: "Show", it: "Mostra")
    static let lastDay = Text(en: "Last day", it: "Ultimo giorno")
    static func chartOf(_ kind: String, _ dates: String) -> Text {
        Text(en: "\(kind), \(dates)", it: "\(kind), \(dates)")
    }
    static let least = Text(en: "Least", it: "Minimo")
    static let greatest = Text(en: "Greatest", it: "Massimo")
    static let download = Text(en: "Download as CSV", it: "Scarica come CSV")
    static let table = Text(en: "The same as a table", it: "Gli stessi dati in tabella")
    static let lost = Text(
        en: "The connection is interrupted. The values are old.",
        it: "Il collegamento è interrotto. I valori sono vecchi.")
    static func noData(_ gap: GapWords) -> Text {
        Text(
            en: "no data, because \(Text.cause(gap.reason).en) (\(gap.dropped) missing)",
            it: "nessun dato, perché \(Text.cause(gap.reason).it) (ne mancano \(gap.dropped))")
    }
    static func missing(from: String, to: String, _ gap: GapWords) -> Text {
        Text(
            en:
                "From \(from) to \(to): \(gap.dropped) readings are missing, because \(Text.cause(gap.reason).en).",
            it: "Da \(from) a \(to): mancano \(gap.dropped) misure, perché \(Text.cause(gap.reason).it).")
    }
    static let houseLink = Text(en: "House and devices", it: "Casa e dispositivi")
}
