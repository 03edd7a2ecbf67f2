public import GatewayModel
public import RealTime
public import Systemd

/// Keeps the wearables connected through bluetoothd and brings their readings.
///
/// All of it runs on a thread of its own, "bluetooth". `onEvent` is called there, synchronously: a reading
/// goes from the bus to the SOS rules without another thread or queue in between, and whatever `onEvent`
/// does delays the next reading. It must not block.
public final class WearableRadio: Sendable {
    private let settings: RadioSettings
    private let onEvent: @Sendable (WearableEvent) -> Void
    private let stopRequest: StopRequest
    /// Not bounded: each is a person's or the settings' doing, and none may be lost.
    private let requests: Mailbox<RadioRequest>
    private let readiness: Readiness

    /// - Parameters:
    ///   - adapter: `hci0`, or the adapter's address; nil for the first that is switched on.
    ///   - wearables: each address once.
    ///   - gateway: whose messages the readings become.
    ///   - told: as the last `recordsTold` of each device said, in the run before.
    ///   - mayRestartBluetooth: as the last of the means against a Bluetooth that hangs, systemd may be
    ///     asked to restart bluetooth.service. It ends every Bluetooth connection of the machine.
    ///   - onEvent: called on the "bluetooth" thread, see above.
    /// Errors: `SystemCallError` where the kernel has no descriptor left.
    public init(
        bus: BusAddress, adapter: String?, wearables: [Wearable], gateway: GatewayID,
        told: [DeviceID: [UInt64]] = [:], mayRestartBluetooth: Bool = false,
        onEvent: @escaping @Sendable (WearableEvent) -> Void
    ) throws(SystemCallError) {
        settings = RadioSettings(
            bus: bus, adapter: adapter, wearables: wearables, gateway: gateway, told: told,
            mayRestartBluetooth: mayRestartBluetooth)
        self.onEvent = onEvent
        stopRequest = try StopRequest()
        requests = try Mailbox()
        readiness = try Readiness()
        for wakeup in [stopRequest.wakeup, requests.wakeup] { try readiness.watch(wakeup.descriptor) }
    }

    /// Returns when stopped and no event can come any more. To be called once. A missing bus or bluetoothd is
    /// an event, not an error: they are waited for.
    /// Errors: `SystemCallError` where no thread can be made.
    public func run() async throws(SystemCallError) {
        let thread = try NamedThread("bluetooth") { [self] in
            RadioLoop(
                settings, stop: stopRequest, requests: requests, readiness: readiness, onEvent: onEvent
            ).run()
        }
        await thread.finished()
    }

    /// From any thread, at any time, any number of times. `run()` then returns within a second: the time
    /// in which bluetoothd is asked to end the notifications and the discovery. Links stay up.
    public func stop() { stopRequest.request() }

    /// From now on these wearables and no others; any thread, at any time. Links of those that are no more
    /// here are ended; their bonds stay. One that is the same as before keeps its link.
    public func replace(wearables: [Wearable]) { requests.put(.replace(wearables)) }

    /// Lets each connected wearable of the person that has Immediate Alert (0x1802) buzz or flash as its settings
    /// say, or ends that; any thread, returns at once. For each `.alerted` or `.callFailed` tells what came of
    /// it: that bluetoothd took it, not that it was felt.
    public func alarm(_ person: PersonID, isOn: Bool) { requests.put(.alarm(person, isOn: isOn)) }

    /// From now on bluetoothd's discovery stays on, but for the seconds in which a wearable is connected, and
    /// each BTHome advert it shows is told as `.advertised`; or no more. Any thread, at any time.
    ///
    /// For where the kernel does not let this process listen itself. It is less sure: nothing is heard while
    /// a connection is made, and every neighbour's advert wakes bluetoothd, the bus and this thread.
    public func hearAdverts(_ isOn: Bool) { requests.put(.hearAdverts(isOn)) }

    /// From now on the wearables of these persons are asked where they are (Location and Navigation, 0x1819), and
    /// nobody else's; any thread, at any time. Until then, and after it, no position is subscribed to or read.
    public func followPositions(of persons: Set<PersonID>) { requests.put(.followPositions(of: persons)) }
}

/// What the radio is made with.
struct RadioSettings: Sendable {
    let bus: BusAddress
    let adapter: String?
    let wearables: [Wearable]
    let gateway: GatewayID
    let told: [DeviceID: [UInt64]]
    let mayRestartBluetooth: Bool
}
