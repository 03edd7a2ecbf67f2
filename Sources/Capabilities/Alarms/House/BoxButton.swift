import GatewayModel
import HouseAlarm
import RealTime
import SOSLocal
import Synchronization

/// The button of the box. A press cancels the open alarm. A hold calls for help unless help is already being called.
///
/// Where alarms of several persons are open, a press counts for the owner of the button. It ends the alarm of another
/// person only if that is the only open alarm. A press that ends no alarm is answered aloud.
///
/// A hold whose own press has just cancelled an alarm does not call for help: the finger stayed on it.
final class BoxButton: Sendable {
    /// ID of the wearable that is given as the origin of a call by the button.
    static let device = DeviceID.houseButton
    private static let act = PersonAct(by: "the button of the box", means: .button)

    /// Time after a cancelling press in which a second press is ignored, as an accidental repetition. It must not end
    /// the remaining alarm of another person.
    private static let nervousness = Duration.seconds(2)

    private let person: PersonID
    private let inbox: SOSInbox
    /// Start of the last press that cancelled an alarm.
    private let cancelled = Mutex<BootInstant?>(nil)

    /// - Parameter person: owner of the button. A hold calls help for them.
    init(of person: PersonID, inbox: SOSInbox) {
        self.person = person
        self.inbox = inbox
    }

    /// Handles a press. On the button's thread.
    func used(_ press: ButtonPress) {
        switch press.kind {
        case .pressed:
            let last = cancelled.withLock { $0 }
            guard last.map({ $0.duration(to: press.instant) >= Self.nervousness }) ?? true else { return }
            // An accepted alarm is never cancelled: a finger that calls for help presses first.
            inbox.ask(.abort(.whatIsOpen(buttonOf: person), Self.act), at: press.instant) { [self] actions in
                let hasCancelled = actions.contains {
                    switch $0 {
                    case .noteEnding(let notice, _, _): notice.priority == .high
                    default: false
                    }
                }
                if hasCancelled { cancelled.withLock { $0 = press.began } }
            }
        case .held:
            inbox.inspect(at: press.instant) { [self] open in
                let isCalling = open.contains { $0.priority == .high && !$0.cause.isDrill }
                guard !isCalling, cancelled.withLock({ $0 }) != press.began else { return }
                call(at: press.instant)
            }
        }
    }

    private func call(at instant: BootInstant) {
        let now = Clock.wall()
        let signal = WearableSignal(
            id: .random(at: now), person: person, device: Self.device, kind: .sosButton,
            arrival: Moment(boot: instant, wall: now))
        inbox.submit(.signal(signal), at: instant)
    }
}
