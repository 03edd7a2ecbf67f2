import GatewayModel
import HouseAlarm
import RealTime
import SOSLocal
import Synchronization

/// What the big button of the box means: a press cancels what is open, a hold while help is not being called
/// calls for it.
///
/// A hold whose own press has just cancelled an alarm is a finger that stayed, no call.
final class BoxButton: Sendable {
    /// The wearable that a call by the button is said to come from.
    static let device = DeviceID(checked: "house-button")
    private static let act = PersonAct(by: "the button of the box", means: .button)

    private let person: PersonID
    private let inbox: SOSInbox
    /// When the press began that has cancelled something last.
    private let cancelled = Mutex<BootInstant?>(nil)

    /// - Parameter person: for whom a hold calls.
    init(of person: PersonID, inbox: SOSInbox) {
        self.person = person
        self.inbox = inbox
    }

    /// On the button's thread.
    func used(_ press: ButtonPress) {
        switch press.kind {
        case .pressed:
            // Never one that somebody has accepted: a finger that calls for help comes down first.
            inbox.ask(.abort(.whatIsOpen, Self.act), at: press.instant) { [self] actions in
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
