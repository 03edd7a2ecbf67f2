import GatewayModel
import Testing

@testable import Pages

/// Rome: summer time from 2026-03-29 01:00 UTC to 2026-10-25 01:00 UTC.
@Suite struct `The calendar of the house` {
    private static let spring: Int64 = 1_774_746_000_000
    private static let autumn: Int64 = 1_792_890_000_000
    private static let hour: Int64 = 3_600_000
    private static let rome = LocalCalendar([
        .init(from: 1_761_440_400_000, offset: 3_600), .init(from: spring, offset: 7_200),
        .init(from: autumn, offset: 3_600),
    ])

    private static func day(_ text: String) throws -> Int { try #require(LocalCalendar.day(iso: text)) }

    @Test(arguments: [("2026-03-28", 24), ("2026-03-29", 23), ("2026-10-24", 24), ("2026-10-25", 25)])
    func `has days of 23 and of 25 hours where the clocks change`(date: String, hours: Int64) throws {
        let day = try Self.day(date)
        #expect(Self.rome.instant(of: day + 1) - Self.rome.instant(of: day) == hours * Self.hour)
        // Each instant of the day belongs to it, and none of its neighbours does.
        for hour in 0..<hours {
            #expect(Self.rome.day(of: Self.rome.instant(of: day) + hour * Self.hour) == day)
        }
        #expect(Self.rome.day(of: Self.rome.instant(of: day) - 1) == day - 1)
        #expect(Self.rome.hour(of: Self.rome.instant(of: day)) == 0)
    }

    @Test func `skips an hour in March, which is the hour after it`() throws {
        let day = try Self.day("2026-03-29")
        #expect(Self.rome.clock(of: Self.spring - 60_000) == "01:59")
        #expect(Self.rome.clock(of: Self.spring) == "03:00")
        #expect(Self.rome.instant(of: day, hour: 3) == Self.spring)
        #expect(Self.rome.hour(of: Self.rome.instant(of: day, hour: 2)) == 3)
    }

    @Test func `has an hour twice in October, told apart by the offset`() throws {
        let (first, second) = (Self.autumn - Self.hour / 2, Self.autumn + Self.hour / 2)
        #expect(Self.rome.clock(of: first) == "02:30" && Self.rome.clock(of: second) == "02:30")
        #expect(Self.rome.rfc3339(first) == "2026-10-25T02:30:00+02:00")
        #expect(Self.rome.rfc3339(second) == "2026-10-25T02:30:00+01:00")
        #expect(Self.rome.day(of: first) == Self.rome.day(of: second))
    }
}
