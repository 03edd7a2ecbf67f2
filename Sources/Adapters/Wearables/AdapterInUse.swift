import GatewayModel
import Systemd

/// The adapter that the gateway uses: the choice among those of bluetoothd, its power and its availability. Pure.
struct AdapterInUse: Sendable {
    /// Name or address from the settings: `hci0`, or its address. Nil: the first that is on.
    private let wanted: String?
    /// Path of the adapter in use.
    private(set) var path: String?
    private var availability: Availability?
    /// The gateway has switched the adapter off, and switches it on again then.
    private(set) var powerOnAt: BootInstant?

    init(wanted: String?) {
        self.wanted = wanted
    }

    /// For the kernel to take a switched-off adapter down and lose the state that it hung in.
    private static let offTime = Duration.seconds(2)
    /// Between tries to switch it on again: it stays wanted until it is on.
    private static let powerOnRetry = Duration.seconds(5)

    /// Chooses the adapter to use. One in use is kept while it is on: the links are on it.
    /// - Parameter onLoss: called where the adapter before has gone, or none is on.
    /// - Returns: the path of an adapter that is on; nil where there is none.
    mutating func choose(
        among adapters: [String: BlueZObjects.Adapter], _ calls: inout CallQueue,
        onLoss: (inout CallQueue) -> Void
    ) -> String? {
        let fitting = adapters.filter { isWanted($0.value) }
        let powered = fitting.filter { $0.value.isPowered }
        let chosen = path.flatMap { powered[$0] == nil ? nil : $0 } ?? powered.keys.min() ?? fitting.keys.min()
        if chosen != path || powered.isEmpty { onLoss(&calls) }
        path = chosen
        guard let chosen, let found = fitting[chosen] else {
            announce(.noAdapter(wanted: wanted, shown: adapters.values.map(\.name).sorted()), &calls)
            return nil
        }
        announce(found.isPowered ? .usable(adapter: found.name) : .poweredOff(adapter: found.name), &calls)
        return found.isPowered ? chosen : nil
    }

    private func isWanted(_ adapter: BlueZObjects.Adapter) -> Bool {
        guard let wanted else { return true }
        return adapter.name == wanted || adapter.address == DeviceAddress(wanted)
    }

    /// Emits a change of the availability, once.
    mutating func announce(_ now: Availability, _ calls: inout CallQueue) {
        let before = availability?.kind
        availability = now
        if now.kind != before { calls.emit(.bluetooth(available: now.isUsable, reason: now.reason)) }
    }

    mutating func powerCycle(at now: BootInstant, _ calls: inout CallQueue) {
        guard let path else { return }
        powerOnAt = now.advanced(by: Self.offTime)
        calls.call(.setPower(of: path, false), for: .power(false))
    }

    mutating func powerOnWhenDue(at now: BootInstant, _ calls: inout CallQueue) {
        guard let due = powerOnAt, now >= due, let path else { return }
        powerOnAt = now.advanced(by: Self.powerOnRetry)
        calls.call(.setPower(of: path, true), for: .power(true))
    }

    mutating func powerReplied(_ isOn: Bool, _ error: BusError?, _ calls: inout CallQueue) {
        if let error {
            calls.emitFailure(of: "Set Powered", error, retryIn: Self.powerOnRetry)
        } else if isOn {
            powerOnAt = nil
        }
    }

    mutating func startOver() {
        path = nil
        powerOnAt = nil
    }
}
