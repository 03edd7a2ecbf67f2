public import RealTime
import Synchronization
public import WireFormats

/// Hears advertisements at the kernel's monitor channel, without bluetoothd in between: each one, as it
/// comes, where bluetoothd shows of each device the latest, if it has changed.
///
/// All of it runs on a thread of its own, "hci"; both closures are called there, and their work delays the next
/// batch: hand on, do not work, never block. Needs CAP_NET_RAW; without it the event `.unavailable` says so,
/// and only discovery through bluetoothd is left.
public final class HCIScanner: Sendable {
    public enum Mode: Hashable, Sendable {
        /// Scans whenever nobody else does.
        case scan
        /// Sends no command: hears the adverts of others' scans, such as bluetoothd's discovery.
        case listen
    }

    private let adapter: String?
    private let mode: Mode
    private let kernel: any HCIKernel
    private let filter: Mutex<AdvertFilter>
    private let onAdverts: @Sendable ([Advert]) -> Void
    private let onEvent: @Sendable (HCIScanEvent) -> Void
    private let stopRequest: StopRequest

    /// - Parameters:
    ///   - adapter: `hci0`, or the adapter's address; nil for the first.
    /// - onAdverts: gets the wanted adverts, in order of arrival, in batches as they come: one advertisement
    ///   where the air is quiet. Never empty. Errors: `SystemCallError` where the kernel has no descriptor
    ///   left.
    public convenience init(
        adapter: String?, mode: Mode = .scan, filter: AdvertFilter,
        onAdverts: @escaping @Sendable ([Advert]) -> Void,
        onEvent: @escaping @Sendable (HCIScanEvent) -> Void
    ) throws(SystemCallError) {
        try self.init(
            adapter: adapter, mode: mode, filter: filter, kernel: LinuxHCIKernel(), onAdverts: onAdverts,
            onEvent: onEvent)
    }

    init(
        adapter: String?, mode: Mode, filter: AdvertFilter, kernel: any HCIKernel,
        onAdverts: @escaping @Sendable ([Advert]) -> Void,
        onEvent: @escaping @Sendable (HCIScanEvent) -> Void
    ) throws(SystemCallError) {
        self.adapter = adapter
        self.mode = mode
        self.kernel = kernel
        self.filter = Mutex(filter)
        self.onAdverts = onAdverts
        self.onEvent = onEvent
        stopRequest = try StopRequest()
    }

    /// Returns when stopped and neither closure is called any more. To be called once. A missing requirement is
    /// an event, not an error: it is waited for. Errors: `SystemCallError` where no thread can be made.
    public func run() async throws(SystemCallError) {
        let thread = try NamedThread("hci") { [self] in
            var random = SystemRandomNumberGenerator()
            let machine = ScanMachine(wanted: adapter, ownScan: mode == .scan, seed: random.next())
            let loop = ScanLoop(
                machine, kernel: kernel, stop: stopRequest, filter: { self.filter.withLock { $0 } },
                onAdverts: onAdverts, onEvent: onEvent)
            loop.run()
        }
        await thread.finished()
    }

    /// From any thread: holds from the next batch on.
    public func want(_ filter: AdvertFilter) { self.filter.withLock { $0 = filter } }

    /// From any thread, at any time, any number of times. `run()` then returns within a second: the time in
    /// which the controller is asked to end the scan that was started here.
    public func stop() { stopRequest.request() }
}
