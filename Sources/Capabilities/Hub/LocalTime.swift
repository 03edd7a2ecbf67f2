package import GatewayModel
import Glibc
import RealTime

/// Local date and time of this house.
package struct LocalTime: Hashable, Sendable {
    /// Days since 1970-01-01, in local time.
    package let day: Int64
    package let time: DayTime

    /// - Parameter eastOfUTC: offset from UTC at that time in seconds, daylight saving included.
    package init(_ wall: WallTime, eastOfUTC: Int64) {
        let seconds = wall.millisecondsSince1970 / 1_000 + eastOfUTC
        let (day, rest) = (seconds.flooredDivision(by: 86_400), seconds.flooredRemainder(by: 86_400))
        self.day = day
        // The rest is less than a day.
        time = DayTime(minutes: Int(rest / 60)) ?? .midnight
    }

    /// Converts to the time zone of the machine (`TZ`, /etc/localtime).
    package init(_ wall: WallTime) {
        self.init(wall, eastOfUTC: LocalZone.system.eastOfUTC(wall))
    }
}

extension WallTime {
    /// Text for people, in the time zone of the machine: `2026-03-01 09:30`.
    package var inHouse: String { inHouse("%Y-%m-%d %H:%M") ?? "\(millisecondsSince1970) ms since 1970" }

    /// - Parameter format: format of strftime.
    fileprivate func inHouse(_ format: String) -> String? {
        var seconds = time_t(millisecondsSince1970 / 1_000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return nil }
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, format, &local)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension String {
    /// Local time of day of a time in RFC 3339: `09:30:00`.
    package var onTheClock: String { WallTime(rfc3339: self)?.inHouse("%H:%M:%S") ?? "?" }

    /// Local time of day to the millisecond: `09:30:00.377`.
    package var onTheClockExactly: String {
        guard let wall = WallTime(rfc3339: self) else { return "?" }
        return "\(onTheClock).\("\(1_000 + wall.millisecondsSince1970 % 1_000)".dropFirst())"
    }
}

extension Int64 {
    fileprivate func flooredRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
        (self - flooredRemainder(by: divisor)) / divisor
    }
}
