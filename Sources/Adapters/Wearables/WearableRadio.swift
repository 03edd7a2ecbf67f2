public import GatewayModel
public import RealTime
public import Systemd

/// Keeps the wearables connected through bluetoothd and brings their readings.
///
/// All of it runs on a thread of its own, "bluetooth". `onEvent` is called there, synchronously: a reading
/// goes from the bus to the SOS rules without another thread or queue in between, and the work that `onEvent`
/// does delays the next reading. It must not block.
public final class WearableRadio: Sendable {
    private let settings: RadioSettings
    private let onEvent: @Sendable (WearableEvent) -> Void
    private let stopRequest: StopRequest
    private let inbox: RadioInbox
    private let readiness: Readiness

    /// - Parameters:
    ///   - adapter: `hci0`, or the adapter's address; nil for the first that is switched on.
    ///   - wearables: each address once.
    ///   - inbox: requests of other threads; read by this radio alone.
    /// - gateway: sender of the messages that the readings become.
    ///   - told: as the last `recordsTold` of each device said, in the run before.
    ///   - mayRestartBluetooth: as the last of the means against a Bluetooth that hangs, systemd may be
    ///     asked to restart bluetooth.service. It ends every Bluetooth connection of the machine.
    ///   - onEvent: called on the "bluetooth" thread, see above.
    /// Errors: `SystemCallError` where the kernel has no descriptor left.
    public init(
        bus: BusAddress, adapter: String?, wearables: [Wearable], inbox: RadioInbox,
        gateway: GatewayID, told: [DeviceID: [UInt64]] = [:], mayRestartBluetooth: Bool = false,
        onEvent: @escaping @Sendable (WearableEvent) -> Void
    ) throws(SystemCallError) {
        settings = RadioSettings(
            bus: bus, adapter: adapter, wearables: wearables, gateway: gateway, told: told,
            mayRestartBluetooth: mayRestartBluetooth)
        self.onEvent = onEvent
        stopRequest = try StopRequest()
        self.inbox = inbox
        readiness = try Readiness()
        for wakeup in [stopRequest.wakeup, inbox.requests.wakeup] { try readiness.watch(wakeup.descriptor) }
    }

    /// Returns when stopped and no event can come any more. To be called once. A missing bus or bluetoothd is
    /// an event, not an error: they are waited for.
    /// Errors: `SystemCallError` where no thread can be made.
    public func run() async throws(SystemCallError) {
        let thread = try NamedThread("bluetooth") { [self] in
            RadioLoop(
                settings, stop: stopRequest, requests: inbox.requests, readiness: readiness, onEvent: onEvent
            ).run()
        }
        await thread.finished()
    }

    /// From any thread, at any time, any number of times. `run()` then returns within a second: the time
    /// in which bluetoothd is asked to end the notifications and the discovery. Links stay up.
    public func stop() { stopRequest.request() }
}

/// Settings of the radio.
struct RadioSettings: Sendable {
    let bus: BusAddress
    let adapter: String?
    let wearables: [Wearable]
    let gateway: GatewayID
    let told: [DeviceID: [UInt64]]
    let mayRestartBluetooth: Bool
}
