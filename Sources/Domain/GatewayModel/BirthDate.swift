/// Day of birth, or its year alone.
public struct BirthDate: Hashable, Sendable, CustomStringConvertible {
    public static let years = 1900...2100
    public static let form = "a day such as 1941-05-02, or a year such as 1941"

    public let year: Int
    /// Month, 1 to 12, and day of the month; nil where only the year is known.
    private let monthAndDay: MonthAndDay?

    private struct MonthAndDay: Hashable {
        let month, day: Int
    }

    public init(year: Int) {
        self.init(year, nil)
    }

    private init(_ year: Int, _ monthAndDay: MonthAndDay?) {
        (self.year, self.monthAndDay) = (year, monthAndDay)
    }

    /// Returns nil unless `text` is a year of `years`, or a day of such a year that is in the calendar.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard parts.first?.utf8.count == 4, let year = numbers[0], Self.years.contains(year) else { return nil }
        switch parts.count {
        case 1: self.init(year: year)
        case 3:
            guard parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }), let month = numbers[1],
                let day = numbers[2], (1...12).contains(month),
                (1...Self.days(of: month, in: year)).contains(day)
            else { return nil }
            self.init(year, MonthAndDay(month: month, day: day))
        default: return nil
        }
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `1941-05-02` or `1941`.
    public var description: String {
        guard let monthAndDay else { return "\(year)" }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(year)-\(two(monthAndDay.month))-\(two(monthAndDay.day))"
    }
}
