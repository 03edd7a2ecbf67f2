import CSVTables
import Charts
import ControlContract
import Foundation
import GatewayModel
import HTML
import Testing

@testable import Pages

@Suite struct `Pages of the history` {
    private typealias Sample = HistorySample

    @Test(arguments: PersonProfile.Language.allCases)
    func `a chart of a year fits 9 KB, in each language`(language: PersonProfile.Language) throws {
        let year = try Sample.choice(.heartRate, "year")
        let data = Sample.data(Sample.points(year, every: 86_400_000), .day)
        let text = try #require(
            try Sample.pages(.family, language).charts(year, data, alarms: try Sample.alarms(), in: Sample.rome)
        ).text
        let begin = try #require(text.range(of: "<svg")).lowerBound
        let end = try #require(text.range(of: "</svg>")).upperBound
        #expect(text[begin..<end].utf8.count <= 9_000)
        #expect(text.contains("<table") && !text.contains(" style="))
    }

    @Test func `an hour without readings interrupts the line of the means`() throws {
        let week = try Sample.choice()
        func moves(_ gap: Range<Int>) throws -> Int {
            let data = Sample.data(Sample.points(week, every: Sample.hour, without: gap))
            let text = try #require(
                try Sample.pages().charts(week, data, alarms: try Sample.alarms(), in: Sample.rome)
            ).text
            let mean = try #require(text.components(separatedBy: "class=\"mean\" d=\"").last)
            return mean.prefix { $0 != "\"" }.count { $0 == "m" }
        }
        #expect(try moves(0..<0) == 1)
        #expect(try moves(30..<32) == 2)
    }

    @Test func `a doubtful reading is a cross among the dots, and counted`() throws {
        let day = try Sample.choice(.systolicPressure, "day")
        let noon = Sample.now - Sample.hour
        func text(_ doubt: Doubts?) throws -> String {
            let data = Sample.data(
                [Sample.point(noon - 60_000, 128), Sample.point(noon, 226, doubt: doubt)], .raw)
            return try #require(
                try Sample.pages().charts(day, data, alarms: try Sample.alarms(), in: Sample.rome)
            ).text
        }
        let doubtful = try text(.questionable)
        #expect(doubtful.contains("class=\"doubtful\"") && doubtful.contains("class=\"dots\""))
        #expect(doubtful.contains("Values that are doubtful, drawn as crosses: 1."))
        #expect(try !text(nil).contains("class=\"doubtful\""))
    }

    @Test func `the report counts the days with an irregular pulse`() throws {
        let points = (0..<4).map { day in
            Sample.point(
                Sample.now - Int64(day) * 24 * Sample.hour, 130, doubt: day < 2 ? .irregularPulse : nil)
        }
        let all: [QuantityKind: HistoryData] = [
            .systolicPressure: Sample.data(points, .raw), .diastolicPressure: Sample.data(points, .raw),
        ]
        let report = WeekReport(all, until: Sample.now, in: Sample.rome)
        let page = try Sample.pages().report(
            report, profile: nil, alarms: try Sample.alarms(), in: Sample.rome)
        #expect(try #require(page).text.contains("Days on which the cuff found an irregular pulse: 2."))
    }

    @Test func `hostile texts of a profile stay text`() throws {
        let hostile = "<img src=x onerror=alert(1)>"
        let page = try Sample.pages(name: hostile).profile(
            .shown(try Sample.profile(hostile)), limits: .shown(try Sample.limits()))
        #expect(try !#require(page).text.contains("<img"))
    }

    @Test func `hostile texts stay text on charts, on the report and in the list of alarms`() throws {
        let hostile = "<img src=x onerror=alert(1)>\u{202E}"
        let pages = try Sample.pages(name: hostile)
        let alarms = try Sample.alarms(by: hostile)
        let week = try Sample.choice()
        let data = Sample.data(Sample.points(week, every: Sample.hour))
        guard case .shown(let past) = alarms else { throw CancellationError() }
        let shown = [
            pages.charts(week, data, alarms: alarms, in: Sample.rome),
            pages.report(
                try Sample.report(), profile: try Sample.profile(hostile), alarms: alarms, in: Sample.rome),
            pages.alarms(past, isFirst: true, in: Sample.rome),
            pages.historyRefused(Pages.Refusal(nil, lines: [hostile])),
        ]
        for page in shown {
            let text = try #require(page).text
            #expect(text.contains("&lt;img") && !text.contains("<img") && !text.contains("\u{202E}"))
        }
    }

    @Test func `an alarm of the period is a mark in the chart and a row with its end`() throws {
        let week = try Sample.choice()
        let data = Sample.data(Sample.points(week, every: Sample.hour))
        func marks(_ choice: HistoryChoice) throws -> Int {
            try Sample.pages().chart(
                choice, data, alarms: try Sample.alarms(), in: Sample.rome, id: "x"
            ).alarms.count
        }
        #expect(try marks(week) == 2)
        #expect(try marks(try Sample.choice(.heartRate, "day")) == 1)
        let text = try #require(
            try Sample.pages().charts(week, data, alarms: try Sample.alarms(), in: Sample.rome)
        ).text
        #expect(text.contains("Heart rate above the alarm limit") && text.contains("4.4 s"))
        #expect(text.contains("Drill") && text.contains("The alarm is open."))
        let refused = try #require(
            try Sample.pages().charts(
                week, data, alarms: .refused(Pages.Refusal(.notReadable, lines: ["x"])), in: Sample.rome)
        ).text
        #expect(refused.contains("could not read its list of alarms") && refused.contains("<svg"))
    }

    @Test func `older alarms have a page of their own`() throws {
        guard case .shown(let past) = try Sample.alarms() else { throw CancellationError() }
        let page = try #require(
            try Sample.pages().alarms(
                PastAlarms(past.entries, next: "0190c3a2-0000-7000-8000-000000000000"), isFirst: true,
                in: Sample.rome))
        #expect(page.text.contains("/alarms?after=0190c3a2-0000-7000-8000-000000000000"))
        #expect(!page.text.contains("Newest"))
    }

    @Test(arguments: PersonProfile.Language.allCases)
    func `each refusal of the gateway has words of its own in each language`(
        language: PersonProfile.Language
    ) throws {
        let words = Words(language)
        let all = RefusalCode.allCases.map { words.say(.refusal($0)) }
        #expect(Set(all).count == RefusalCode.allCases.count)
        let page = PlainPages(language).refusal(
            Pages.Refusal(.pinLocked, lines: ["pin: wait"]), back: Pages.Route.room)
        // The words of the page's language stand in the place of the English lines.
        #expect(page.text.contains(words.say(.refusal(.pinLocked))) && !page.text.contains("pin: wait"))
        let other = PlainPages(language).refusal(
            Pages.Refusal(nil, lines: ["a reason of another version"]), back: Pages.Route.room)
        #expect(other.text.contains("<p lang=\"en\">a reason of another version</p>"))
    }

    @Test func `a refused change keeps the texts that were typed, and names the reason at its field`() throws {
        let form = [
            "change": "contact", "name": "Luca <b>", "phone": "12", "relation": "son", "notices": "yes",
            "token": "x",
        ]
        let entry = try #require(ProfileEntry(form))
        let page = try #require(
            try Sample.pages(.person).profile(
                .shown(try Sample.profile()), limits: .shown(try Sample.limits()),
                refused: Pages.RefusedEntry(entry, Pages.Refusal(.wrongText, lines: ["phone: saw '12'"]))))
        let text = page.text
        #expect(text.contains("value=\"Luca &lt;b&gt;\"") && text.contains("value=\"son\""))
        #expect(text.contains("value=\"yes\" checked"))
        let phone = try #require(text.range(of: "id=\"contact-phone\"")).upperBound
        let rest = text[phone...]
        let field = rest.prefix { $0 != ">" }
        #expect(field.contains("value=\"12\"") && field.contains("aria-invalid=\"true\""))
        // The reason once, after the field that is wrong.
        let reason = Text.refusal(.wrongText).en
        #expect(text.components(separatedBy: reason).count == 2 && rest.contains(reason))
        // Another form of the page is as it was.
        #expect(text.contains("value=\"1941-05-03\""))
    }

    @Test func `only an item that somebody has changed goes back to the settings`() throws {
        let page = try #require(
            try Sample.pages(.person).profile(
                .shown(try Sample.profile()), limits: .shown(try Sample.limits())))
        let forms = page.text.components(separatedBy: "<form").filter { $0.contains("value=\"reset\"") }
        #expect(forms.count == 1)
        #expect(try #require(forms.first).contains("name=\"value\" value=\"height\""))
        let entry = try #require(ProfileEntry(["change": "reset", "value": "height"]))
        #expect(try entry.change == ProfileChange(reset: [.height]))
        #expect(ProfileEntry(["change": "reset", "value": "notes"]) == nil)
    }

    @Test func `a formula is text in the table for other programs, and a number is a number`() {
        #expect(CSVRow(["=1+1"]).line == "'=1+1" && CSVRow(["@x"]).line == "'@x")
        #expect(CSVRow(["-3.5"]).line == "-3.5" && CSVRow(["a,\"b\""]).line == "\"a,\"\"b\"\"\"")
    }

    @Test func `the table for other programs has local times with their offset, and the unit`() throws {
        let week = try Sample.choice(.glucose)
        let csv = try Sample.pages().csv(week, Sample.glucose(week), in: Sample.rome)
        #expect(csv.hasPrefix("time,glucose (mg/dL),doubt\r\n2026-11-18T07:10:00+01:00,"))
    }

    @Test func `the table for other programs says why a value is doubtful, and how many of an hour are`()
        throws
    {
        let week = try Sample.choice()
        let at = week.days.from(in: Sample.rome).millisecondsSince1970
        func last(_ point: HistoryPoint, _ resolution: HistoryResolution) throws -> Substring? {
            try Sample.pages().csv(week, Sample.data([point], resolution), in: Sample.rome)
                .split(separator: "\r\n").last
        }
        let value = Sample.point(at, 72, doubt: [.questionable, .irregularPulse])
        #expect(try last(value, .raw)?.hasSuffix(",72,questionable irregular-pulse") == true)
        let hour = HistoryPoint(at: at, count: 60, min: 70, mean: 72, max: 75, doubtful: 4)
        #expect(try last(hour, .hour)?.hasSuffix(",70,72,75,60,4") == true)
    }

    @Test func `the mean of a pressure diary leaves out its first day`() throws {
        let report = try Sample.report()
        #expect(report.pressure(skipsFirst: true) == .init(systolic: 130, diastolic: 80))
        #expect(try #require(report.pressure(skipsFirst: false)).systolic > 130)
    }
}
