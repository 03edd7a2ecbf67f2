import GatewayModel
import Hub
import RealTime
package import Settings
import Systemd
package import Wearables
import WireFormats

/// Pairs a device, and adds it to the devices file as the wearable of a person. The command line and the daemon do it by
/// this. To be run once.
package final class DevicePairing: Sendable {
    package enum Step: Sendable {
        case paired(NearbyDevice)
        /// The bond is older than this run. Nil where bluetoothd has no data about the device.
        case alreadyPaired(NearbyDevice?)
        /// It is added without a pairing, by what bluetoothd knows of it.
        case lookedUp(NearbyDevice?)
    }

    package enum Outcome: Sendable {
        /// The settings from now on, and the device as bluetoothd shows it.
        case added(GatewaySettings, NearbyDevice?)
        /// It was added before.
        case unchanged
        /// The gateway can read nothing from it. It was not added.
        case useless(NearbyDevice, isBondDeleted: Bool)
    }

    /// Way to the bond.
    package enum Bond: Hashable, Sendable {
        case pairing
        /// A device that needs no bond.
        case none
        /// A device that only advertises.
        case advertising
    }

    private let device: NewDevice
    private let bond: Bond
    private let isAnyAdmitted: Bool
    private let isKnown: Bool
    private let settings: GatewaySettings
    private let file: DevicesFile
    private let author: String
    private let session: PairingSession?

    /// - Parameters:
    ///   - device: its address is the one of the scan.
    ///   - isAnyAdmitted: adds a device that the gateway can read nothing from.
    ///   - settings: as they are now.
    ///   - settingsPath: file that `settings` were loaded from.
    ///   - author: named on top of the devices file.
    /// Errors: `unavailable` where the kernel has no descriptor left.
    package init(
        _ device: NewDevice, by bond: Bond, isAnyAdmitted: Bool = false, in settings: GatewaySettings,
        settingsPath: String, capability: AgentCapability, prompts: PairingPrompts, author: String
    ) throws(PairingError) {
        (self.device, self.bond, self.isAnyAdmitted) = (device, bond, isAnyAdmitted)
        (self.settings, self.author) = (settings, author)
        file = DevicesFile(of: settings, settingsPath: settingsPath)
        isKnown = settings.wearables.contains {
            $0.id == device.id && $0.address == device.address && $0.person == device.person
        }
        session =
            bond == .pairing
            ? try PairingSession(
                bus: BusAddress(settings.bluetooth.bus), adapter: settings.bluetooth.adapter,
                device: device.address, capability: capability, prompts: prompts) : nil
    }

    /// Whether the device could be added, as far as that can be told before a person presses buttons on it. Blocking I/O.
    package func check() throws(DevicesFileError) {
        guard !isKnown else { return }
        try settings.checkIsNew(device)
        try file.checkIsWritable()
    }

    /// From any thread: ends the pairing as cancelled, within 2 s.
    package func stop() { session?.stop() }

    /// - Parameter report: called with the end of the pairing, before the file is written.
    /// Errors: `PairingError`, `DevicesFileError`. The file is then as it was.
    package func run(report: @Sendable (Step) -> Void) async throws -> Outcome {
        let (found, isNewBond) = try await connect(report)
        guard !isKnown else { return .unchanged }
        if let found, found.isUseless, !isAnyAdmitted, bond != .advertising {
            if isNewBond {
                _ = try await KnownDevices.forget(found.address, bus: BusAddress(settings.bluetooth.bus))
            }
            return .useless(found, isBondDeleted: isNewBond)
        }
        let added = device.at(found?.address ?? device.address, note: bond == .pairing ? found?.name : nil)
        let after = try await OwnThread.result("devices") { [file, author] () throws(DevicesFileError) in
            try file.add(added, by: author)
        }
        return .added(after, found)
    }

    private func connect(
        _ report: @Sendable (Step) -> Void
    ) async throws -> (device: NearbyDevice?, isNewBond: Bool) {
        guard let session else {
            guard bond == .none else { return (nil, false) }
            let known = try? await lookUp()
            report(.lookedUp(known))
            return (known, false)
        }
        do throws(PairingError) {
            let paired = try await session.run()
            report(.paired(paired))
            return (paired, true)
        } catch {
            guard case .alreadyPaired = error else { throw error }
            let known = try await lookUp()
            report(.alreadyPaired(known))
            return (known, false)
        }
    }

    private func lookUp() async throws(PairingError) -> NearbyDevice? {
        let known = try await KnownDevices.list(bus: BusAddress(settings.bluetooth.bus))
        return known.first { $0.address == device.address }
    }
}

/// Blocking work on a thread of its own: nothing on the cooperative pool waits for a disk.
enum OwnThread {
    /// Errors: those of `body`, and `SystemCallError` where no thread can be made.
    static func result<Value: Sendable, Failure: Error>(
        _ name: String, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws -> Value {
        let (results, result) = AsyncStream<Result<Value, Failure>>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let thread = try NamedThread(name) {
            do throws(Failure) {
                result.yield(.success(try body()))
            } catch {
                result.yield(.failure(error))
            }
            result.finish()
        }
        await thread.finished()
        for await outcome in results { return try outcome.get() }
        throw CancellationError()
    }
}

extension NearbyDevice {
    /// Whether its services are known, and the gateway can use none of them.
    package var isUseless: Bool { areServicesComplete && !knownServices.contains(where: \.isOfUse) }
}
