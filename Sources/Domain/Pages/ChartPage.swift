import CSVTables
import Charts
import ControlContract
package import GatewayModel
package import HTML
import Phrases

extension PageModule {
    static let charts = PageModule([
        HousePage(
            Pages.Route.charts, entry: .init([.person, .family, .carer]) { $0.words.say(.charts) }
        ) { try show($0, asTable: false) },
        HousePage(Pages.Route.table) { try show($0, asTable: true) },
    ])

    private static func show(_ visit: PageVisit, asTable: Bool) throws -> PageAnswer {
        guard let reader = HistoryReader(visit) else { return .missing }
        let (pages, calendar) = (visit.pages, reader.calendar)
        let today = calendar.day(of: visit.now.millisecondsSince1970)
        guard let choice = HistoryChoice(visit.query, usual: pages.usualKind, today: today) else {
            return .missing
        }
        switch try reader.data(of: choice) {
        case .refused(let refusal): return .refused(pages.historyRefused(refusal))
        case .shown(let data) where asTable:
            return .table(pages.csv(choice, data, in: calendar), named: choice.kind.rawValue)
        case .shown(let data):
            let alarms = try reader.alarms(
                from: choice.days.from(in: calendar), to: choice.days.to(in: calendar))
            return .page(pages.charts(choice, data, alarms: alarms, in: calendar))
        }
    }
}

/// Fields of both: those of `HistoryChoice`.
extension Pages.Route {
    static let charts: HTML.Place = "/charts"
    static let table: HTML.Place = "/charts.csv"
}

/// Charts of one kind with a table of the same data, for the person, the family and the carers.
extension Pages {

    /// Person of the session; nil for a session of nobody, and for a person who is gone.
    var subject: HouseSnapshot.Person? { viewer.person.flatMap { id in visible.first { $0.id == id } } }

    /// Kind that a chart has without a choice.
    package var usualKind: QuantityKind {
        house.readings.first { $0.person == viewer.person }.flatMap { QuantityKind(rawValue: $0.kind) }
            ?? .heartRate
    }

    /// Chart and table. Nil for a session without a person.
    ///
    /// - Parameter alarms: those of the time of the choice.
    package func charts(
        _ choice: HistoryChoice, _ data: HistoryData, alarms: Answer<PastAlarms>, in calendar: LocalCalendar
    ) -> Page? {
        guard let person = subject else { return nil }
        let title = words.say(.chartsOf(person.name))
        return family(
            title,
            HTML(.h1, text: title) + chooser(choice)
                + HTML(
                    .section, .set(.class, "history"), content: HTML(.h2, text: heading(choice)),
                    HTML(
                        .nav, .set(.class, "row"), .set(.ariaLabel, words.say(.period)),
                        content: choice.earlier.map { link($0, words.say(.earlier)) } ?? .none,
                        choice.later.map { link($0, words.say(.laterDays)) } ?? .none),
                    data.points.isEmpty
                        ? HTML(.p, text: words.say(.noReadings))
                        : drawing(of: choice, data, alarms, in: calendar) + table(choice, data, in: calendar),
                    notes(choice, data), alarmList(alarms, in: calendar)))
    }

    /// Page in the place of readings that the gateway does not show to this session.
    ///
    package func historyRefused(_ refusal: Refusal) -> Page {
        let isAgreed = subject?.agreements.contains("home-dashboard") ?? true
        let reason =
            isAgreed || viewer.role == .person
            ? HTML.none
            : HTML(.p, .set(.class, "warn"), text: words.say(.notAgreed(subject?.name ?? "")))
        return family(
            words.say(.readingsNotShown),
            HTML(.h1, text: words.say(.readingsNotShown)) + reason
                + refusal.content(in: viewer.language))
    }

    // MARK: Choice

    private func heading(_ choice: HistoryChoice) -> String {
        let from = LocalCalendar.date(of: choice.days.first).text(viewer.language)
        let to = LocalCalendar.date(of: choice.days.last).text(viewer.language)
        return words.title(choice.kind.rawValue) + ", " + words.say(.fromTo(from, to))
    }

