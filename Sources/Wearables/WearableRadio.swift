public import RealTime
public import Systemd

/// Keeps the wearables connected through bluetoothd and brings their readings.
///
/// All of it runs on a thread of its own, "bluetooth". `onEvent` is called there, synchronously: a reading
/// goes from the bus to the SOS rules without another thread or queue in between, and whatever `onEvent`
/// does delays the next reading. It must not block.
public final class WearableRadio: Sendable {
    private let bus: BusAddress
    private let adapter: String?
    private let wearables: [Wearable]
    private let onEvent: @Sendable (WearableEvent) -> Void
    private let stopRequest: StopRequest

    /// - Parameters:
    ///   - adapter: `hci0`, or the adapter's address; nil for the first that is switched on.
    ///   - wearables: each address once.
    ///   - onEvent: called on the "bluetooth" thread, see above.
    /// Errors: `SystemCallError` where the kernel has no descriptor left.
    public init(
        bus: BusAddress, adapter: String?, wearables: [Wearable],
        onEvent: @escaping @Sendable (WearableEvent) -> Void
    ) throws(SystemCallError) {
        self.bus = bus
        self.adapter = adapter
        self.wearables = wearables
        self.onEvent = onEvent
        stopRequest = try StopRequest()
    }

    /// Returns when stopped and no event can come any more. To be called once. A missing bus or bluetoothd is
    /// an event, not an error: they are waited for.
    /// Errors: `SystemCallError` where no thread can be made.
    public func run() async throws(SystemCallError) {
        let thread = try NamedThread("bluetooth") { [self] in
            RadioLoop(wearables, adapter: adapter, bus: bus, stop: stopRequest, onEvent: onEvent).run()
        }
        await thread.finished()
    }

    /// From any thread, at any time, any number of times. `run()` then returns within a second: the time
    /// in which bluetoothd is asked to end the notifications and the discovery. Links stay up.
    public func stop() { stopRequest.request() }
}
