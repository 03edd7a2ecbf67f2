import GatewayModel
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

    /// - Returns: the signal that `word` is; nil where it means nothing, or is not yet shaking.
    mutating func meaning(of word: BeaconWord, from device: DeviceID, at now: BootInstant) -> WearableSignal
        .Kind?
    {
        guard let signals = meanings[device] else { return nil }
        let kind: WearableSignal.Kind? =
            switch word {
            // A release ends a hold; it is no second press.
            case .button(.holdRelease, _), .button(.none, _), .button(.other, _): nil
            case .button: signals.button
            case .vibration: signals.vibration
            case .motion: signals.motion
            case .moving: signals.moving
            case .battery, .batteryLow: nil
            }
        guard kind == .shaking else { return kind }
        return shaking[device, default: ShakingDetector()].moved(at: now) ? .shaking : nil
    }
}
