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
    /// Calls that somebody has taken and nobody has ended, with the time of the taking.
    private var taken: [AlarmID: (person: PersonID, at: BootInstant)] = [:]

    /// Nil where the house has nothing to hear. That one of several channels fails is for the log: the house hears
    /// whether help is reached, not by which way.
    mutating func word(after action: SOSAction) -> HouseMessage? {
        switch action {
        case .annunciate(let notice) where notice.cause.isButtonTest:
            return notice.repetition == 0 ? .buttonTest(notice.person, .passed) : nil
        case .noteEnding(let notice, _, _) where notice.cause.isButtonTest: return nil
        case .noteButtonTest(let person, isOn: false): return .buttonTest(person, .over)
        case .annunciate(let notice):
            calls[notice.alarm] = Step(notice.state)
            return .alarm(notice)
        case .record(let alarm):
            // An ended alarm has no step, and neither has one that the house was not told of.
            guard alarm.isOpen, let known = calls[alarm.id] else { return nil }
            let step = Step(alarm)
            guard step != known else { return nil }
            calls[alarm.id] = step
            return .progress(alarm)
        case .noteExercise(let person, let end): return .exercise(person, until: end)
        case .noteAllRight(let notice): return .allRight(notice.person)
        case .noteEnding(let notice, let ending, _):
            calls[notice.alarm] = nil
            let isBeside = isATakenCall(of: notice.person, besides: notice.alarm, at: ending.instant)
            if case .accepted(_, _, let at) = ending { taken[notice.alarm] = (notice.person, at) }
            return .ended(notice, ending, isBesideATakenCall: isBeside)
        case .retract(let retraction):
            // An acceptance is told to the channels in the same way.
            if case .accepted = retraction.ending { return nil }
            taken[retraction.alarm] = nil
            return nil
        case .noteClosing(let notice, let act):
            taken[notice.alarm] = nil
            let ending = AlarmEnding.resolved(act, at: notice.state.closed?.at ?? notice.confirmation)
            let isBeside = isATakenCall(of: notice.person, besides: notice.alarm, at: ending.instant)
            return .ended(notice, ending, isBesideATakenCall: isBeside)
        // Whoever never got a message believes nothing.
        case .noteFailure(let notice, _, _, isLastWord: true)
        where !notice.cause.isButtonTest && !notice.state.timeline.handedOver.isEmpty:
            return .notRetracted(notice.person)
        case .refuse(.severalOpen(let persons, asked: .button)): return .whoseIsMeant(persons)
        default: return nil
        }
    }

    private mutating func isATakenCall(
        of person: PersonID, besides alarm: AlarmID, at now: BootInstant
    ) -> Bool {
        taken = taken.filter { $0.value.at.duration(to: now) < Alarm.heldLimit }
        return taken.contains { $0.key != alarm && $0.value.person == person }
    }
}
