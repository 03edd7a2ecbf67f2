package import GatewayModel
package import SOSLocal

/// The open alarms, as `status` and `watch` begin with them. Pure.
package struct OpenAlarmLines {
    private let alarms: [Alarm]

    package init(_ alarms: [Alarm]) { self.alarms = alarms }

    /// For `status`. An alarm comes before everything else; where there is none, a line says so.
    package var lines: [String] {
        alarms.isEmpty ? [Self.none] : alarms.map(Self.line)
    }

    /// First events of a new watcher.
    package func events(at moment: Moment) -> [FeedEvent] {
        alarms.isEmpty ? [.noOpenAlarm(at: moment)] : alarms.map { .open($0, at: moment) }
    }

    static let none = "no open alarm"
    private static let title = "OPEN ALARM"

    static func line(of alarm: Alarm) -> String { "\(title) \(alarm.id) of \(words(for: alarm))" }

    private static func words(for alarm: Alarm) -> String {
        let state =
            switch (alarm.windowEnd, alarm.call) {
            case (_?, _): "in the window to cancel"
            case (nil, .handedOver): "help is being called; the call has arrived, nobody has accepted it yet"
            case (nil, .none): "nobody outside is told of it"
            case (nil, _): "help is being called; NO CHANNEL has the call yet"
            }
        return "\(alarm.cause.person): \(alarm.cause.name), \(state)"
    }
}
