public import GatewayModel

/// What the radio tells the rest of the gateway.
public enum WearableEvent: Hashable, Sendable {
    /// Decoded from one notification.
    case reading(Reading)
    /// A notification that is no measurement. The bytes are personal data.
    case undecodable(device: DeviceID, characteristic: String, bytes: [UInt8], reason: String)
    /// The link is up; readings follow `subscribed`.
    case connected(DeviceID)
    case subscribed(DeviceID)
    /// A link that was reported as `connected` is gone. It is being tried again.
    case disconnected(DeviceID, reason: String)
    /// Told on a change only, and once at the start. `reason` says what was seen and what to do.
    case bluetooth(available: Bool, reason: String)
    /// A step failed and is tried again after `retryIn`. No device: the step concerns the adapter.
    case callFailed(DeviceID?, call: String, error: String, retryIn: Duration)
}
