import Charts
package import ControlContract
package import GatewayModel
package import HTML

extension PageModule {
    static let report = PageModule([
        HousePage(
            Pages.Route.report, entry: .init([.person, .family, .carer]) { $0.chartWords.say(.report) }, show)
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
        let title = chartWords.say(.reportOf(person.name))
        return Page(
            lang: viewer.language.rawValue, title: title, kind: .print, style: PageFiles.style.place,
            header: navigation,
            main: HTML(.h1, text: title) + introduction(report, profile, calendar) + values(report)
                + pressure(report) + glucose(report, alarms, calendar) + oxygen(report, calendar)
                + alarmList(alarms, in: calendar) + cancelledAlarms(of: [person.id])
                + wearing(report, calendar) + sensors(of: person.id)
                + HTML(.p, .set(.class, "screen"), text: chartWords.say(.print)))
    }

    private func introduction(
        _ report: WeekReport, _ profile: ProfileDocument?, _ calendar: LocalCalendar
    ) -> HTML {
        func date(_ time: Int64) -> String { calendar.date(of: time).text(viewer.language) }
        let birth = profile?.items.first { $0.item == ProfileItem.birthDate.rawValue }?.value
        let height = profile?.items.first { $0.item == ProfileItem.height.rawValue }?.value
        let facts = [
            birth.map { chartWords.say(.born($0)) },
            height.map { DataKind.profile(.height).title(in: viewer.language) + " " + $0 + " cm" },
            chartWords.say(.fromTo(date(report.from), date(report.to))),
        ]
        let made = chartWords.say(
            .made(
                date(report.to) + " " + calendar.clock(of: report.to), zone: calendar.zone(of: report.to)))
        return HTML(.p, text: facts.compactMap(\.self).joined(separator: " · "))
            + HTML(.p, text: made) + HTML(.p, text: chartWords.say(.notDevice))
    }

    private func values(_ report: WeekReport) -> HTML {
        let kinds = WeekReport.kinds.filter { report.data(of: $0) != nil }
        let rows = kinds.map { kind in
            FigureTable.row(
                words.title(kind.rawValue) + ", " + words.unit(kind.rawValue),
                WeekReport.Part.allCases.map { cell(report.cell(kind, $0)) })
        }
        return HTML(
            .section, content: HTML(.h2, text: chartWords.say(.values)),
            rows.isEmpty
                ? HTML(.p, text: chartWords.say(.noReadings))
                : HTML(.p, text: chartWords.say(.medianHow))
                    + FigureTable(
                        chartWords.say(.cells),
                        columns: [chartWords.say(.kind)]
                            + WeekReport.Part.allCases.map { chartWords.say(.partOfDay($0)) },
                        rows: rows
                    ).html)
    }

    private func cell(_ cell: WeekReport.Cell?) -> String {
        guard let cell else { return "-" }
        return [cell.min, cell.median, cell.max].map(words.figure).joined(separator: " / ")
    }

    private func pressure(_ report: WeekReport) -> HTML {
        guard let all = report.pressure(skipsFirst: false) else { return .none }
        func row(_ text: ChartWords.Text, _ mean: WeekReport.Pressure?) -> HTML {
            let cell = mean.map { mean in
                [mean.systolic, mean.diastolic].map { words.figure($0.rounded()) }.joined(separator: "/")
                    + " " + words.unit(QuantityKind.systolicPressure.rawValue)
            }
            return FigureTable.row(chartWords.say(text), [cell ?? "-"])
        }
        let count = report.data(of: .systolicPressure)?.count ?? 0
        return HTML(
            .section, content: HTML(.h2, text: chartWords.say(.pressure)),
            HTML(
                .table,
                content: HTML(
                    .tbody, content: row(.allDays, all),
                    row(.withoutFirst, report.pressure(skipsFirst: true)))),
            HTML(.p, text: chartWords.say(.pressureReadings(count, days: report.pressureDays.count))),
            report.irregularPulseDays.map { HTML(.p, text: chartWords.say(.irregularPulse(days: $0))) }
                ?? .none,
            HTML(.p, text: chartWords.say(.pressureHow)))
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
                    text: chartWords.say(
                        .inRange(percent: words.figure(shares.within.rounded()), count: shares.count))),
                HTML(.li, text: chartWords.say(.belowRange(words.figure(shares.below.rounded())))),
                HTML(.li, text: chartWords.say(.aboveRange(words.figure(shares.above.rounded())))))
                + HTML(.p, text: chartWords.say(.rangeHow))
        }
        return HTML(
            .section, content: HTML(.h2, text: chartWords.say(.glucoseRange)),
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
            .section, content: HTML(.h2, text: chartWords.say(.lowestOxygen)),
            HTML(
                .p,
                text: words.figure(lowest.min) + " %, " + chartWords.day(calendar.date(of: lowest.at)) + " "
                    + calendar.clock(of: lowest.at) + end))
    }

    private func wearing(_ report: WeekReport, _ calendar: LocalCalendar) -> HTML {
        let (worn, all) = report.wornHours
        func time(_ time: Int64) -> String {
            chartWords.day(calendar.date(of: time)) + " " + calendar.clock(of: time)
        }
        // The longest, so that the sheet has room for them.
        let gaps = report.gaps.sorted { $0.to - $0.from > $1.to - $1.from }.prefix(8).sorted {
            $0.from < $1.from
        }
        return HTML(
            .section, content: HTML(.h2, text: chartWords.say(.wearing)),
            HTML(.p, text: chartWords.say(.worn(worn, of: all)) + " " + chartWords.say(.wearingHow)),
            gaps.isEmpty
                ? HTML(.p, text: chartWords.say(.noGaps))
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
                HTML(.td, text: device.lastHeardAgeMs.map(words.age) ?? chartWords.say(.longAgo)))
        }
        return HTML(
            .section, content: HTML(.h2, text: chartWords.say(.wearables)),
            rows.isEmpty
                ? HTML(.p, text: words.say(.notWorn)) : HTML(.table, content: HTML(.tbody, content: HTML(rows)))
        )
    }
}
