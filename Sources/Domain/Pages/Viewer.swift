package import ControlContract
package import GatewayModel

/// Reader of a page, as the console knows the session.
package struct Viewer: Hashable, Sendable {
    package let role: ControlSession.Role
    /// ID of the person whom the session was paired for; nil for a room and for roles that belong to nobody.
    package let person: String?
    package let language: PersonProfile.Language
    /// Token that each form sends back.
    package let token: String

    package init(role: ControlSession.Role, person: String?, language: PersonProfile.Language, token: String) {
        (self.role, self.person, self.language, self.token) = (role, person, language, token)
    }
}

/// Local time of the house, as the console works it out.
package struct LocalTime: Hashable, Sendable {
    package let hour, minute: Int
    /// 1 to 12, and 1 to 31.
    package let month, day: Int
    /// 0 for Sunday to 6 for Saturday.
    package let weekday: Int

    /// Moves values out of range to the nearest in it.
    package init(hour: Int, minute: Int, month: Int, day: Int, weekday: Int) {
        self.hour = min(max(hour, 0), 23)
        self.minute = min(max(minute, 0), 59)
        self.month = min(max(month, 1), 12)
        self.day = min(max(day, 1), 31)
        self.weekday = min(max(weekday, 0), 6)
    }

    var clock: String { (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)" }
}
