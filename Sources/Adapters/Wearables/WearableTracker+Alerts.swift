import GatewayModel
import Systemd
import WireFormats

// Immediate Alert (0x1802): an alarm is felt where its person is.

extension WearableTracker {
    /// To each wearable of the person that is connected and can do it: the others are passed over, since there
    /// is nothing to be done about them in an alarm.
    mutating func sendAlerts(to person: PersonID, isOn: Bool) {
        for link in links where link.isUp && link.wearable.person == person {
            guard link.wearable.alarmAlert != .none, let path = shown(link)?.path else { continue }
            let found = objects.characteristics(of: path).first {
                CharacteristicRole($0.uuid, service: $0.service) == .immediateAlert
            }
            guard let found else { continue }
            let level = isOn ? link.wearable.alarmAlert : .none
            // The service allows a Write Command only; some tags have it as a request.
            let awaitsResponse = !found.flags.contains("write-without-response")
            call(
                .writeValue(found.path, level.bytes, awaitsResponse: awaitsResponse),
                link: link.wearable.address, for: .alert(level))
        }
    }

    mutating func alertReplied(_ level: Wearable.AlertLevel, _ error: BusError?, _ index: Int) {
        let device = links[index].wearable.id
        guard let error else { return emit(.alerted(device, level)) }
        emit(
            .callFailed(
                device, call: "Immediate Alert", error: error.description, kind: CallFailure(error),
                retryIn: .zero))
    }
}
