import GatewayModel
import Glibc
import Systemd
import WireFormats

@testable import Wearables

/// bluetoothd's object tree as it is after a first connection, and what a test asks of the tracker.
struct TrackerRig {
    static let strap = Wearable(
        id: DeviceID("strap")!, address: DeviceAddress("C0:FF:EE:00:00:01")!, person: PersonID("ada")!,
        alarmAlert: .high)
    static let band = Wearable(
        id: DeviceID("band")!, address: DeviceAddress("C0:FF:EE:00:00:02")!, person: PersonID("bob")!,
        alarmAlert: .high)
    static let hci0 = "/org/bluez/hci0"
    // The path need not follow the address: only the property counts.
    static let device = "/org/bluez/hci0/dev_somewhere"
    static let other = "/org/bluez/hci0/dev_else"
    static let service = device + "/service000a"
    static let characteristic = service + "/char000b"

    var tracker: WearableTracker
    var now = BootInstant(nanoseconds: 1_000_000_000_000)
    var events: [WearableEvent] = []
    /// Calls not yet answered, oldest first.
    var calls: [(id: Int, call: BlueZCall)] = []
    var notified: [[UInt8]] = []
    /// Whether bluetoothd gives out sockets; it says so at once.
    var givesSockets = false
    /// bluetoothd answers nothing by itself; else it answers pings at once.
    var isHung = false
    var attached: [String] = []
    var clocksSet: [Int] = []
    var clockFormats: [ConnectionSetup.ClockFormat] = []
    var buzzes: [BuzzOutcome] = []
    /// Sequence numbers of the stored records that were told.
    var records: [UInt16] = []

    init(_ wearables: [Wearable] = [strap], adapter: String? = nil, mayRestartBluetooth: Bool = false) {
        tracker = WearableTracker(
            wearables, adapter: adapter, bus: .system, seed: 7, mayRestartBluetooth: mayRestartBluetooth,
            at: now)
    }

    /// - Returns: the calls that it led to.
    @discardableResult
    mutating func after(
        _ event: (inout WearableTracker, BootInstant) -> [WearableTracker.Action]
    ) -> [BlueZCall.Method] {
        var made: [BlueZCall.Method] = []
        for action in event(&tracker, now) {
            switch action {
            case .call(let id, let call) where call.method == .acquireNotify:
                let reply = socketReply
                made += after { $0.replied(id, reply, at: $1) }
            case .call(let id, .ping) where !isHung:
                made += after { $0.replied(id, .success([]), at: $1) }
            case .call(let id, let call):
                calls.append((id, call))
                made.append(call.method)
            case .emit(let event): events.append(event)
            case .notified(_, _, let bytes): notified.append(bytes)
            case .records(_, let given): records += given.map(\.measurement.sequenceNumber)
            case .attach(let path, _): attached.append(path)
            case .detach(let path): attached.removeAll { $0 == path }
            case .setClock(let id, _, let format):
                clocksSet.append(id)
                clockFormats.append(format)
            case .buzzed(_, let outcome): buzzes.append(outcome)
            case .forget, .clockTaken: break
            }
        }
        return made
    }

    private var socketReply: BusConnection.Reply {
        guard givesSockets else {
            return .failure(.remote(name: "org.bluez.Error.NotSupported", message: "test"))
        }
        return .success([.descriptor(BusDescriptor(owning: Glibc.open("/dev/null", O_RDONLY))), .uint16(185)])
    }

    /// Answers the oldest open call of that method.
    @discardableResult
    mutating func answer(_ method: BlueZCall.Method, _ error: String? = nil, tree: BusValue? = nil)
        -> [BlueZCall.Method]
    {
        guard let index = calls.firstIndex(where: { $0.call.method == method }) else { return [] }
        let id = calls.remove(at: index).id
        let reply: BusConnection.Reply =
            error.map { .failure(.remote(name: $0, message: "test")) } ?? .success(tree.map { [$0] } ?? [])
        return after { $0.replied(id, reply, at: $1) }
    }

    /// Lets time pass, with a tick at each deadline as the loop does it.
    @discardableResult
    mutating func wait(_ duration: Duration) -> [BlueZCall.Method] {
        let end = now.advanced(by: duration)
        var made: [BlueZCall.Method] = []
        while let deadline = tracker.deadline, deadline <= end {
            now = deadline
            made += after { $0.tick(at: $1) }
        }
        now = end
        return made
    }

