package import GatewayModel
package import Wearables

/// Sign of life, or of trouble, of a wearable that the radio connects to.
package enum WearableObservation: Sendable {
    case reading(Reading)
    /// The wearable sent something else than a reading. `contact` is nil where that says nothing about the skin.
    case message(DeviceID, contact: SensorContact?, at: BootInstant)
    /// A press that calls for help, after it was handed to the SOS rules.
    case pressed(DeviceID, at: BootInstant)
    case recognised(DeviceID, Wearable.Rhythm, at: BootInstant)
    case subscribed(DeviceID, Wearable.Rhythm, at: BootInstant)
    /// It was connected, and has shown nothing that is of use here.
    case unsupported(DeviceID, at: BootInstant)
    /// Whether each of its streams still sends.
    case proven(DeviceID, Bool, at: BootInstant)
    /// It sent something that nobody judges.
    case ignored(DeviceID, at: BootInstant)
    case battery(DeviceID, percent: Int, at: BootInstant)
    case disconnected(DeviceID, at: BootInstant)
    /// Bluetooth has reported the state of each wearable, or that it cannot be used.
    case bluetoothReported(at: BootInstant)
    /// The wearables from now on, with the rhythm that the settings give.
    case replaced([DeviceID: Wearable.Rhythm?], at: BootInstant)
}

/// Sign of life, or of trouble, of a broadcaster.
package enum BroadcasterObservation: Sendable {
    /// A new frame that is believed.
    case believed(DeviceID, isTriggerBased: Bool, at: BootInstant)
    /// A press that calls for help, after it was handed to the SOS rules.
    case pressed(DeviceID, at: BootInstant)
    /// A frame in its name that is not believed: its button would call nobody.
    case refused(DeviceID, at: BootInstant)
    /// A frame that a changed battery or a recording explains.
    case unproven(DeviceID, at: BootInstant)
    case batteryConfirmed(DeviceID, at: BootInstant)
    case battery(DeviceID, percent: Int, at: BootInstant)
    case batteryLow(DeviceID, Bool, at: BootInstant)
    /// The broadcasters from now on.
    case replaced([DeviceID: ExpectedBroadcaster], at: BootInstant)
}

/// Facts about a broadcaster that are known before its first frame.
package struct ExpectedBroadcaster: Hashable, Sendable {
    /// Limit of its silence in the settings; nil for a limit that suits its kind.
    package let silence: Duration?
    /// It sent at intervals before the restart.
    package let sendsRegularly: Bool
}

/// Supervision of the wearables. Called on the thread that received the sign; must return at once.
package protocol WearableObserver: Sendable {
    func observe(_ observation: WearableObservation)
    func observe(_ observation: BroadcasterObservation)
}
