public import GatewayModel
public import WireFormats

/// Event of the radio for the rest of the gateway.
public enum WearableEvent: Hashable, Sendable {
    /// Decoded from one notification, which may bring several.
    case reading(Reading)
    /// Where a wearable is. Only after `WearableRadio.followPositions`.
    case position(WearablePosition)
    /// It says where it was last, or would be, and that it does not know where it is.
    case noFix(DeviceID, PersonID)
    /// A button or the like, as the wearable's settings understand it.
    case signal(WearableSignal)
    /// A button by which its wearer says that they are all right.
    case pressed(WearablePress)
    /// The device says that it could not measure: no value may be taken from that, nor health.
    case measurementFailed(DeviceID, characteristic: BluetoothUUID, reason: String, contact: SensorContact)
    /// A measurement of a user of the device without a name in the settings: it is nobody's until somebody names its person.
    /// Until then its readings stand with the wearer, and must not be told.
    case unnamedUser(DeviceID, [Reading], at: BootInstant)
    /// Identities of the device's last dated measurements, newest last. Told after their readings: given to the
    /// next run, none of them is told there again.
    case recordsTold(DeviceID, [UInt64])
    /// A notification that is no measurement. The bytes are personal data.
    case undecodable(device: DeviceID, characteristic: String, bytes: [UInt8], reason: String)
    /// A notification of a wearable that nobody judges: of a characteristic that is not known here (nil: bluetoothd
    /// does not show which), or of a second one of its kind.
    case ignored(DeviceID, BluetoothUUID?)
    /// Told when read, and on each change. Percent, 0 to 100.
    case battery(DeviceID, percent: Int)
    /// Told as it is read, each time with all that is known by then.
    case information(DeviceID, DeviceInformation)
    /// BTHome service data, from the 16-bit UUID on, of whichever device: it comes once for each advert that
    /// bluetoothd shows. Only after `WearableRadio.hearAdverts`.
    case advertised(DeviceAddress, serviceData: [UInt8], at: BootInstant)
    /// Rhythm by the services that bluetoothd knows, from before or from its adverts; `subscribed` knows
    /// better.
    case recognised(DeviceID, Wearable.Rhythm)
    /// The link is up; readings follow `subscribed`.
    case connected(DeviceID)
    /// All of the device that there is to subscribe to is: these; none of a tag that is only called. Told again
    /// when that changes. It has answered, so it is there, which `connected` does not prove: of a link that has
    /// died bluetoothd may say for seconds that it is up.
    case subscribed(DeviceID, [BluetoothUUID])
    /// It was connected, and has shown no measurement, button, position or buzzer that is of use here. Told at each try.
    case unsupported(DeviceID)
    /// A stream that is subscribed to has sent nothing for so long: it is not proven that it works.
    case unproven(DeviceID, BluetoothUUID, after: Duration)
    /// Every stream of the device has sent since.
    case proven(DeviceID)
    /// A link that was reported as `connected` is gone. It is being tried again.
    case disconnected(DeviceID, reason: String)
    /// The alert of `WearableRadio.alarm` has been handed to bluetoothd.
    case alerted(DeviceID, AlertLevel)
    /// Told on a change only, and once at the start. `reason` holds the observation and the remedy.
    case bluetooth(available: Bool, reason: String)
    /// Adapter or bluetoothd seem to hang or to be deaf: supervision is in doubt. Nil: it is over.
    case suspicion(String?)
    /// Remedy that is being tried against it.
    case recovering(RadioRecovery.Stage)
    /// A step failed and is tried again after `retryIn`. No device: the step concerns the adapter.
    case callFailed(DeviceID?, call: String, error: String, kind: CallFailure, retryIn: Duration)
}
