import GatewayModel
import Hub
import Settings

/// When the next drill of one person is held by itself. Pure.
///
/// In days of the house's calendar, so that it stays at its time of day whatever daylight saving does. The
/// calendar is cut into periods of so many days; each has one drill, on its first day. One that was missed while
/// the box was off, or that could not be held because of an alarm, is held on the next day on which it can be,
/// once, however many were missed.
struct DrillSchedule: Hashable, Sendable {
    /// In minutes: later it waits for the next day. A clock that is set does not bring one in the night.
    static let lateness = 60
    /// In minutes, between one try and the next: an alarm is seldom over sooner.
    static let pause = 5

    private let plan: GatewaySettings.DrillPlan
    /// The period of the last one.
    private var lastPeriod: Int64
    private var lastTry: LocalTime?

    /// - Parameter last: local time of the last drill; nil where there was none yet.
    init(_ plan: GatewaySettings.DrillPlan, last: LocalTime?, now: LocalTime) {
        self.plan = plan
        let length = Int64(plan.everyDays)
        let isFirstDay = now.day % length == 0
        let before = isFirstDay ? now.day / length - 1 : now.day / length
        lastPeriod = last.map { $0.day / length } ?? before
    }

    /// Whether one is to be tried now; it counts as held only once `held` has said so.
    mutating func isDue(at now: LocalTime) -> Bool {
        // A clock that was ahead when the last one was held.
        lastPeriod = min(lastPeriod, period(of: now))
        let late = now.time.minutes - plan.at.minutes
        guard lastPeriod < period(of: now), (0..<Self.lateness).contains(late) else { return false }
        if let lastTry, lastTry.day == now.day {
            let since = now.time.minutes - lastTry.time.minutes
            guard !(0..<Self.pause).contains(since) else { return false }
        }
        lastTry = now
        return true
    }

    /// One was begun.
    mutating func held(at now: LocalTime) {
        lastPeriod = period(of: now)
    }

    private func period(of now: LocalTime) -> Int64 { now.day / Int64(plan.everyDays) }
}
