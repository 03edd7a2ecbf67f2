public import GatewayModel
import Systemd
public import WireFormats

/// bluetoothd's adapters and devices with all details for a person that chooses among them.
struct DeviceTable: Hashable, Sendable {
    struct Adapter: Hashable, Sendable {
        var address: DeviceAddress?
        var isPowered = false
    }

    struct Device: Hashable, Sendable {
        var address: DeviceAddress?
        var adapter = ""
        var name: String?
        var signal: Int?
        var uuids: [String] = []
        /// Services with advertised data: some devices name their kind in no other way.
        var dataUUIDs: [String] = []
        var isPaired = false
        /// Nil before BlueZ 5.65, which does not tell.
        var isBonded: Bool?
        var isTrusted = false
        var isConnected = false
        /// Nil where bluetoothd has not told it.
        var areServicesResolved: Bool?
        var battery: Int?

        /// Whether `uuids` are the services of a connection, rather than those of an advert. bluetoothd keeps them with
        /// the bond.
        var areServicesComplete: Bool { (areServicesResolved ?? isPaired) || (isPaired && !isConnected) }

        /// On the air now: an advert was heard in this discovery, or it is connected.
        var isHere: Bool { signal != nil || isConnected }
    }

    private(set) var adapters: [String: Adapter] = [:]
    private(set) var devices: [String: Device] = [:]

    static let battery = "org.bluez.Battery1"

    /// The one a person named, else the first that is on: the choice of the running gateway, so that a
    /// bond is made where it is used.
    func adapter(_ wanted: String?) throws(PairingError) -> String {
        let fitting = adapters.filter { path, adapter in
            guard let wanted else { return true }
            return Self.name(path) == wanted || adapter.address == DeviceAddress(wanted)
        }
        if let path = fitting.filter(\.value.isPowered).keys.min() { return path }
        let reason =
            fitting.keys.min().map { Availability.poweredOff(adapter: Self.name($0)) }
            ?? .noAdapter(wanted: wanted, shown: adapters.keys.map(Self.name).sorted())
        throw .unavailable(reason.reason)
    }

    /// The device with `address` on the adapter at that path.
    func device(_ address: DeviceAddress, on adapter: String) -> (path: String, device: Device)? {
        devices.first { $0.value.address == address && $0.value.adapter == adapter }
            .map { ($0.key, $0.value) }
    }

    /// Nil for a device of which not even the address is known.
    func shown(_ path: String) -> NearbyDevice? {
        guard let device = devices[path], let address = device.address else { return nil }
        return NearbyDevice(
            address: address, name: device.name, signal: device.signal,
            knownServices: GATTService.known(among: device.uuids + device.dataUUIDs),
            areServicesComplete: device.areServicesComplete, isPaired: device.isPaired,
            isBonded: device.isBonded ?? device.isPaired, isTrusted: device.isTrusted,
            isConnected: device.isConnected, battery: device.battery, adapter: Self.name(device.adapter))
    }

    /// `hci0`: the last element of an adapter's path, which is all that bluetoothd tells of it.
    static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

// MARK: Changes

extension DeviceTable {
    init(_ tree: [String: BlueZInterfaces]) {
        for (path, interfaces) in tree { add(path, interfaces) }
    }

    mutating func add(_ path: String, _ interfaces: BlueZInterfaces) {
        if interfaces[BlueZ.adapter] != nil { adapters[path] = Adapter() }
        if interfaces[BlueZ.device] != nil { devices[path] = Device() }
        for (interface, properties) in interfaces { change(path, interface, properties, invalidated: []) }
    }

    mutating func remove(_ path: String, _ interfaces: [String]) {
        if interfaces.contains(BlueZ.adapter) { adapters[path] = nil }
        if interfaces.contains(BlueZ.device) { devices[path] = nil }
    }

    /// Properties of an object that is not known are ignored: InterfacesAdded comes first.
    mutating func change(
        _ path: String, _ interface: String, _ properties: [String: BusValue], invalidated: [String]
    ) {
        switch interface {
        case BlueZ.adapter: adapters[path]?.apply(properties)
        case BlueZ.device: devices[path]?.apply(properties, invalidated)
        case Self.battery:
            if case .byte(let percent)? = properties["Percentage"] { devices[path]?.battery = Int(percent) }
        default: break
        }
    }
}

// Each property once: its name, its type, where it goes. One of another type is ignored.

extension DeviceTable.Adapter {
    fileprivate mutating func apply(_ properties: [String: BusValue]) {
        if let text = properties["Address"]?.string { address = DeviceAddress(text) }
        if let value = properties["Powered"]?.bool { isPowered = value }
    }
}

extension DeviceTable.Device {
    fileprivate mutating func apply(_ properties: [String: BusValue], _ invalidated: [String]) {
        if let text = properties["Address"]?.string { address = DeviceAddress(text) }
        if let path = properties["Adapter"]?.objectPath { adapter = path }
        if let text = properties["Name"]?.string { name = text }
        if let value = properties["RSSI"]?.int16 { signal = Int(value) }
        if let values = properties["UUIDs"]?.strings { uuids = values }
        if let data = properties["ServiceData"]?.properties { dataUUIDs = data.keys.sorted() }
        if let value = properties["Paired"]?.bool { isPaired = value }
        if let value = properties["Bonded"]?.bool { isBonded = value }
        if let value = properties["Trusted"]?.bool { isTrusted = value }
        if let value = properties["Connected"]?.bool { isConnected = value }
        if let value = properties["ServicesResolved"]?.bool { areServicesResolved = value }
        if invalidated.contains("RSSI") { signal = nil }
    }
}

/// A device as bluetoothd shows it.
public struct NearbyDevice: Hashable, Sendable {
    public let address: DeviceAddress
    /// As the device calls itself, which may be anything: to be cleaned before it is shown.
    public let name: String?
    /// In dBm, as last heard; nil where it was not heard in this discovery.
    public let signal: Int?
    /// Services that the gateway knows, the device's clock and its like among them.
    public let knownServices: [GATTService]
    /// Whether the services were seen on a connection. An advert names only some of them.
    public let areServicesComplete: Bool
    public let isPaired: Bool
    public let isBonded: Bool
    public let isTrusted: Bool
    public let isConnected: Bool
    /// In percent; nil where bluetoothd does not know it.
    public let battery: Int?
    /// `hci0`
    public let adapter: String

    public init(
        address: DeviceAddress, name: String?, signal: Int?, knownServices: [GATTService],
        areServicesComplete: Bool, isPaired: Bool, isBonded: Bool, isTrusted: Bool, isConnected: Bool,
        battery: Int?, adapter: String
    ) {
        self.address = address
        self.name = name
        self.signal = signal
        self.knownServices = knownServices
        self.areServicesComplete = areServicesComplete
        self.isPaired = isPaired
        self.isBonded = isBonded
        self.isTrusted = isTrusted
        self.isConnected = isConnected
        self.battery = battery
        self.adapter = adapter
    }

    /// Services that tell a person something about the device.
    public var services: [GATTService] { knownServices.filter(\.isTelling) }
}
