internal import GatewayModel

extension Form where Value == DayTime {
    static var dayTime: Form {
        text("a time of day such as \"11:00\"") { text in
            DayTime(text).map { .accepted($0) } ?? .refused("write two digits, a colon, two digits")
        }
    }
}

extension Form where Value == GatewaySettings.WakingHours {
    static var hours: Form {
        text("hours such as \"07:00-22:00\"") { text in
            let times = text.split(separator: "-", omittingEmptySubsequences: false).map { DayTime($0) }
            guard times.count == 2, let begin = times[0], let end = times[1] else {
                return .refused("write two times of day with a hyphen between")
            }
            guard begin != end else { return .refused("leave some hours between them") }
            return .accepted(GatewaySettings.WakingHours(begin: begin, end: end))
        }
    }
}
