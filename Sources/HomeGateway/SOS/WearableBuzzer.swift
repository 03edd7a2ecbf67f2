import GatewayModel
import Synchronization

/// The alarm on the wrist: lets the wearables of a person in an alarm buzz.
///
/// Called on the SOS thread, it hands the wish to the radio's mailbox and is done. A Bluetooth that hangs
/// holds up the buzzing and nothing else; each repetition of the alarm asks again.
final class WearableBuzzer: Sendable {
    typealias Alarm = @Sendable (PersonID, _ isOn: Bool) -> Void

    private let radio = Mutex<Alarm?>(nil)

    /// Until then alarms are not felt.
    func onAlarm(_ alarm: @escaping Alarm) {
        radio.withLock { $0 = alarm }
    }

    /// From any thread, at once.
    func alarm(_ person: PersonID, isOn: Bool) {
        radio.withLock { $0 }?(person, isOn)
    }
}
