import GatewayModel
import HouseAlarm
import Hub
import SOSLocal

/// From the actions of the machine to the messages for the house: each step of a call once. Pure.
struct CallProgress {
    private enum Step: Hashable {
        case window, noticeGiven, called, notReached, arrived

        init(_ alarm: Alarm) {
            if alarm.windowEnd != nil {
                self = alarm.isNoticeGiven ? .noticeGiven : .window
            } else if alarm.timeline.callHandedOver != nil {
                self = .arrived
            } else {
                self = alarm.isCallUnreached ? .notReached : .called
            }
        }
    }

    /// Step of each open alarm that the house knows.
    private var calls: [AlarmID: Step] = [:]
    /// Alarms whose end was told as one of which nobody outside has heard.
    private var unheard: [AlarmID: AlarmEnding] = [:]
    private static let mostUnheard = 16

    /// Nil where the house has nothing to hear. That one of several channels fails is for the log: the house hears
    /// whether help is reached, not by which way.
    ///
    /// - Parameter isTakenBeside: whether somebody has taken another call of the person. Asked where an alarm ends.
    mutating func word(
        after action: SOSAction, isTakenBeside: (PersonID, AlarmID) -> Bool = { _, _ in false }
    ) -> HouseMessage? {
        switch action {
        case .annunciate(let notice) where notice.cause.isButtonTest:
            return notice.repetition == 0 ? .buttonTest(notice.person, .passed) : nil
        case .noteEnding(let notice, _, _) where notice.cause.isButtonTest: return nil
        case .noteButtonTest(let person, isOn: false): return .buttonTest(person, .over)
        case .annunciate(let notice):
            calls[notice.alarm] = Step(notice.state)
            return .alarm(notice)
        case .record(let alarm) where !alarm.isOpen:
            // The message arrived after its alarm had ended.
            guard !alarm.timeline.handedOver.isEmpty, let ending = unheard.removeValue(forKey: alarm.id) else {
                return nil
            }
            let notice = AlarmNotice(alarm, repetition: 0)
            return .ended(notice, ending, isOneOfSeveral: isTakenBeside(notice.person, notice.alarm))
        case .record(let alarm):
            // One that the house was not told of has no step.
            guard let known = calls[alarm.id] else { return nil }
            let step = Step(alarm)
            guard step != known else { return nil }
            calls[alarm.id] = step
            return .progress(alarm)
        case .noteExercise(let person, let end): return .exercise(person, until: end)
        case .noteAllRight(let notice): return .allRight(notice.person)
        case .noteEnding(let notice, let ending, _):
            calls[notice.alarm] = nil
            let state = notice.state
            if !state.channelsTold.isEmpty, state.timeline.handedOver.isEmpty {
                if unheard.count >= Self.mostUnheard { unheard = [:] }
                unheard[notice.alarm] = ending
            }
            return .ended(notice, ending, isOneOfSeveral: isTakenBeside(notice.person, notice.alarm))
        case .noteClosing(let notice, let act):
            let ending = AlarmEnding.resolved(act, at: notice.state.closed?.at ?? notice.confirmation)
            return .ended(notice, ending, isOneOfSeveral: isTakenBeside(notice.person, notice.alarm))
        // Nobody outside had a message of the alarm: nobody is left to be told of its end.
        case .noteFailure(let notice, _, _, isLastWord: true)
        where !notice.cause.isButtonTest && !notice.state.timeline.handedOver.isEmpty:
            return .notRetracted(notice.person)
        case .refuse(.severalOpen(let persons, asked: .button)): return .whoseIsMeant(persons)
        default: return nil
        }
    }
}
