import Charts
package import ControlContract
package import GatewayModel
package import HTML

extension PageModule {
    static let report = PageModule([
        HousePage(
            Pages.Route.report, entry: .init([.person, .family, .carer]) { $0.words.say(.report) }, show)
    ])

    private static func show(_ visit: PageVisit) throws -> PageAnswer {
        guard let reader = HistoryReader(visit) else { return .missing }
        let time = visit.now.millisecondsSince1970
        let today = reader.calendar.day(of: time)
        var all: [QuantityKind: HistoryData] = [:]
        for kind in WeekReport.kinds {
            guard let week = HistoryChoice(["span": "week"], usual: kind, today: today) else { continue }
            switch try reader.data(of: week) {
            case .refused(let refusal): return .refused(visit.pages.historyRefused(refusal))
            case .shown(let data): all[kind] = data
            }
        }
        let profile: ProfileDocument? =
            if case .shown(let document) = try reader.profile() { document } else { nil }
        let week = WeekReport(all, until: time, in: reader.calendar)
        let alarms = try reader.alarms(
            from: WallTime(millisecondsSince1970: week.from), to: WallTime(millisecondsSince1970: week.to + 1))
        return .page(visit.pages.report(week, profile: profile, alarms: alarms, in: reader.calendar))
    }
}

extension Pages.Route {
    static let report: HTML.Place = "/report"
}

/// The report on the last seven days for the general practitioner, on one sheet of A4.
extension Pages {
    /// Nil for a session without a person.
    ///
    /// - Parameters:
    ///   - profile: what the gateway shows of the profile; nil where it refuses it to this session.
    ///   - alarms: those of the seven days.
    package func report(
        _ report: WeekReport, profile: ProfileDocument?, alarms: Answer<PastAlarms>, in calendar: LocalCalendar
    ) -> Page? {
        guard let person = subject else { return nil }
        let title = words.say(.reportOf(person.name))
        return Page(
            lang: viewer.language.rawValue, title: title, kind: .print, style: PageFiles.style.place,
            header: navigation,
            main: HTML(.h1, text: title) + introduction(report, profile, calendar) + values(report)
                + pressure(report) + glucose(report, alarms, calendar) + oxygen(report, calendar)
                + alarmList(alarms, in: calendar) + cancelledAlarms(of: [person.id])
                + wearing(report, calendar) + sensors(of: person.id)
                + HTML(.p, .set(.class, "screen"), text: words.say(.print)))
    }

    private func introduction(
        _ report: WeekReport, _ profile: ProfileDocument?, _ calendar: LocalCalendar
    ) -> HTML {
        func date(_ time: Int64) -> String { calendar.date(of: time).text(viewer.language) }
        let birth = profile?.items.first { $0.item == ProfileItem.birthDate.rawValue }?.value
        let height = profile?.items.first { $0.item == ProfileItem.height.rawValue }?.value
        let facts = [
            birth.map { words.say(.born($0)) },
            height.map { DataKind.profile(.height).title.in(viewer.language) + " " + $0 + " cm" },
            words.say(.fromTo(date(report.from), date(report.to))),
        ]
        let made = words.say(
            .made(
                date(report.to) + " " + calendar.clock(of: report.to), zone: calendar.zone(of: report.to)))
        return HTML(.p, text: facts.compactMap(\.self).joined(separator: " · "))
            + HTML(.p, text: made) + HTML(.p, text: words.say(.notDevice))
    }

