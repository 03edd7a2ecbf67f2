package import GatewayModel
package import SOSLocal

/// The open alarms, as `status` and `watch` begin with them. Pure.
package struct OpenAlarmLines {
    private let alarms: [Alarm]

    package init(_ alarms: [Alarm]) { self.alarms = alarms }

    /// For `status`. An alarm comes before everything else; where there is none, a line says so.
    package var lines: [String] {
        alarms.isEmpty ? [Self.none] : alarms.map { "\(Self.title) \($0.id) of \(Self.words(for: $0))" }
    }

    /// For `watch`.
    package func events(at moment: Moment) -> [FeedEvent] {
        guard !alarms.isEmpty else {
            return [FeedEvent("no-open-alarm", at: moment).with { $0.text = Self.none }]
        }
        return alarms.map { alarm in
            FeedEvent("open-alarm", at: moment).with {
                $0.alarm = alarm.id.description
                $0.person = alarm.cause.person.text
                $0.rule = alarm.cause.name
                $0.text = "\(Self.title) \(alarm.id) of \(Self.words(for: alarm))"
            }
        }
    }

    private static let none = "no open alarm"
    private static let title = "OPEN ALARM"

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