    private func link(_ choice: HistoryChoice, _ text: String, isCurrent: Bool = false) -> HTML {
        HTML(
            .a, .href(choice.link(Route.charts)), .set(.class, "ask"),
            isCurrent ? .set(.ariaCurrent, "true") : nil, text: text)
    }

    /// Links for the span, and a form for the rest: both work without script.
    private func chooser(_ choice: HistoryChoice) -> HTML {
        let kinds = QuantityKind.allCases.map { kind in
            HTML(
                .option, .set(.value, kind.rawValue), kind == choice.kind ? .flag(.selected) : nil,
                text: words.title(kind.rawValue))
        }
        let form = HTML(
            .form, .set(.method, "get"), .action(Route.charts), .set(.class, "choose"),
            content: HTML(
                void: .input, .set(.type, "hidden"), .set(.name, "span"), .set(.value, choice.span.rawValue)),
            HTML(
                .label, content: HTML(words.say(.kind)),
                HTML(.select, .set(.name, "kind"), content: HTML(kinds))),
            HTML(
                .label, content: HTML(words.say(.lastDay)),
                HTML(
                    void: .input, .set(.type, "date"), .set(.name, "end"),
                    .set(.value, LocalCalendar.iso(choice.days.last)))),
            HTML(.button, .set(.type, "submit"), .set(.class, "plain"), text: words.say(.show)))
        let spans = HistoryChoice.Span.allCases.map { span in
            link(choice.over(span), words.say(.span(span)), isCurrent: span == choice.span)
        }
        return form
            + HTML(.nav, .set(.class, "row"), .set(.ariaLabel, words.say(.show)), content: HTML(spans))
    }

    // MARK: Chart

    private func drawing(
        of choice: HistoryChoice, _ data: HistoryData, _ alarms: Answer<PastAlarms>, in calendar: LocalCalendar
    ) -> HTML {
        chart(choice, data, alarms: alarms, in: calendar, id: "chart").svg(figure: words.figure)
            + legend(choice, data)
    }

    /// Chart of a choice.
    func chart(
        _ choice: HistoryChoice, _ data: HistoryData, alarms: Answer<PastAlarms>, in calendar: LocalCalendar,
        id: String
    ) -> Chart {
        let (from, to) = (
            choice.days.from(in: calendar).millisecondsSince1970,
            choice.days.to(in: calendar).millisecondsSince1970
        )
        func place(_ time: Int64) -> Double { choice.days.place(of: time, in: calendar) }
        let marks: [Double] =
            if case .shown(let alarms) = alarms {
                alarms.entries.map(\.crossed).filter { (from..<max(to, from)).contains($0) }.map(place).sorted()
            } else { [] }
        let series: Chart.Series =
            data.isSingle
            ? .dots(
                data.points.map {
                    Chart.Dot(place: place($0.at), value: $0.mean, isDoubtful: $0.doubt != nil)
                })
            : .columns(data.columns(choice.span.columns, from: from, to: to).map { $0?.column })
        return Chart(
            id: id, title: heading(choice), description: description(choice, data), series: series,
            band: usualBand(choice.kind).flatMap { $0.low <= $0.high ? $0.low...$0.high : nil },
            limits: limits(choice.kind),
            alarms: marks,
            ticks: choice.days.ticks(in: calendar, viewer.language))
    }

    private func usualBand(_ kind: QuantityKind) -> HouseSnapshot.UsualBand? {
        house.usual.first { $0.person == viewer.person && $0.kind == kind.rawValue }
    }

