public import GatewayModel

/// Whole local days of a chart or a table, the last one today at the latest. A day is a number from 1970-01-01.
public struct ChartDays: Hashable, Sendable {
    public let count, last, today: Int

    public init(_ count: Int, upTo last: Int, today: Int) {
        (self.count, self.last, self.today) = (count, min(last, today), today)
    }

    public var first: Int { last - count + 1 }

    public func from(in calendar: LocalCalendar) -> WallTime {
        WallTime(millisecondsSince1970: calendar.instant(of: first))
    }

    /// Not included.
    public func to(in calendar: LocalCalendar) -> WallTime {
        WallTime(millisecondsSince1970: calendar.instant(of: last + 1))
    }

    /// Other days up to the same last one.
    public func resized(to count: Int) -> ChartDays { ChartDays(count, upTo: last, today: today) }

    public var earlier: ChartDays { ChartDays(count, upTo: last - count, today: today) }

    /// Nil at today.
    public var later: ChartDays? {
        last >= today ? nil : ChartDays(count, upTo: last + count, today: today)
    }

    /// Place of a time on the axis of the chart.
    public func place(of time: Int64, in calendar: LocalCalendar) -> Double {
        let (from, to) = (calendar.instant(of: first), calendar.instant(of: last + 1))
        return Double(time - from) / Double(max(to - from, 1))
    }

    /// Hours of a day, days of a week, five days of a month or a quarter, and months of a year.
    public func ticks(in calendar: LocalCalendar, _ language: PersonProfile.Language) -> [Chart.Tick] {
        func start(_ day: Int) -> Double { place(of: calendar.instant(of: day), in: calendar) }
        switch count {
        case ...1:
            return [0, 6, 12, 18].map { hour in
                let time = calendar.instant(of: first, hour: hour)
                return Chart.Tick(at: place(of: time, in: calendar), (hour < 10 ? "0" : "") + "\(hour):00")
            }
        case ...7:
            return (first...last).map { day in
                Chart.Tick(
                    at: start(day), labelAt: (start(day) + start(day + 1)) / 2,
                    language.weekday(LocalCalendar.weekday(of: day)))
            }
        case ...100:
            return stride(from: first + 2, through: last, by: (count + 4) / 5).map { day in
                let date = LocalCalendar.date(of: day)
                return Chart.Tick(at: start(day), "\(date.day) \(language.month(date.month))")
            }
        default:
            let begins = (first...last).filter { LocalCalendar.date(of: $0).day == 1 }
            return begins.enumerated().map { index, day in
                let name = language.month(LocalCalendar.date(of: day).month)
                return Chart.Tick(at: start(day), index % 2 == 0 ? name : "")
            }
        }
    }
}
