public import GatewayModel
import RealTime
import Synchronization
public import Systemd

/// One operation at bluetoothd on a thread of its own, "pairing".
private final class BlueZOperationRun<E: BlueZOperation>: Sendable {
    private let operation: E
    private let bus: BusAddress
    private let prompts: PairingPrompts
    private let report: @Sendable (E.Value) -> Void
    private let stopRequest: StopRequest
    private let answers: Mailbox<BlueZOperationEvent>
    private let outcome = Mutex<Result<E.Value, PairingError>?>(nil)

    init(
        _ operation: E, bus: BusAddress, prompts: PairingPrompts = .nobody,
        report: @escaping @Sendable (E.Value) -> Void = { _ in }
    ) throws(PairingError) {
        self.operation = operation
        self.report = report
        self.bus = bus
        self.prompts = prompts
        do throws(SystemCallError) {
            stopRequest = try StopRequest()
            answers = try Mailbox()
        } catch {
            throw .unavailable("\(error)")
        }
    }

    func run() async throws(PairingError) -> E.Value {
        do throws(SystemCallError) {
            let thread = try NamedThread("pairing") { [self] in
                let loop = BlueZOperationLoop(
                    operation, bus: bus, prompts: prompts, stop: stopRequest, answers: answers,
                    report: report)
                let result = loop.run()
                outcome.withLock { $0 = result }
            }
            await thread.finished()
        } catch {
            throw .unavailable("\(error)")
        }
        return try (outcome.withLock { $0 } ?? .failure(.cancelled(here: true))).get()
    }

    func stop() { stopRequest.request() }
}

/// Listens for a while for devices that are there, known or not. To be run once.
public final class DiscoveryList: Sendable {
    private let operation: BlueZOperationRun<ScanOperation>

    /// - Parameters:
    ///   - adapter: `hci0`, or the adapter's address; nil for the first that is switched on.
    ///   - duration: bounded by the caller; a slow device advertises every 10 s.
    ///   - onHeard: called on the "pairing" thread with the devices so far, at most twice a second. It must return soon.
    /// Errors: `unavailable` where the kernel has no descriptor left.
    public init(
        bus: BusAddress, adapter: String?, duration: Duration,
        onHeard: @escaping @Sendable ([NearbyDevice]) -> Void = { _ in }
    ) throws(PairingError) {
        operation = try BlueZOperationRun(
            ScanOperation(adapter: adapter, duration: duration), bus: bus, report: onHeard)
    }

    /// The devices that were heard, the strongest signal first, and those that are connected. At most 500.
    /// Errors: `unavailable`, `refused`.
    public func run() async throws(PairingError) -> [NearbyDevice] { try await operation.run() }

    /// From any thread: `run()` then returns the found devices within 2 s.
    public func stop() { operation.stop() }
}

/// Pairs one device with this computer. To be run once.
public final class PairingSession: Sendable {
    private let operation: BlueZOperationRun<PairingOperation>

    /// - Parameter prompts: called on the "pairing" thread.
    /// Errors: `unavailable` where the kernel has no descriptor left.
    public init(
        bus: BusAddress, adapter: String?, device: DeviceAddress, capability: AgentCapability,
        prompts: PairingPrompts
    ) throws(PairingError) {
        operation = try BlueZOperationRun(
            PairingOperation(device, adapter: adapter, capability: capability), bus: bus, prompts: prompts)
    }

    /// The device, paired, bonded and trusted. Its address may be another than was asked for: its lasting
    /// one. At most 20 s of searching, 120 s of pairing and 10 s for its services.
    public func run() async throws(PairingError) -> NearbyDevice { try await operation.run() }

    /// From any thread: ends the pairing as cancelled, within 2 s.
    public func stop() { operation.stop() }
}

/// bluetoothd's memory of devices.
public enum KnownDevices {
    /// All that bluetoothd knows now, without touching the radio. Errors: `unavailable`.
    public static func list(bus: BusAddress) async throws(PairingError) -> [NearbyDevice] {
        try await BlueZOperationRun(LookupOperation(), bus: bus).run()
    }

    /// Ends its link and deletes its bond. Only ever on a person's explicit word: a deleted device has to be
    /// paired anew, at the device.
    /// - Returns: whether bluetoothd knew it. Errors: `unavailable`, `refused`, `timedOut`.
    public static func forget(_ device: DeviceAddress, bus: BusAddress) async throws(PairingError) -> Bool {
        try await BlueZOperationRun(RemovalOperation(device), bus: bus).run()
    }
}
