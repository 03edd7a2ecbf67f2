public import GatewayModel

/// Week from Monday 00:00 to the next Monday 00:00, UTC. It is written as the date of its Monday.
public struct Week: Hashable, Comparable, Sendable, CustomStringConvertible {
    private static let days: Int64 = 7
    /// 1970-01-01 was a Thursday: the Monday before it is day -3.
    private static let firstMonday: Int64 = -3

    /// Weeks since the one that began on 1969-12-29, within the years 0 to 9999.
    public let number: Int64

    /// Nil beyond the years 0 to 9999.
    public init?(number: Int64) {
        // 9,999 years have fewer than 600,000 weeks.
        guard number.magnitude < 600_000 else { return nil }
        let day = number * Self.days + Self.firstMonday
        guard CivilDate(daysSince1970: day).daysSince1970 == day else { return nil }
        self.number = number
    }

    public init(containing time: WallTime) {
        // Days beyond the years 0 to 9999 are moved into them.
        let day = CivilDate(time.millisecondsSince1970).daysSince1970 - Self.firstMonday
        number = (day - (day % Self.days + Self.days) % Self.days) / Self.days
    }

    /// - Parameter text: date of a Monday, `2026-11-16`.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        self.init(
            containing: WallTime(millisecondsSince1970: date.daysSince1970 * 86_400_000))
        guard monday == date, description == text else { return nil }
    }

    public var monday: CivilDate { CivilDate(daysSince1970: number * Self.days + Self.firstMonday) }

    public var begin: WallTime {
        WallTime(millisecondsSince1970: (number * Self.days + Self.firstMonday) * 86_400_000)
    }

    public var end: WallTime { begin.advanced(by: .seconds(Self.days * 86_400)) }

    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(width - digits.count, 0)) + digits
        }
        return "\(padded(monday.year, 4))-\(padded(monday.month, 2))-\(padded(monday.day, 2))"
    }

    public static func < (left: Week, right: Week) -> Bool { left.number < right.number }

    /// The newest week that has been over for at least `wait`.
    public static func due(at now: WallTime, wait: Duration) -> Week? {
        Week(number: Week(containing: now.advanced(by: .zero - wait)).number - 1)
    }
}
