import ControlContract
import GatewayModel
import Hub
import SOSLocal
import Synchronization

/// Cancelled alarms of the last months, by person and cause: a sign of a limit that is too narrow, or of a sensor that is
/// wrong. Drills do not count. From any thread.
final class CancelledAlarmCounts: Sendable {
    /// This month and the two before it.
    static let months = 3
    /// Days that those months have at most.
    private static let days: Int64 = 92

    private struct Cancelled {
        let at: WallTime
        let alarm: CancelledAlarms
    }

    private let cancelled = Mutex<[String: Cancelled]>([:])

    /// Adds the alarms of earlier runs.
    func load(_ records: [AlarmRecord]) {
        for record in records where !record.isDrill && record.ending?.what == .aborted {
            guard record.ending?.means != PersonAct.Means.gateway.rawValue else { continue }
            guard let at = WallTime(rfc3339: record.crossing) else { continue }
            note(record.id, at, person: record.person, rule: record.cause, device: record.device)
        }
    }

    /// Records an alarm that may have been cancelled. On the SOS thread, at once.
    func note(_ alarm: Alarm) {
        // A question about doubtful values that the gateway itself has ended was cancelled by nobody.
        guard !alarm.cause.isDrill, case .aborted(let act, _, _) = alarm.ending, act.means != .gateway else {
            return
        }
        let cause = alarm.cause
        note(
            alarm.id.description, cause.arrival.wall, person: cause.person.text, rule: cause.name,
            device: cause.device?.text)
    }

    private func note(_ id: String, _ at: WallTime, person: String, rule: String, device: String?) {
        let alarm = CancelledAlarms(
            person: person, month: Self.month(of: LocalTime(at).day), rule: rule, device: device, count: 1)
        cancelled.withLock { $0[id] = Cancelled(at: at, alarm: alarm) }
    }

    /// Forgets the alarms of a person, as part of an erasure.
    func forget(_ person: PersonID) {
        cancelled.withLock { all in all = all.filter { $0.value.alarm.person != person.text } }
    }

    /// The counts of the last months, the newest first.
    func counts(at now: WallTime) -> [CancelledAlarms] {
        let today = LocalTime(now).day
        let oldest = now.millisecondsSince1970 - Self.days * 86_400_000
        let alarms = cancelled.withLock { all in
            all = all.filter { $0.value.at.millisecondsSince1970 >= oldest }
            return all.values.map(\.alarm)
        }
        let first = Self.month(of: today - Self.days + 31)
        return CancelledAlarms.counted(alarms.filter { $0.month >= first })
    }

    /// For `status`: one line a person and month.
    func lines(at now: WallTime) -> [String] {
        let counts = counts(at: now)
        var seen: Set<[String]> = []
        return counts.compactMap { one in
            guard seen.insert([one.person, one.month]).inserted else { return nil }
            let causes = counts.filter { $0.person == one.person && $0.month == one.month }
            let parts = causes.map { "\($0.rule)\($0.device.map { " by \($0)" } ?? "") \($0.count)" }
            let sum = causes.map(\.count).reduce(0, +)
            return
                "alarms of \(one.person) cancelled in \(one.month): \(sum) (\(parts.joined(separator: ", ")))"
        }
    }

    private static func month(of day: Int64) -> String {
        let date = CivilDate(daysSince1970: day)
        return "\(date.year)-\(date.month < 10 ? "0" : "")\(date.month)"
    }
}
