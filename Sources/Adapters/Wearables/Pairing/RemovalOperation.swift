import GatewayModel
import Systemd

/// Ends the link of a device and deletes its bond, on every adapter that knows it.
struct RemovalOperation: BlueZOperation {
    /// Whether bluetoothd knew it.
    typealias Value = Bool

    /// 15 s together: a link that does not end in good order is dropped by the controller.
    static let limit = Duration.seconds(15)

    let address: DeviceAddress
    private var left: [String] = []
    private var wasKnown = false
    private var isDone = false
    private(set) var deadline: BootInstant?

    init(_ address: DeviceAddress) {
        self.address = address
    }

    mutating func handle(_ event: BlueZOperationEvent, _ table: DeviceTable, at now: BootInstant) -> [Action] {
        switch event {
        case .began:
            left = table.devices.filter { $0.value.address == address }.keys.sorted()
            wasKnown = !left.isEmpty
            deadline = now.advanced(by: Self.limit)
            return next(table)
        case .replied(let call, let reply): return replied(call, reply, table)
        case .tick:
            guard let deadline, now >= deadline, !isDone else { return [] }
            return finish(.failure(.timedOut(after: Self.limit)))
        case .cancelled: return isDone ? [] : finish(.failure(.cancelled(here: true)))
        case .agent(let ticket, _): return [.refuse(ticket, name: "org.bluez.Error.Rejected")]
        case .changed, .answered: return []
        }
    }

    private mutating func next(_ table: DeviceTable) -> [Action] {
        // One that went by itself needs nothing more.
        left.removeAll { table.devices[$0] == nil }
        guard let path = left.first else { return finish(.success(wasKnown)) }
        guard table.devices[path]?.isConnected == true else { return remove(path, table) }
        return [.call(.device(path, "Disconnect"))]
    }

    private func remove(_ path: String, _ table: DeviceTable) -> [Action] {
        guard let adapter = table.devices[path]?.adapter else { return [] }
        return [.call(.adapter(adapter, "RemoveDevice", [.objectPath(path)]))]
    }

    private mutating func replied(
        _ call: BusCall, _ reply: BusConnection.Reply, _ table: DeviceTable
    ) -> [Action] {
        guard let path = left.first, !isDone else { return [] }
        // RemoveDevice ends a link too: it comes next after any reply of Disconnect.
        if call.member == "Disconnect", table.devices[path] != nil { return remove(path, table) }
        if call.member == "RemoveDevice", case .failure(let error) = reply,
            !error.hasName("org.bluez.Error.DoesNotExist")
        {
            return finish(.failure(PairingError(step: "to remove the device", error)))
        }
        left.removeFirst()
        return next(table)
    }

    private mutating func finish(_ result: Result<Bool, PairingError>) -> [Action] {
        isDone = true
        deadline = nil
        return [.finish(result)]
    }
}

/// Devices that bluetoothd knows, without touching the radio.
struct LookupOperation: BlueZOperation {
    typealias Value = [NearbyDevice]

    var deadline: BootInstant? { nil }

    mutating func handle(_ event: BlueZOperationEvent, _ table: DeviceTable, at now: BootInstant) -> [Action] {
        switch event {
        case .began: [.finish(.success(table.devices.keys.sorted().compactMap(table.shown)))]
        case .cancelled: [.finish(.failure(.cancelled(here: true)))]
        default: []
        }
    }
}
