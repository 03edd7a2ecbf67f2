/// Number of alarms of a person that were cancelled in one month, by their cause. A cancelled alarm is most often a false
/// one: its limit or its sensor asks for a look.
package struct CancelledAlarms: Codable, Hashable, Sendable {
    package let person: String
    /// Of the house's calendar: `2026-11`.
    package let month: String
    /// As in `Alarm`.
    package let rule: String
    /// Worn device that raised them; nil for a cause without one.
    package let device: String?
    package let count: Int

    package init(person: String, month: String, rule: String, device: String?, count: Int) {
        (self.person, self.month, self.rule, self.device) = (person, month, rule, device)
        self.count = count
    }

    /// Counts alarms, the newest month first, then the most frequent cause.
    package static func counted(_ alarms: some Sequence<CancelledAlarms>) -> [CancelledAlarms] {
        var counts: [Key: Int] = [:]
        for alarm in alarms { counts[Key(alarm), default: 0] += alarm.count }
        return counts.map { key, count in
            CancelledAlarms(
                person: key.person, month: key.month, rule: key.rule, device: key.device, count: count)
        }
        .sorted { left, right in
            if left.month != right.month { return left.month > right.month }
            if left.count != right.count { return left.count > right.count }
            return (left.person, left.rule, left.device ?? "") < (right.person, right.rule, right.device ?? "")
        }
    }

    private struct Key: Hashable {
        let person, month, rule: String
        let device: String?

        init(_ alarm: CancelledAlarms) {
            (person, month, rule, device) = (alarm.person, alarm.month, alarm.rule, alarm.device)
        }
    }
}
