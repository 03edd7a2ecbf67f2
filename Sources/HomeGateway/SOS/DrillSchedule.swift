import GatewayModel
import Settings

/// When the next drill is held by itself. Pure.
///
/// In days of the house's calendar, so that it stays at its time of day whatever daylight saving does. The
/// calendar is cut into periods of so many days; each has one drill, on its first day. One that was missed while
/// the box was off is held on the next day it is on, once, however many were missed.
struct DrillSchedule: Hashable, Sendable {
    /// In minutes: later it waits for the next day. A clock that is set does not bring one in the night.
    static let lateness = 60

    private let plan: GatewaySettings.DrillPlan
    /// The period of the last one.
    private var lastPeriod: Int64

    /// - Parameter last: local time of the last drill; nil where there was none yet.
    init(_ plan: GatewaySettings.DrillPlan, last: LocalTime?, now: LocalTime) {
        self.plan = plan
        let length = Int64(plan.everyDays)
        let isFirstDay = now.day % length == 0
        let before = isFirstDay ? now.day / length - 1 : now.day / length
        lastPeriod = last.map { $0.day / length } ?? before
    }

    /// Whether one is to be held now; it counts as held then.
    mutating func isDue(at now: LocalTime) -> Bool {
        let period = now.day / Int64(plan.everyDays)
        // A clock that was ahead when the last one was held.
        lastPeriod = min(lastPeriod, period)
        let late = now.time.minutes - plan.at.minutes
        guard lastPeriod < period, (0..<Self.lateness).contains(late) else { return false }
        lastPeriod = period
        return true
    }
}
