import Charts
import GatewayModel
import Testing

@Suite struct `The days of a chart` {
    private static let utc = LocalCalendar([])
    /// 2026-11-29, a Sunday.
    private static let today = 20_786

    private func labels(_ count: Int, _ language: PersonProfile.Language = .english) -> [String] {
        ChartDays(count, upTo: Self.today, today: Self.today).ticks(in: Self.utc, language).map(\.label)
    }

    @Test func `have hours, days of the week, days of the month or months below them`() {
        #expect(labels(1) == ["00:00", "06:00", "12:00", "18:00"])
        #expect(labels(7) == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
        #expect(labels(7, .italian) == ["lun", "mar", "mer", "gio", "ven", "sab", "dom"])
        #expect(labels(30) == ["2 Nov", "8 Nov", "14 Nov", "20 Nov", "26 Nov"])
        #expect(labels(31) == ["1 Nov", "8 Nov", "15 Nov", "22 Nov", "29 Nov"])
        #expect(labels(90, .italian) == ["3 set", "21 set", "9 ott", "27 ott", "14 nov"])
        #expect(labels(365).filter { !$0.isEmpty } == ["Dec", "Feb", "Apr", "Jun", "Aug", "Oct"])
    }

    @Test func `are within the axis, in their order`() {
        for count in [1, 7, 30, 31, 90, 365] {
            let days = ChartDays(count, upTo: Self.today, today: Self.today)
            let places = days.ticks(in: Self.utc, .english).map(\.place)
            #expect(places == places.sorted() && places.allSatisfy { (0..<1).contains($0) }, "\(count)")
        }
    }

    @Test func `go back by their number, and on to today at the latest`() {
        let week = ChartDays(7, upTo: Self.today + 3, today: Self.today)
        #expect(week.last == Self.today && week.first == Self.today - 6)
        #expect(week.later == nil)
        #expect(week.earlier.last == Self.today - 7)
        #expect(week.earlier.later == week)
        #expect(week.earlier.resized(to: 31).last == Self.today - 7)
        #expect(ChartDays(7, upTo: Self.today - 2, today: Self.today).later == week)
    }
}
