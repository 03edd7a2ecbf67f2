package import GatewayModel
import HouseAlarm
import Hub
import Logging
import RealTime
import SOSLocal
import Synchronization

/// Performs the machine's decisions: the alarm in the house first, then the calls for help, then the record, the feed and
/// the log.
///
/// On the SOS thread. Each action is handed to the mailbox of another thread, so that nothing here waits: a Bluetooth
/// that hangs delays the buzzing on the wrist and nothing else.
struct AlarmPerformer: Sendable {
    let house: HouseService
    let dispatcher: Dispatcher
    let records: AlarmRecords
    let drills: DrillService
    let wearables: AlarmWearables
    let exercise: ExerciseTimes
    let cancelled: CancelledAlarmCounts
    let feed: Feed
    let log: Logger
    private let progress = Progress()

    init(
        house: HouseService, dispatcher: Dispatcher, records: AlarmRecords, drills: DrillService,
        wearables: AlarmWearables, exercise: ExerciseTimes,
        cancelled: CancelledAlarmCounts, feed: Feed, log: Logger
    ) {
        (self.house, self.dispatcher, self.records, self.drills) = (house, dispatcher, records, drills)
        self.cancelled = cancelled
        (self.wearables, self.exercise, self.feed, self.log) = (wearables, exercise, feed, log)
    }

    private final class Progress: Sendable {
        private let calls = Mutex(CallProgress())

        func word(
            after action: SOSAction, isTakenBeside: (PersonID, AlarmID) -> Bool
        ) -> HouseMessage? {
            calls.withLock { $0.word(after: action, isTakenBeside: isTakenBeside) }
        }
    }

    func perform(_ action: SOSAction, at instant: BootInstant) {
        let word = progress.word(after: action) {
            records.open.isAnyHeld(of: $0, besides: $1, at: instant)
        }
        if let word { house.say(word) }
        switch action {
        case .annunciate(let notice) where !notice.cause.isButtonTest: wearables.buzz(notice.person, true)
        case .dispatch(let order): dispatcher.dispatch(order)
        case .retract(let retraction): dispatcher.retract(retraction)
        case .noteEnding(let notice, _, _): wearables.buzz(notice.person, false)
        case .noteExercise(let person, let end): exercise.note(person, until: end)
        case .record(let alarm):
            records.record(alarm)
            wearables.follow(records.open.owners)
            drills.note(alarm, besides: records.open)
            cancelled.note(alarm)
        default: break
        }
        feed.put(.decided(action, at: Moment(boot: instant, wall: Clock.wall())))
        AlarmLog(log).record(action, at: instant)
    }
}

/// Requests of an alarm to the wearables. Called on the SOS thread; each must return at once.
package struct AlarmWearables: Sendable {
    /// Lets the wearables of a person buzz, or ends it. Each repetition of the alarm asks again.
    let buzz: @Sendable (PersonID, _ isOn: Bool) -> Void
    /// Asks the wearables of the persons with an open alarm for positions, so that help finds the persons.
    let follow: @Sendable (Set<PersonID>) -> Void

    package init(
        buzz: @escaping @Sendable (PersonID, _ isOn: Bool) -> Void,
        follow: @escaping @Sendable (Set<PersonID>) -> Void
    ) {
        (self.buzz, self.follow) = (buzz, follow)
    }
}
