import Foundation
import GatewayModel
import Testing
import WireFormats

@Suite struct `Date and time of a device` {
    @Test func `decode field by field`() throws {
        let time = try decodeHex("EA 07 01 0F 08 1E 00", DateTime.init(from:))
        #expect(time.year == 2026 && time.month == 1 && time.day == 15)
        #expect(time.hours == 8 && time.minutes == 30 && time.seconds == 0)
        // 2026-01-15T08:30:00Z.
        #expect(time.secondsSince1970AsUTC == 1_768_465_800)
        #expect(time.bytes == [0xEA, 0x07, 1, 15, 8, 30, 0])
    }

    @Test(arguments: [
        "00 00 01 0F 08 1E 00", "EA 07 00 0F 08 1E 00", "EA 07 01 00 08 1E 00", "EA 07 0D 01 00 00 00",
        "EA 07 02 1D 00 00 00", "EA 07 01 0F 18 00 00", "EA 07 01 0F 00 3C 00", "EA 07 01 0F 00 00 3C",
        "2D 06 01 01 00 00 00", "10 27 01 01 00 00 00", "FF FF FF FF FF FF FF",
    ]) func `are no instant where a part is unknown or impossible`(_ hex: String) throws {
        let time = try decodeHex(hex, DateTime.init(from:))
        #expect(time.secondsSince1970AsUTC == nil)
        #expect(time.bytes == [UInt8](hex: hex))
    }

    @Test func `nil the unknown parts`() throws {
        let time = try decodeHex("00 00 00 00 00 00 00", DateTime.init(from:))
        #expect(time.year == nil && time.month == nil && time.day == nil && time.dayOfWeek == nil)
    }

    /// Foundation's Gregorian calendar switches from the Julian one in October 1582, so it judges from 1583 on.
    @Test func `agree with the calendar of Foundation from 1583 to 9999`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for seconds in stride(from: Int64(-12_212_553_600), to: 253_402_300_800, by: 86_400 * 97 + 12_345) {
            let time = try #require(DateTime(secondsSince1970AsUTC: seconds))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second, .weekday],
                from: Date(timeIntervalSince1970: TimeInterval(seconds)))
            #expect(time.year.map(Int.init) == parts.year && time.month.map(Int.init) == parts.month)
            #expect(time.day.map(Int.init) == parts.day && Int(time.hours) == parts.hour)
            #expect(Int(time.minutes) == parts.minute && Int(time.seconds) == parts.second)
            // Foundation counts from Sunday.
            #expect(time.dayOfWeek.map { Int($0.rawValue) % 7 + 1 } == parts.weekday)
            #expect(time.secondsSince1970AsUTC == seconds)
        }
    }

    @Test(arguments: [-12_244_089_601, 253_402_300_800, .min, .max]) func `hold no year that does not fit`(
        _ seconds: Int64
    ) {
        #expect(DateTime(secondsSince1970AsUTC: seconds) == nil)
    }
}

@Suite struct `Current Time` {
    /// 2026-01-15 08:30:00.5, a Thursday, set from an external reference.
    static let vector = "EA 07 01 0F 08 1E 00 04 80 02"

    @Test func `decodes and encodes its ten bytes`() throws {
        let time = try decodeHex(Self.vector, CurrentTime.init(from:))
        #expect(time.exactTime.dayDateTime.dayOfWeek == .thursday)
        #expect(time.exactTime.fractions256 == 128)
        #expect(time.adjustReason == .externalReferenceTimeUpdate)
        #expect(time.bytes == [UInt8](hex: Self.vector))
    }

    @Test func `is local wall time with its day of the week`() {
        // 07:30:00.500 UTC, one hour east.
        let wall = WallTime(millisecondsSince1970: 1_768_462_200_500)
        let time = CurrentTime(wall, minutesEastOfUTC: 60, adjustReason: .externalReferenceTimeUpdate)
        #expect(time?.bytes == [UInt8](hex: Self.vector))
    }

    @Test func `never rounds a fraction up into the next second`() {
        let late = CurrentTime(
            WallTime(millisecondsSince1970: 999), minutesEastOfUTC: 0, adjustReason: .manualTimeUpdate)
        #expect(late?.exactTime.fractions256 == 255 && late?.exactTime.dayDateTime.dateTime.seconds == 0)
        let before1970 = CurrentTime(
            WallTime(millisecondsSince1970: -1), minutesEastOfUTC: 0, adjustReason: .manualTimeUpdate)
        #expect(before1970?.exactTime.dayDateTime.dateTime.year == 1969)
        #expect(before1970?.exactTime.fractions256 == 255)
    }

    @Test(arguments: [.min, .max, 253_402_300_800_000]) func `is not written for a time that does not fit`(
        _ milliseconds: Int64
    ) {
        let wall = WallTime(millisecondsSince1970: milliseconds)
        #expect(CurrentTime(wall, minutesEastOfUTC: 0, adjustReason: []) == nil)
        #expect(CurrentTime(wall, minutesEastOfUTC: -1, adjustReason: []) == nil || milliseconds > 0)
        #expect(CurrentTime(wall, minutesEastOfUTC: .max, adjustReason: []) == nil)
    }
}

@Suite struct `Zone and reference` {
    @Test(
        arguments: [
            ("04 00", 60), ("04 04", 120), ("16 00", 330), ("D0 00", -720), ("38 08", 960), ("80 00", nil),
            ("04 FF", nil), ("39 00", nil), ("CF 00", nil), ("04 03", nil),
        ] as [(String, Int16?)]) func `give the offset only where both parts are known`(
            _ hex: String, _ minutes: Int16?
        ) throws
    {
        #expect(try decodeHex(hex, LocalTimeInformation.init(from:)).minutesEastOfUTC == minutes)
    }
}
