public import SQLDatabase

/// Notices of the desk for the other servers of a database.
public enum DeskNotice {
    private static let change = "desk"
    private static let present = "desk-present"
    /// User names of a notice: each has 32 bytes at most.
    private static let namesOfANotice = 150

    static func changed(_ alerts: [EmergencyCall.Alert]) -> DatabaseNotice {
        DatabaseNotice(change, alerts.map(\.rawValue).joined(separator: " "))
    }

    /// Alerts of a notice of a change; nil for another notice.
    public static func alerts(in notice: DatabaseNotice) -> [EmergencyCall.Alert]? {
        guard notice.topic == change else { return nil }
        return notice.text.split(separator: " ").compactMap { EmergencyCall.Alert(rawValue: String($0)) }
    }

    /// Dispatchers with an open page of this server, by their user names.
    public static func present(_ users: [String]) -> [DatabaseNotice] {
        stride(from: 0, to: users.count, by: namesOfANotice).map { begin in
            DatabaseNotice(
                present, users[begin..<min(begin + namesOfANotice, users.count)].joined(separator: " "))
        }
    }

    /// Dispatchers of a notice of open pages; nil for another notice.
    public static func users(in notice: DatabaseNotice) -> [String]? {
        guard notice.topic == present else { return nil }
        return notice.text.split(separator: " ").map(String.init)
    }
}