    @discardableResult
    mutating func change(
        _ path: String, _ interface: String, _ properties: [String: BusValue], invalidated: [String] = []
    ) -> [BlueZCall.Method] {
        after { $0.propertiesChanged(path, interface, properties, invalidated: invalidated, at: $1) }
    }

    @discardableResult
    mutating func link(isUp: Bool) -> [BlueZCall.Method] {
        change(Self.device, BlueZ.device, ["Connected": .bool(isUp), "ServicesResolved": .bool(isUp)])
    }

    @discardableResult
    mutating func load(_ tree: [String: BlueZInterfaces]) -> [BlueZCall.Method] {
        after { $0.busOpened(at: $1) }
        return answer(.getManagedObjects, tree: Self.value(tree))
    }

    /// Up to `subscribed`, by way of a link that was up at the start.
    mutating func subscribe() {
        load(Self.tree(isConnected: true))
        answer(.startNotify)
        events = []
    }
}

extension TrackerRig {
    static func adapter(isPowered: Bool = true) -> BlueZInterfaces {
        [BlueZ.adapter: ["Powered": .bool(isPowered), "Address": .string("00:1B:DC:07:31:01")]]
    }

    static func device(_ wearable: Wearable = strap, isConnected: Bool = false, isHeard: Bool = false)
        -> BlueZInterfaces
    {
        var properties: [String: BusValue] = [
            "Address": .string(wearable.address.description), "Adapter": .objectPath(hci0),
            "Connected": .bool(isConnected), "ServicesResolved": .bool(isConnected),
        ]
        if isHeard { properties["RSSI"] = .int16(-60) }
        return [BlueZ.device: properties]
    }

    static let gatt: [String: BlueZInterfaces] = [
        service: [
            BlueZ.gattService: [
                "Device": .objectPath(device), "UUID": .string("0000180d-0000-1000-8000-00805f9b34fb"),
            ]
        ],
        characteristic: [
            BlueZ.characteristic: [
                "UUID": .string("00002a37-0000-1000-8000-00805f9b34fb"), "Service": .objectPath(service),
                "Flags": .array([.string("notify")]),
            ]
        ],
    ]

    static func tree(isConnected: Bool = false, isHeard: Bool = false, hasGATT: Bool = true) -> [String:
        BlueZInterfaces]
    {
        let objects = [hci0: adapter(), device: device(isConnected: isConnected, isHeard: isHeard)]
        return hasGATT ? objects.merging(gatt) { first, _ in first } : objects
    }

    static func value(_ tree: [String: BlueZInterfaces]) -> BusValue {
        func dictionary(_ entries: [String: BusValue]) -> BusValue {
            .dictionary(Dictionary(uniqueKeysWithValues: entries.map { (.string($0.key), $0.value) }))
        }
        return .dictionary(
            Dictionary(
                uniqueKeysWithValues: tree.map { path, interfaces in
                    (.objectPath(path), dictionary(interfaces.mapValues(dictionary)))
                }))
    }
}

extension TrackerRig {
    /// One characteristic of the strap's device, in a service of its own.
    static func row(_ number: Int, in service: String, _ flags: String...) -> (
        path: String, objects: [String: BlueZInterfaces]
    ) {
        let uuid = String(number, radix: 16)
        let parent = device + "/service" + service
        let path = parent + "/char" + uuid
        return (
            path,
            [
                parent: [
                    BlueZ.gattService: [
                        "Device": .objectPath(device),
                        "UUID": .string("0000\(service)-0000-1000-8000-00805f9b34fb"),
                    ]
                ],
                path: [
                    BlueZ.characteristic: [
                        "UUID": .string("0000\(uuid)-0000-1000-8000-00805f9b34fb"),
                        "Service": .objectPath(parent),
                        "Flags": .array(flags.map { .string($0) }),
                    ]
                ],
            ]
        )
    }

    /// The device connected, with these characteristics and no others.
    static func tree(_ rows: [(path: String, objects: [String: BlueZInterfaces])]) -> [String: BlueZInterfaces]
    {
        rows.reduce(tree(isConnected: true, hasGATT: false)) { tree, row in
            tree.merging(row.objects) { first, _ in first }
        }
    }

    /// The paths of the open calls of that method, oldest first.
    func open(_ method: BlueZCall.Method) -> [String] {
        calls.filter { $0.call.method == method }.map(\.call.path)
    }

    /// Answers every open call of the method with success.
    mutating func answerAll(_ method: BlueZCall.Method) {
        while calls.contains(where: { $0.call.method == method }) { answer(method) }
    }
}
