/// Date of the proleptic Gregorian calendar, years 0 to 9999.
public struct CivilDate: Hashable, Sendable {
    public let year: Int
    /// 1 to 12.
    public let month: Int
    /// 1 to 31.
    public let day: Int

    private static let days: ClosedRange<Int64> = -719_528...2_932_896

    /// - Parameter milliseconds: since 1970, of a clock in UTC.
    public init(_ milliseconds: Int64) {
        // Whole numbers: rounding would need the library of mathematics, which not every program of the package links.
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        self.init(daysSince1970: rest < 0 ? days - 1 : days)
    }

    /// - Parameter days: since 1970-01-01. Days beyond the years 0 to 9999 are moved to the nearest in them.
    public init(daysSince1970 days: Int64) {
        // Counted in eras of 400 years (146,097 days) from 0000-03-01, so that the leap day is the last of its year.
        // 719,468 days lie between that day and 1970-01-01.
        let shifted = min(max(days, Self.days.lowerBound), Self.days.upperBound) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        month = Int(fromMarch < 10 ? fromMarch + 3 : fromMarch - 9)
        day = Int(ofYear - (153 * fromMarch + 2) / 5 + 1)
        year = Int(era * 400 + yearOfEra) + (month <= 2 ? 1 : 0)
    }

    /// Nil for a date that does not exist, such as a 30th of February, and beyond the years 0 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9_999).contains(year), (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length =
            switch month {
            case 2: isLeap ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        guard (1...length).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    public var daysSince1970: Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = shifted >= 0 ? shifted / 400 : (shifted - 399) / 400
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return Int64(era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468)
    }
}