    private func values(_ report: WeekReport) -> HTML {
        let kinds = WeekReport.kinds.filter { report.data(of: $0) != nil }
        let rows = kinds.map { kind in
            FigureTable.row(
                words.title(kind.rawValue) + ", " + words.unit(kind.rawValue),
                WeekReport.Part.allCases.map { cell(report.cell(kind, $0)) })
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.values)),
            rows.isEmpty
                ? HTML(.p, text: words.say(.noReadings))
                : HTML(.p, text: words.say(.medianHow))
                    + FigureTable(
                        words.say(.cells),
                        columns: [words.say(.kind)]
                            + WeekReport.Part.allCases.map { words.say(.partOfDay($0)) },
                        rows: rows
                    ).html)
    }

    private func cell(_ cell: WeekReport.Cell?) -> String {
        guard let cell else { return "-" }
        return [cell.min, cell.median, cell.max].map(words.figure).joined(separator: " / ")
    }

    private func pressure(_ report: WeekReport) -> HTML {
        guard let all = report.pressure(skipsFirst: false) else { return .none }
        func row(_ text: Text, _ mean: WeekReport.Pressure?) -> HTML {
            let cell = mean.map { mean in
                [mean.systolic, mean.diastolic].map { words.figure($0.rounded()) }.joined(separator: "/")
                    + " " + words.unit(QuantityKind.systolicPressure.rawValue)
            }
            return FigureTable.row(words.say(text), [cell ?? "-"])
        }
        let count = report.data(of: .systolicPressure)?.count ?? 0
        return HTML(
            .section, content: HTML(.h2, text: words.say(.pressure)),
            HTML(
                .table,
                content: HTML(
                    .tbody, content: row(.allDays, all),
                    row(.withoutFirst, report.pressure(skipsFirst: true)))),
            HTML(.p, text: words.say(.pressureReadings(count, days: report.pressureDays.count))),
            report.irregularPulseDays.map { HTML(.p, text: words.say(.irregularPulse(days: $0))) }
                ?? .none,
            HTML(.p, text: words.say(.pressureHow)))
    }

    private func glucose(
        _ report: WeekReport, _ alarms: Answer<PastAlarms>, _ calendar: LocalCalendar
    ) -> HTML {
        let today = calendar.day(of: report.to)
        guard let data = report.data(of: .glucose),
            let week = HistoryChoice(["span": "week"], usual: .glucose, today: today)
        else { return .none }
        let shares = report.glucoseShares.map { shares in
            HTML(
                .ul,
                content: HTML(
                    .li,
                    text: words.say(
                        .inRange(percent: words.figure(shares.within.rounded()), count: shares.count))),
                HTML(.li, text: words.say(.belowRange(words.figure(shares.below.rounded())))),
                HTML(.li, text: words.say(.aboveRange(words.figure(shares.above.rounded())))))
                + HTML(.p, text: words.say(.rangeHow))
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.glucoseRange)),
            HTML(
                .div, .set(.class, "strip"),
                content: chart(week, data, alarms: alarms, in: calendar, id: "glucose").svg(
                    figure: words.figure),
                HTML(.div, content: shares ?? .none)))
    }

    private func oxygen(_ report: WeekReport, _ calendar: LocalCalendar) -> HTML {
        guard let lowest = report.lowestOxygen, let data = report.data(of: .oxygenSaturation) else {
            return .none
        }
        let end = data.isSingle ? "" : "-" + calendar.clock(of: lowest.at + 3_600_000)
        return HTML(
            .section, content: HTML(.h2, text: words.say(.lowestOxygen)),
            HTML(
                .p,
                text: words.figure(lowest.min) + " %, " + words.day(calendar.date(of: lowest.at)) + " "
                    + calendar.clock(of: lowest.at) + end))
    }

    private func wearing(_ report: WeekReport, _ calendar: LocalCalendar) -> HTML {
        let (worn, all) = report.wornHours
        func time(_ time: Int64) -> String {
            words.day(calendar.date(of: time)) + " " + calendar.clock(of: time)
        }
        // The longest, so that the sheet has room for them.
        let gaps = report.gaps.sorted { $0.to - $0.from > $1.to - $1.from }.prefix(8).sorted {
            $0.from < $1.from
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.wearing)),
            HTML(.p, text: words.say(.worn(worn, of: all)) + " " + words.say(.wearingHow)),
            gaps.isEmpty
                ? HTML(.p, text: words.say(.noGaps))
                : HTML(
                    .ul, .set(.class, "columns"),
                    content: HTML(gaps.map { HTML(.li, text: time($0.from) + " - " + time($0.to)) })))
    }

    private func sensors(of person: String) -> HTML {
        let rows = house.devices.filter { $0.person == person }.map { device in
            HTML(
                .tr, content: HTML(.th, .set(.scope, "row"), text: device.id),
                HTML(.td, text: (device.kinds ?? []).map(words.title).joined(separator: ", ")),
                HTML(.td, text: device.battery.map { "\($0) %" } ?? words.say(.batteryUnknown)),
                HTML(.td, text: device.lastHeardAgeMs.map(words.age) ?? words.say(.longAgo)))
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.sensors)),
            rows.isEmpty
                ? HTML(.p, text: words.say(.notWorn)) : HTML(.table, content: HTML(.tbody, content: HTML(rows)))
        )
    }
}

