public import GatewayModel
public import Systemd

/// Why something that a person asked of bluetoothd was not done: what was seen, and what to do.
public enum PairingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bluetooth itself cannot be used; the text says what to do.
    case unavailable(String)
    case deviceAway(DeviceAddress, after: Duration)
    case connectionFailed(DeviceAddress, String)
    case wrongPasskey
    /// The keys could not be made, and no passkey was asked for.
    case authenticationFailed
    /// The device said no.
    case rejected
    /// `here`: by the person at this computer; else by the device or by bluetoothd.
    case cancelled(here: Bool)
    case timedOut(after: Duration)
    case alreadyPaired(DeviceAddress)
    /// Paired for this connection only: no keys were kept.
    case notBonded
    /// Another pairing of it, or another agent's, is under way.
    case busy
    /// Any other answer of bluetoothd.
    case refused(step: String, BusError)

    public var description: String {
        switch self {
        case .unavailable(let reason): reason
        case .deviceAway(let address, let after):
            "\(address) was not heard within \(after.wholeSeconds) s: bring it near, wake it (wear it, press its "
                + "button, take it off its charger), and see that no phone is connected to it"
        case .connectionFailed(let address, let text):
            "\(address) is heard, but no connection comes about (\(text)): bring it nearer, see that no phone is "
                + "connected to it, and try again"
        case .wrongPasskey:
            "the device does not accept this passkey: read it again from its display or label and try again; "
                + "some show a new one each time"
        case .authenticationFailed:
            "the device broke the pairing off: put it into its pairing mode (see its manual; often a long press), "
                + "and delete this computer from its list of partners if it keeps one; then try again"
        case .rejected:
            "the device refused: put it into its pairing mode (see its manual; often a long press), then try again"
        case .cancelled(here: true): "stopped here: nothing was paired"
        case .cancelled(here: false):
            "the device or bluetoothd stopped the pairing: put it into its pairing mode and try again"
        case .timedOut(let after):
            "nothing came of it within \(after.wholeSeconds) s: put the device into its pairing mode, have its "
                + "passkey at hand, and try again"
        case .alreadyPaired(let address): "\(address) is paired with this computer already"
        case .notBonded:
            "the device paired but kept no keys, so it would not be known tomorrow: switch on bonding in its "
                + "settings, or remove this computer from its list of partners, then try again"
        case .busy:
            "another pairing is under way at this computer: end it (bluetoothctl, a desktop's dialogue), then "
                + "try again"
        case .refused(let step, let error):
            "bluetoothd refuses \(step): \(error). See: journalctl -u bluetooth"
        }
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int64 { components.seconds }
}
