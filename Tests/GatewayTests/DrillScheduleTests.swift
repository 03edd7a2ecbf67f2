import Foundation
import GatewayModel
import HomeGateway
import Hub
import ModelSamples
import SOSLocal
import Samples
import Settings
import Testing

@testable import Alarms

@Suite struct `The schedule of drills` {
    private static let eleven = DayTime("11:00")!

    /// A class, since an expectation cannot call what mutates.
    private final class House {
        private var schedule: DrillSchedule

        init(every days: Int, last: LocalTime?, now: LocalTime) {
            schedule = DrillSchedule(
                GatewaySettings.DrillPlan(everyDays: days, at: eleven), last: last, now: now)
        }

        /// - Parameter isRefused: because of an open alarm.
        func isDue(_ now: LocalTime, isRefused: Bool = false) -> Bool {
            let isDue = schedule.isDue(at: now)
            if isDue, !isRefused { schedule.held(at: now) }
            return isDue
        }
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

    @Test func `tries one that is refused again every five minutes, then on the next day, until it is held`() {
        let house = House(every: 7, last: on(monday - 7), now: on(monday - 1))
        let day = on(monday).time.minutes
        let tries = (0..<1_440).filter { minute in
            house.isDue(
                LocalTime(
                    WallTime(millisecondsSince1970: (monday * 86_400 + Int64(minute) * 60) * 1_000),
                    eastOfUTC: 0), isRefused: true)
        }
        #expect(tries == stride(from: day, to: day + 60, by: 5).map(\.self))
        #expect(!house.isDue(on(monday + 1, "10:59")))
        #expect(house.isDue(on(monday + 1)))
        #expect(!house.isDue(on(monday + 1, "11:05")) && !house.isDue(on(monday + 2)))
        #expect(house.isDue(on(monday + 7)))
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

@Suite struct `The drills of a house` {
    private static let eleven = LocalTime(WallTime(millisecondsSince1970: 39_600_000), eastOfUTC: 0)

    private func rota() -> DrillRota {
        let rota = DrillRota()
        let plan = GatewaySettings.DrillPlan(everyDays: 1, at: Self.eleven.time)
        let last = LocalTime(WallTime(millisecondsSince1970: 0), eastOfUTC: 86_400 * -1)
        rota.plan([Sample.maria: DrillSchedule(plan, last: last, now: Self.eleven)])
        return rota
    }

    @Test func `are of those who are to be helped, and held once`() {
        let rota = rota()
        #expect(rota.due(among: [], at: Self.eleven) == nil)
        #expect(rota.due(among: [PersonID(sample: "paolo"), Sample.maria], at: Self.eleven) == Sample.maria)
        #expect(rota.answered(Sample.maria, [], at: Self.eleven) == nil)
        #expect(rota.lines == [])
    }

    @Test func `of one instant are held one after the other`() {
        let rota = DrillRota()
        let plan = GatewaySettings.DrillPlan(everyDays: 1, at: Self.eleven.time)
        let last = LocalTime(WallTime(millisecondsSince1970: 0), eastOfUTC: 86_400 * -1)
        let paolo = PersonID(sample: "paolo")
        rota.plan(
            Dictionary(
                uniqueKeysWithValues: [Sample.maria, paolo].map {
                    ($0, DrillSchedule(plan, last: last, now: Self.eleven))
                }))
        let persons = [Sample.maria, paolo]
        #expect(rota.due(among: persons, at: Self.eleven) == Sample.maria)
        #expect(rota.answered(Sample.maria, [], at: Self.eleven) == nil)
        var drill = Self.drill()
        rota.note(drill)
        #expect(rota.due(among: persons, at: Self.eleven) == nil, "the first one goes on")
        _ = drill.abort(PersonAct(by: "Anna", means: .screen), at: Sample.moment(2).boot)
        rota.note(drill)
        #expect(rota.due(among: persons, at: Self.eleven) == paolo)
    }

    private static func drill() -> Alarm {
        let start = Sample.moment(1)
        let act = PersonAct(by: "the schedule", means: .gateway)
        let plan = SOSPlan(
            person: Sample.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: []))
        return Alarm(
            cause: .drill(Drill(id: Sample.id(1), person: Sample.maria, act: act, arrival: start)),
            priority: .high, confirmation: start.boot, plan: plan)
    }

    @Test func `are postponed while an alarm is open, which is told once and shown until one is held`() {
        let rota = rota()
        let refused = [SOSAction.refuse(.emergencyOpen(AlarmID(Sample.id(1))))]
        #expect(rota.answered(Sample.maria, refused, at: Self.eleven) == .emergencyOpen(AlarmID(Sample.id(1))))
        #expect(rota.answered(Sample.maria, refused, at: Self.eleven) == nil)
        #expect(rota.lines.count == 1 && rota.lines[0].contains("the drill of maria is postponed"))
        #expect(rota.answered(Sample.maria, [], at: Self.eleven) == nil)
        #expect(rota.lines == [])
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
