/// Calendar of the house: the offsets from UTC that its time zone has in a span of time. Pure.
///
/// A day is the number of days from 1970-01-01 to its date.
public struct LocalCalendar: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        /// Milliseconds since 1970 from which the offset holds.
        public let from: Int64
        /// Seconds east of UTC.
        public let offset: Int

        public init(from: Int64, offset: Int) { (self.from, self.offset) = (from, offset) }
    }

    public static let dayLength: Int64 = 86_400_000

    private let steps: [Step]

    /// - Parameter steps: the earliest first. The first also holds before its time; none is UTC.
    public init(_ steps: [Step]) { self.steps = steps }

    public func offset(at time: Int64) -> Int { (steps.last { $0.from <= time } ?? steps.first)?.offset ?? 0 }

    /// Milliseconds since 1970 as the clocks of the house would show them in UTC.
    private func local(_ time: Int64) -> Int64 { time + Int64(offset(at: time)) * 1_000 }

    public func day(of time: Int64) -> Int { Int(Self.floored(local(time), by: Self.dayLength)) }

    public func hour(of time: Int64) -> Int {
        let local = local(time)
        return Int((local - Self.floored(local, by: Self.dayLength) * Self.dayLength) / 3_600_000)
    }

    public func minute(of time: Int64) -> Int {
        let local = local(time)
        return Int((local - Self.floored(local, by: 3_600_000) * 3_600_000) / 60_000)
    }

    /// Instant of an hour of a day. An hour that the clocks skip is the hour after it.
    public func instant(of day: Int, hour: Int = 0) -> Int64 {
        let wanted = Int64(day) * Self.dayLength + Int64(hour) * 3_600_000
        let first = wanted - Int64(offset(at: wanted)) * 1_000
        return wanted - Int64(offset(at: first)) * 1_000
    }

    /// 0 for Sunday to 6 for Saturday.
    public static func weekday(of day: Int) -> Int { ((day % 7) + 11) % 7 }

    public static func date(of day: Int) -> CivilDate { CivilDate(daysSince1970: Int64(day)) }

    public func date(of time: Int64) -> CivilDate { CivilDate(local(time)) }

    /// `HH:MM`
    public func clock(of time: Int64) -> String {
        Self.digits(hour(of: time), 2) + ":" + Self.digits(minute(of: time), 2)
    }

    /// Local time with its offset, as RFC 3339 writes it.
    public func rfc3339(_ time: Int64) -> String {
        let local = local(time)
        let seconds = (local - Self.floored(local, by: Self.dayLength) * Self.dayLength) / 1_000
        return "\(Self.iso(day(of: time)))T\(clock(of: time)):\(Self.digits(Int(seconds % 60), 2))"
            + zone(of: time)
    }

    /// Offset from UTC: `+01:00`.
    public func zone(of time: Int64) -> String {
        let offset = offset(at: time)
        let minutes = Int(offset.magnitude) / 60
        return (offset < 0 ? "-" : "+") + Self.digits(minutes / 60, 2) + ":" + Self.digits(minutes % 60, 2)
    }

    /// Date of a day: `2026-11-24`.
    public static func iso(_ day: Int) -> String {
        let date = date(of: day)
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
    }

    /// Day of a date such as `2026-11-24`; nil for other text.
    public static func day(iso text: String) -> Int? {
        guard text.utf8.count == 10, let time = WallTime(rfc3339: text + "T00:00:00Z") else { return nil }
        return Int(time.millisecondsSince1970 / dayLength)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }

    private static func floored(_ number: Int64, by length: Int64) -> Int64 {
        number >= 0 ? number / length : (number - length + 1) / length
    }
}
