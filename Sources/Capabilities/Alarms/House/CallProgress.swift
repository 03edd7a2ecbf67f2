import GatewayModel
import HouseAlarm
import Hub
import SOSLocal

/// From the actions of the machine to the words for the house: of how far a call has come each step once. Pure.
struct CallProgress {
    private enum Step {
        case noticeGiven, called, arrived
    }

    /// Of each open alarm of which anybody outside was told.
    private var calls: [AlarmID: Step] = [:]

    /// Nil where the house has nothing to hear. That one of several channels fails is for the log: the house hears
    /// whether help is reached, not by which way.
    mutating func word(after action: SOSAction) -> HouseMessage? {
        switch action {
        case .annunciate(let notice) where notice.cause.isButtonTest:
            return notice.repetition == 0 ? .buttonTest(notice.person, .passed) : nil
        case .dispatch(let order) where order.cause.isButtonTest: return nil
        case .noteEnding(let notice, _, _) where notice.cause.isButtonTest:
            calls[notice.alarm] = nil
            return nil
        case .noteButtonTest(let person, isOn: false): return .buttonTest(person, .over)
        case .annunciate(let notice): return .alarm(notice)
        case .dispatch(let order) where order.stage == .confirmed:
            return step(.called, of: order.alarm, after: [nil, .noticeGiven]).map { .progress(order.alarm, $0) }
        case .noteProgress(let alarm, .channel(_, .handedOver(_, .pending)), _):
            return step(.noticeGiven, of: alarm, after: [nil]).map { .progress(alarm, $0) }
        case .noteProgress(let alarm, .channel(_, .handedOver(_, .confirmed)), _):
            return step(.arrived, of: alarm, after: [.called]).map { .progress(alarm, $0) }
        case .noteUnreached(let notice):
            return calls[notice.alarm] == .called ? .progress(notice.alarm, .notReached) : nil
        case .noteExercise(let person, let end): return .exercise(person, until: end)
        case .noteAllRight(let notice): return .allRight(notice.person)
        case .noteEnding(let notice, let ending, _):
            calls[notice.alarm] = nil
            return .ended(notice, ending)
        case .noteFailure(let notice, _, _, isLastWord: true) where !notice.cause.isButtonTest:
            return .notRetracted(notice.person)
        case .refuse(.severalOpen(let persons, asked: .button)): return .whoseIsMeant(persons)
        default: return nil
        }
    }

    private mutating func step(_ step: Step, of alarm: AlarmID, after earlier: [Step?]) -> HelpProgress? {
        guard earlier.contains(calls[alarm]) else { return nil }
        calls[alarm] = step
        return switch step {
        case .noticeGiven: .noticeGiven
        case .called: .called
        case .arrived: .arrived
        }
    }
}
