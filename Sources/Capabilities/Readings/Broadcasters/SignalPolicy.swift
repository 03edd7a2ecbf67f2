package import GatewayModel
import Hub
import SOSLocal
package import Settings
package import Wearables
import WireFormats

/// Meaning of the messages of a broadcaster for its person, by the settings.
package struct SignalPolicy: Sendable {
    private let meanings: [DeviceID: GatewaySettings.Signals]
    private var shaking: [DeviceID: ShakingDetector] = [:]

    package init(_ wearables: [GatewaySettings.Wearable]) {
        meanings = Dictionary(wearables.map { ($0.id, $0.signals) }) { first, _ in first }
    }

    /// - Returns: what `message` is; nil where it means nothing, or is not yet shaking.
    package mutating func meaning(
        of message: BroadcasterMessage, from device: DeviceID, at now: BootInstant
    ) -> ButtonMeaning? {
        guard let signals = meanings[device] else { return nil }
        let kind: ButtonMeaning? =
            switch message.signalEvent {
            case .button: signals.button
            case .doublePress: signals.doublePress ?? signals.button
            case .longPress: signals.longPress ?? signals.button
            case .vibration: signals.vibration.map(ButtonMeaning.init)
            case .motion: signals.motion.map(ButtonMeaning.init)
            case .moving: signals.moving.map(ButtonMeaning.init)
            case nil: nil
            }
        guard kind == .shaking else { return kind }
        return shaking[device, default: ShakingDetector()].moved(at: now) ? .shaking : nil
    }
}