    private func limits(_ kind: QuantityKind) -> [Chart.Limit] {
        guard let row = house.limits.first(where: { $0.person == viewer.person && $0.kind == kind.rawValue })
        else { return [] }
        let sides: [(Double?, Bool, (String) -> Text)] = [
            (row.low, false, { .lowLimit($0) }), (row.high, false, { .highLimit($0) }),
            (row.warningLow, true, { .lowWarning($0) }), (row.warningHigh, true, { .highWarning($0) }),
        ]
        return sides.compactMap { value, isWarning, text in
            value.map { Chart.Limit($0, label: words.say(text(words.figure($0))), isWarning: isWarning) }
        }
    }

    private func figure(_ value: Double, _ kind: QuantityKind) -> String {
        words.figure(value) + " " + words.unit(kind.rawValue)
    }

    private func description(_ choice: HistoryChoice, _ data: HistoryData) -> String {
        guard let all = HistorySummary(data.points) else { return words.say(.noReadings) }
        return words.say(
            .summary(
                count: all.count, min: figure(all.min, choice.kind), mean: figure(all.mean, choice.kind),
                max: figure(all.max, choice.kind)))
    }

    private func legend(_ choice: HistoryChoice, _ data: HistoryData) -> HTML {
        let usual = usualBand(choice.kind).map { band in
            HTML(
                .li, .set(.class, "key-band"),
                text: words.say(.usual(words.figure(band.low), figure(band.high, choice.kind))))
        }
        let lines = limits(choice.kind).map { limit in
            HTML(
                .li, .set(.class, limit.isWarning ? "key-warning" : "key-limit"),
                text: limit.label + " " + words.unit(choice.kind.rawValue))
        }
        let doubtful = data.points.count { $0.doubt != nil }
        return HTML(.p, text: description(choice, data))
            + (doubtful > 0 ? HTML(.p, text: words.say(.doubtful(doubtful))) : .none)
            + HTML(.ul, .set(.class, "legend"), content: usual ?? .none, HTML(lines))
    }

    private func notes(_ choice: HistoryChoice, _ data: HistoryData) -> HTML {
        (choice.span == .year ? HTML(.p, text: words.say(.daysOfUTC)) : .none)
            + (data.unreadable > 0
                ? HTML(.p, .set(.class, "warn"), text: words.say(.unreadable(data.unreadable))) : .none)
    }

    // MARK: Table

    private func table(_ choice: HistoryChoice, _ data: HistoryData, in calendar: LocalCalendar) -> HTML {
        let offered = choice.span.groupings.filter { $0 != .reading || data.isSingle }
        let grouping = offered.contains(choice.grouping) ? choice.grouping : offered[0]
        let links = offered.map { link(choice.by($0), words.say(.by($0)), isCurrent: $0 == grouping) }
        let rows = rows(of: data, over: choice.span, by: grouping, in: calendar)
        let columns: [Text] =
            grouping == .reading ? [.timeOfDay, .value] : [.timeOfDay, .least, .mean, .greatest, .number]
        return HTML(
            .nav, .set(.class, "row"), .set(.ariaLabel, words.say(.tableRows)), content: HTML(links))
            + FigureTable(
                heading(choice) + ", " + words.unit(choice.kind.rawValue), columns: columns.map(words.say),
                rows: rows
            ).html
            + HTML(.a, .href(choice.link(Route.table)), .set(.class, "ask"), text: words.say(.download))
    }

    private func rows(
        of data: HistoryData, over span: HistoryChoice.Span, by grouping: HistoryChoice.Grouping,
        in calendar: LocalCalendar
    ) -> [HTML] {
        guard grouping != .reading else {
            return data.points.prefix(HistoryChoice.fewReadings).map { point in
                FigureTable.row(
                    words.day(calendar.date(of: point.at)) + " " + calendar.clock(of: point.at),
                    [words.figure(point.mean)])
            }
        }
        let groups = data.groups { time in
            switch grouping {
            case .reading, .hour: calendar.day(of: time) * 24 + calendar.hour(of: time)
            case .day: calendar.day(of: time)
            // A week begins on Monday.
            case .week: calendar.day(of: time) - (LocalCalendar.weekday(of: calendar.day(of: time)) + 6) % 7
            case .month: calendar.date(of: time).year * 12 + calendar.date(of: time).month
            }
        }
        return groups.map { key, first, summary in
            let (time, date) = (data.middle(of: first), calendar.date(of: data.middle(of: first)))
            let head =
                switch grouping {
                case .reading, .hour: "\(key % 24):00"
                // The days of a month have no room for more on a narrow screen.
                case .day where span == .month: words.day(date)
                case .day:
                    words.language.weekday(LocalCalendar.weekday(of: calendar.day(of: time))) + " "
                        + words.day(date)
                case .week: words.say(.weekFrom(words.day(LocalCalendar.date(of: key))))
                case .month: words.month(date)
                }
            return FigureTable.row(
                head, [summary.min, summary.mean, summary.max].map(words.figure) + ["\(summary.count)"])
        }
    }

