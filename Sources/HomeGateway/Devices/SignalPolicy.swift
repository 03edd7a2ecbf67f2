import GatewayModel
import Hub
import SOSLocal
import Settings
import Wearables
import WireFormats

/// What the words of an advertising wearable mean for its person, as the settings say.
struct SignalPolicy: Sendable {
    private let meanings: [DeviceID: GatewaySettings.Signals]
    private var shaking: [DeviceID: ShakingDetector] = [:]

    init(_ wearables: [GatewaySettings.Wearable]) {
        meanings = Dictionary(wearables.map { ($0.id, $0.signals) }) { first, _ in first }
    }

    /// - Returns: what `word` is; nil where it means nothing, or is not yet shaking.
    mutating func meaning(
        of word: BeaconWord, from device: DeviceID, at now: BootInstant
    ) -> ButtonMeaning? {
        guard let signals = meanings[device] else { return nil }
        let kind: ButtonMeaning? =
            switch word {
            // A release ends a hold; it is no second press.
            case .button(.holdRelease, _), .button(.none, _), .button(.other, _): nil
            case .button(.double, _), .button(.longDouble, _): signals.doublePress ?? signals.button
            case .button(.long, _), .button(.hold, _): signals.longPress ?? signals.button
            case .button: signals.button
            case .vibration: signals.vibration.map(ButtonMeaning.init)
            case .motion: signals.motion.map(ButtonMeaning.init)
            case .moving: signals.moving.map(ButtonMeaning.init)
            case .battery, .batteryLow: nil
            }
        guard kind == .shaking else { return kind }
        return shaking[device, default: ShakingDetector()].moved(at: now) ? .shaking : nil
    }
}
