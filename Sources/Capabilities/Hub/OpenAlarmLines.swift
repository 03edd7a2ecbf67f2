package import GatewayModel
package import HelpState
package import SOSLocal

/// The open alarms, as `status` and `watch` begin with them. Pure.
package struct OpenAlarmLines {
    private let alarms: [(alarm: Alarm, help: HelpState)]

    package init(_ alarms: [Alarm], help: (Alarm) -> HelpState) { self.alarms = alarms.map { ($0, help($0)) } }

    /// For `status`. An alarm comes before everything else; where there is none, a line says so.
    package var lines: [String] {
        alarms.isEmpty ? [Self.none] : alarms.map { Self.line(of: $0.alarm, $0.help) }
    }

    /// First events of a new watcher.
    package func events(at moment: Moment) -> [FeedEvent] {
        alarms.isEmpty ? [.noOpenAlarm(at: moment)] : alarms.map { .open($0.alarm, $0.help, at: moment) }
    }

    static let none = "no open alarm"
    private static let title = "OPEN ALARM"

    static func line(of alarm: Alarm, _ help: HelpState) -> String {
        "\(title) \(alarm.id) of \(alarm.cause.person): \(alarm.cause.name), \(words(for: help))"
    }

    private static func words(for help: HelpState) -> String {
        switch help {
        case .willBeCalled(_, let knowing):
            "in the window to cancel" + (knowing.isEmpty ? "" : "; help knows already")
        case .beingCalled: "help is being called; no recipient has the call yet"
        case .reached: "help is being called; the call has arrived, nobody has accepted it yet"
        case .taken(let by, _): "taken by \(by)"
        case .nobodyIsCalled(.termsNotAccepted): "NOBODY IS CALLED: the AutomatedSOS terms are not accepted"
        case .nobodyIsCalled(.nobodyToTell): "nobody outside is told of it"
        case .cannotBeCalled(.waysDead):
            "HELP CANNOT BE CALLED at present: every way is down; no recipient has the call yet"
        case .cannotBeCalled(.unanswered): "HELP IS NOT REACHED; no recipient has the call yet"
        case .over: "over"
        }
    }
}
