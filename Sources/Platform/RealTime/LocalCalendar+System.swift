public import GatewayModel

extension LocalCalendar {
    /// Days before the present that the calendar knows: those that a page can reach, and a year before them.
    private static let days: Int64 = 1_200

    /// Calendar of the system's time zone. The system is asked once for each day, and more often where the offset changes.
    public init(until now: WallTime) {
        let end = now.millisecondsSince1970 / 1_000 + 3 * 86_400
        var time = end - (Self.days + 3) * 86_400
        var last = Self.offset(at: time)
        var steps = [Step(from: time * 1_000, offset: last)]
        while time < end {
            let next = time + 86_400
            let offset = Self.offset(at: next)
            if offset != last {
                var (low, high) = (time, next)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if Self.offset(at: middle) == last { low = middle } else { high = middle }
                }
                steps.append(Step(from: high * 1_000, offset: offset))
                last = offset
            }
            time = next
        }
        self.init(steps)
    }

    /// Seconds east of UTC in the zone of the system.
    private static func offset(at seconds: Int64) -> Int {
        Int(LocalZone.system.eastOfUTC(WallTime(millisecondsSince1970: seconds * 1_000)))
    }
}