    /// All points of a choice for other programs: local times with their offset, and the unit in the header.
    package func csv(_ choice: HistoryChoice, _ data: HistoryData, in calendar: LocalCalendar) -> String {
        let unit = choice.kind.coding.unit
        let head =
            data.isSingle
            ? ["time", "\(choice.kind.rawValue) (\(unit))", "doubt"]
            : ["from", "min (\(unit))", "mean (\(unit))", "max (\(unit))", "readings", "doubtful"]
        return data.points.reduce(into: CSVRow(head).line + "\r\n") { text, point in
            let figures = data.isSingle ? [point.mean] : [point.min, point.mean, point.max]
            let fields =
                [calendar.rfc3339(point.at)] + figures.map { Figure($0, in: .english).text }
                + (data.isSingle
                    ? [point.doubt?.words.joined(separator: " ") ?? ""]
                    : ["\(point.count)", "\(point.doubtful ?? 0)"])
            text += CSVRow(fields).line + "\r\n"
        }
    }
}

extension Text {
    static func chartsOf(_ name: String) -> Text {
        Text(en: "Charts of \(name)", it: "Grafici di \(name)")
    }
    static let lastDay = Text(en: "Last day", it: "Ultimo giorno")
    static let laterDays = Text(en: "Later", it: "Dopo")
    static func weekFrom(_ day: String) -> Text {
        Text(en: "Week of \(day)", it: "Settimana del \(day)")
    }
    static func summary(count: Int, min: String, mean: String, max: String) -> Text {
        Text(
            en: "Readings: \(count). Lowest \(min), mean \(mean), highest \(max).",
            it: "Misure: \(count). Minima \(min), media \(mean), massima \(max).")
    }
    static func doubtful(_ count: Int) -> Text {
        Text(
            en: "Values that are doubtful, drawn as crosses: \(count).",
            it: "Valori dubbi, disegnati come croci: \(count).")
    }
    static func lowLimit(_ value: String) -> Text {
        Text(en: "Alarm below \(value)", it: "Allarme sotto \(value)")
    }
    static func highLimit(_ value: String) -> Text {
        Text(en: "Alarm above \(value)", it: "Allarme sopra \(value)")
    }
    static func lowWarning(_ value: String) -> Text {
        Text(en: "Warning below \(value)", it: "Avviso sotto \(value)")
    }
    static func highWarning(_ value: String) -> Text {
        Text(en: "Warning above \(value)", it: "Avviso sopra \(value)")
    }
    static let least = Text(en: "Low", it: "Min.")
    static let greatest = Text(en: "High", it: "Max.")
    static let tableRows = Text(en: "Rows of the table", it: "Righe della tabella")
    static let download = Text(en: "Download as a table (CSV)", it: "Scarica la tabella (CSV)")
    static let daysOfUTC = Text(
        en: "A day of this chart begins at midnight UTC.",
        it: "Un giorno di questo grafico comincia a mezzanotte UTC.")
    static func notAgreed(_ name: String) -> Text {
        Text(
            en: "\(name) has not agreed to show readings to family and carers.",
            it: "\(name) non ha accettato di mostrare le misure alla famiglia e a chi assiste.")
    }
}
