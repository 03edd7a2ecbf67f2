import GatewayModel

/// Date Time, characteristic 0x2A08, and a part of many others (GATT Specification Supplement, "Date Time").
///
/// The wall time that the device shows, without zone. A device with a clock that was never set sends zeros or a
/// date of its factory: the parts are kept as sent, and `secondsSince1970AsUTC` tells whether it is a date at
/// all.
public struct DateTime: Hashable, Sendable {
    /// 1582...9999; nil: unknown.
    public let year: UInt16?
    /// 1...12; nil: unknown.
    public let month: UInt8?
    /// 1...31; nil: unknown.
    public let day: UInt8?
    public let hours: UInt8
    public let minutes: UInt8
    public let seconds: UInt8

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let year = try reader.uint16("year")
        let month = try reader.uint8("month")
        let day = try reader.uint8("day")
        // 0 is "unknown" in each of the three.
        self.year = year == 0 ? nil : year
        self.month = month == 0 ? nil : month
        self.day = day == 0 ? nil : day
        hours = try reader.uint8("hours")
        minutes = try reader.uint8("minutes")
        seconds = try reader.uint8("seconds")
    }

    /// The wall time a zone shows; nil outside the years 1582...9999 that the characteristic can carry.
    /// - Parameter seconds: since 1970-01-01T00:00:00 of that wall time: UTC plus the zone's offset.
    public init?(secondsSince1970AsUTC seconds: Int64) {
        // 1582-01-01 and 10000-01-01.
        guard (-12_244_089_600..<253_402_300_800).contains(seconds) else { return nil }
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let ofDay = seconds - days * 86_400
        let date = CivilDate(daysSince1970: days)
        (year, month, day) = (UInt16(date.year), UInt8(date.month), UInt8(date.day))
        hours = UInt8(ofDay / 3_600)
        minutes = UInt8(ofDay / 60 % 60)
        self.seconds = UInt8(ofDay % 60)
    }

    /// As if the wall time were UTC: a caller that knows the zone subtracts its offset. Nil where a part is
    /// unknown or no such date or time exists. Whether the clock behind it was ever set is not judged here.
    public var secondsSince1970AsUTC: Int64? {
        guard let days = daysSince1970, hours < 24, minutes < 60, seconds < 60 else { return nil }
        return days * 86_400 + Int64(hours) * 3_600 + Int64(minutes) * 60 + Int64(seconds)
    }

    /// Nil where the date is incomplete or does not exist.
    public var dayOfWeek: DayOfWeek? {
        // 1970-01-01 was a Thursday, the fourth.
        daysSince1970.flatMap { DayOfWeek(rawValue: UInt8((($0 + 3) % 7 + 7) % 7 + 1)) }
    }

    private var daysSince1970: Int64? {
        guard let year, year >= 1582, let month, let day else { return nil }
        return CivilDate(year: Int(year), month: Int(month), day: Int(day))?.daysSince1970
    }

    public var bytes: [UInt8] {
        [
            UInt8(truncatingIfNeeded: year ?? 0), UInt8(truncatingIfNeeded: (year ?? 0) >> 8), month ?? 0,
            day ?? 0, hours, minutes, seconds,
        ]
    }
}
