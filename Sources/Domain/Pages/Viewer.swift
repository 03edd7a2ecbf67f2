package import ControlContract
package import GatewayModel

/// Reader of a page, as the console knows the session.
package struct Viewer: Hashable, Sendable {
    package let role: ControlSession.Role
    /// ID of the person whom the session was paired for; nil for a room and for roles that belong to nobody.
    package let person: String?
    package let language: PersonProfile.Language
    /// Token that each form sends back. Empty for a stream: its content is the same for all sessions of the same role and
    /// person, and the page that shows it has the token.
    package let token: String

    package init(role: ControlSession.Role, person: String?, language: PersonProfile.Language, token: String) {
        (self.role, self.person, self.language, self.token) = (role, person, language, token)
    }
}

/// Local time of the house.
package struct LocalTime: Hashable, Sendable {
    package let hour, minute: Int
    package let date: CivilDate
    /// 0 for Sunday to 6 for Saturday.
    package let weekday: Int

    /// - Parameter eastOfUTC: offset of local time at that time, in seconds.
    package init(_ wall: WallTime, eastOfUTC: Int64) {
        let time = wall.millisecondsSince1970
        let calendar = LocalCalendar([LocalCalendar.Step(from: 0, offset: Int(eastOfUTC))])
        (hour, minute) = (calendar.hour(of: time), calendar.minute(of: time))
        let day = calendar.day(of: time)
        (date, weekday) = (LocalCalendar.date(of: day), LocalCalendar.weekday(of: day))
    }

    var clock: String { (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)" }
}
