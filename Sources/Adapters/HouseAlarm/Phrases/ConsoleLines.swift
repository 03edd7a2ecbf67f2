public import GatewayModel
import SOSLocal

/// The alarm in the house as lines of a console, in the language of its person. Pure.
///
/// Like the voice it gives no technical reason: the log has them, and a person in the room has no use for them.
public struct ConsoleLines: Sendable {
    private let phrases: HousePhrases
    private var open: [AlarmID: OpenAlarm] = [:]

    public init(_ phrases: HousePhrases) {
        self.phrases = phrases
    }

    /// Nil where there is nothing new to be read.
    public mutating func line(for word: HouseMessage, at now: BootInstant) -> String? {
        switch word {
        case .alarm(let notice):
            open[notice.alarm] = OpenAlarm(notice)
        case .progress(let state):
            guard var alarm = open[state.id] else { return nil }
            alarm.hear(state)
            open[state.id] = alarm
            return phrases.shownProgress(of: alarm, at: now)
        case .ended(let notice, let ending, let isOneOfSeveral):
            open[notice.alarm] = nil
            let goesOn = isOneOfSeveral || open.values.contains { $0.notice.person == notice.person }
            return phrases.shown(.ended(notice, ending, isOneOfSeveral: goesOn), at: now)
        case .notRetracted, .allRight, .whoseIsMeant, .supervision, .helpReach, .settingsWrong, .batteryLow,
            .batteryCharged, .boxPower, .boxButton, .drillFailed, .buttonTest, .exercise, .devicePaired,
            .question:
            break
        }
        return phrases.shown(word, at: now)
    }
}
