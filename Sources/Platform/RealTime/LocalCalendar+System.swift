public import GatewayModel

extension LocalCalendar {
    /// Days before the present that the calendar knows: those that a page can reach, and a year before them.
    private static let days: Int64 = 1_200

    /// Calendar of a time zone. The zone is asked once for each day, and more often where the offset changes.
    public init(until now: WallTime, in zone: LocalZone = .system) {
        func offset(at seconds: Int64) -> Int {
            Int(zone.eastOfUTC(WallTime(millisecondsSince1970: seconds * 1_000)))
        }
        let end = now.millisecondsSince1970 / 1_000 + 3 * 86_400
        var time = end - (Self.days + 3) * 86_400
        var last = offset(at: time)
        var steps = [Step(from: time * 1_000, offset: last)]
        while time < end {
            let next = time + 86_400
            let following = offset(at: next)
            if following != last {
                var (low, high) = (time, next)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(at: middle) == last { low = middle } else { high = middle }
                }
                steps.append(Step(from: high * 1_000, offset: following))
                last = following
            }
            time = next
        }
        self.init(steps)
    }
}
