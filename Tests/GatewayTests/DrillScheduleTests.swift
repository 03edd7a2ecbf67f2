import Foundation
import GatewayModel
import Settings
import Testing

@testable import HomeGateway

@Suite struct `The schedule of drills` {
    private static let eleven = DayTime("11:00")!

    /// A class, since an expectation cannot call what mutates.
    private final class House {
        private var schedule: DrillSchedule

        init(every days: Int, last: LocalTime?, now: LocalTime) {
            schedule = DrillSchedule(
                GatewaySettings.DrillPlan(everyDays: days, at: eleven), last: last, now: now)
        }

        func isDue(_ now: LocalTime) -> Bool { schedule.isDue(at: now) }
    }

    /// Days since 1970; those that 7 divides begin a period of a week.
    private func on(_ day: Int64, _ time: String = "11:00") -> LocalTime {
        let minutes = Int64(DayTime(time)!.minutes)
        return LocalTime(
            WallTime(millisecondsSince1970: (day * 86_400 + minutes * 60) * 1_000), eastOfUTC: 0)
    }

    /// 7 × 2,000.
    private let monday: Int64 = 14_000

    @Test func `holds one a period, at its time`() {
        let house = House(every: 7, last: on(monday - 7), now: on(monday - 1))
        #expect(!house.isDue(on(monday - 1)))
        #expect(!house.isDue(on(monday, "10:59")))
        #expect(house.isDue(on(monday)))
        #expect(!house.isDue(on(monday)))
        for day in 1..<7 { #expect(!house.isDue(on(monday + Int64(day)))) }
        #expect(house.isDue(on(monday + 7)))
    }

    @Test func `makes up for what was missed once, on the next day at its time`() {
        let house = House(every: 7, last: on(monday - 28), now: on(monday + 2, "15:00"))
        #expect(!house.isDue(on(monday + 2, "15:00")))
        #expect(!house.isDue(on(monday + 3, "03:00")))
        #expect(house.isDue(on(monday + 3)))
        #expect(!house.isDue(on(monday + 4)))
        #expect(house.isDue(on(monday + 7)))
    }

    @Test func `holds none on the day of the installation, but where a period begins`() {
        let midst = House(every: 7, last: nil, now: on(monday + 2, "09:00"))
        #expect(!midst.isDue(on(monday + 2)))
        #expect(midst.isDue(on(monday + 7)))
        let first = House(every: 7, last: nil, now: on(monday, "09:00"))
        #expect(first.isDue(on(monday)))
    }

    @Test func `a restart does not hold it again, nor forget it`() {
        let after = House(every: 1, last: on(monday), now: on(monday, "11:10"))
        #expect(!after.isDue(on(monday, "11:10")))
        let before = House(every: 1, last: on(monday - 1), now: on(monday, "10:50"))
        #expect(before.isDue(on(monday)))
    }

    @Test func `a clock that is set forth or back brings no second one, and none at night`() {
        let house = House(every: 1, last: on(monday - 1), now: on(monday, "10:00"))
        // Wrong by a year, then right.
        #expect(house.isDue(on(monday + 365)))
        #expect(!house.isDue(on(monday, "10:00")))
        #expect(!house.isDue(on(monday)))
        #expect(!house.isDue(on(monday + 1, "23:30")))
        #expect(house.isDue(on(monday + 2)))
    }

    @Test func `stays at its local time over a change to daylight saving and back`() {
        // Rome: 2026-03-29 and 2026-10-25 at 01:00 UTC.
        for (date, before, after) in [("2026-03-28", 3_600, 7_200), ("2026-10-24", 7_200, 3_600)] {
            let midnight = Int64(
                (try? Date("\(date)T00:00:00Z", strategy: .iso8601))?.timeIntervalSince1970 ?? 0)
            var held: [Int64] = []
            let house = House(
                every: 1, last: nil,
                now: LocalTime(
                    WallTime(millisecondsSince1970: (midnight - 86_400) * 1_000), eastOfUTC: Int64(before)))
            // Each minute of four days.
            for minute in 0..<(4 * 1_440) {
                let seconds = midnight + Int64(minute) * 60
                let east = seconds < midnight + 90_000 ? before : after
                let local = LocalTime(
                    WallTime(millisecondsSince1970: seconds * 1_000), eastOfUTC: Int64(east))
                if house.isDue(local) { held.append(seconds + Int64(east) - midnight) }
            }
            #expect(held == [39_600, 126_000, 212_400, 298_800], "11:00 on each of the four days")
        }
    }
}

@Suite struct `A time of day` {
    @Test(arguments: [("00:00", 0), ("07:05", 425), ("23:59", 1_439)])
    func `is read and written as on a clock`(text: String, minutes: Int) {
        #expect(DayTime(text)?.minutes == minutes)
        #expect(DayTime(minutes: minutes)?.description == text)
    }

    @Test(arguments: ["24:00", "7:00", "07:60", "0700", "07:0", "+7:00", "٠٧:٠٠", ""])
    func `is nothing else`(text: String) { #expect(DayTime(text) == nil) }

    @Test func `lies in hours that may go over midnight`() throws {
        let nine = try #require(DayTime("21:00"))
        let seven = try #require(DayTime("07:00"))
        let night = GatewaySettings.WakingHours(begin: nine, end: seven)
        let day = GatewaySettings.WakingHours(begin: seven, end: nine)
        for (text, isNight) in [("21:00", true), ("03:00", true), ("07:00", false), ("20:59", false)] {
            let time = try #require(DayTime(text))
            #expect(night.contains(time) == isNight)
            #expect(day.contains(time) != isNight)
        }
    }
}