extension Text {
    static func reportOf(_ name: String) -> Text {
        Text(en: "Report for the doctor: \(name)", it: "Rapporto per il medico: \(name)")
    }
    static func born(_ date: String) -> Text {
        Text(en: "Born \(date)", it: "Data di nascita: \(date)")
    }
    static func made(_ time: String, zone: String) -> Text {
        Text(
            en: "Made \(time). Times are local, UTC\(zone).",
            it: "Creato: \(time). Gli orari sono locali, UTC\(zone).")
    }
    static let notDevice = Text(
        en:
            "These values come from consumer sensors. This box is not a medical device, and this report is no diagnosis.",
        it:
            "Questi valori vengono da sensori di consumo. La centralina non è un dispositivo medico e questo rapporto "
            + "non è una diagnosi.")
    static let cells = Text(en: "Lowest / median / highest", it: "Minima / mediana / massima")
    static let medianHow = Text(
        en: "Where a sensor measures all the time, the median is that of the hourly means.",
        it: "Dove un sensore misura di continuo, la mediana è quella delle medie orarie.")
    static func partOfDay(_ part: WeekReport.Part) -> Text {
        switch part {
        case .night: Text(en: "Night 0 to 6", it: "Notte 0 a 6")
        case .morning: Text(en: "Morning 6 to 12", it: "Mattina 6 a 12")
        case .afternoon: Text(en: "Afternoon 12 to 18", it: "Pomeriggio 12 a 18")
        case .evening: Text(en: "Evening 18 to 24", it: "Sera 18 a 24")
        }
    }
    static let pressure = Text(en: "Blood pressure at home", it: "Pressione misurata a casa")
    static let allDays = Text(en: "Mean of all days", it: "Media di tutti i giorni")
    static let withoutFirst = Text(en: "Mean without day 1", it: "Media senza il giorno 1")
    static let pressureHow = Text(
        en:
            "A diary has two readings each morning and each evening for 7 days. Day 1 is the first day with a reading.",
        it:
            "Un diario ha due misure ogni mattina e ogni sera per 7 giorni. Il giorno 1 è il primo giorno con una misura."
    )
    static func pressureReadings(_ count: Int, days: Int) -> Text {
        Text(
            en: "Readings: \(count), on days: \(days).",
            it: "Misure: \(count), in giorni: \(days).")
    }
    static func inRange(percent: String, count: Int) -> Text {
        Text(
            en: "In range (70 to 180 mg/dL): \(percent) % of \(count) readings",
            it: "Nell'intervallo (da 70 a 180 mg/dL): \(percent) % di \(count) misure")
    }
    static func belowRange(_ percent: String) -> Text {
        Text(en: "Below 70 mg/dL: \(percent) %", it: "Sotto 70 mg/dL: \(percent) %")
    }
    static func aboveRange(_ percent: String) -> Text {
        Text(en: "Above 180 mg/dL: \(percent) %", it: "Sopra 180 mg/dL: \(percent) %")
    }
    static let rangeHow = Text(
        en: "Shares are of readings, not of time.",
        it: "Le quote sono delle misure, non del tempo.")
    static let lowestOxygen = Text(en: "Lowest oxygen saturation", it: "Saturazione di ossigeno minima")
    static let wearing = Text(en: "Hours without a reading", it: "Ore senza misure")
    static let wearingHow = Text(
        en: "Gaps of 2 hours and more in heart rate, oxygen and respiration.",
        it: "Intervalli di 2 ore e più nella frequenza cardiaca, nell'ossigeno e nel respiro.")
    static let noGaps = Text(en: "No gap of 2 hours or more.", it: "Nessun intervallo di 2 ore o più.")
    static let sensors = Text(en: "Sensors", it: "Sensori")
    static let longAgo = Text(
        en: "not heard since the start of the box",
        it: "nessun messaggio dall'avvio della centralina")
}
