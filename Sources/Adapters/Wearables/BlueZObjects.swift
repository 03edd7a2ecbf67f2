import GatewayModel
import Systemd
import WireFormats

/// Interfaces of one object with their properties, as ObjectManager shows them.
typealias BlueZInterfaces = [String: [String: BusValue]]

/// The part of bluetoothd's object tree that we use, as last told. Paths are looked up, never built.
struct BlueZObjects: Hashable, Sendable {
    struct Adapter: Hashable, Sendable {
        /// `hci0`: the last element of the path, which is all that bluetoothd tells of it.
        var name: String
        var address: DeviceAddress?
        var isPowered = false
        var isDiscovering = false
    }

    struct Device: Hashable, Sendable {
        var address: DeviceAddress?
        var adapter: String?
        var isConnected = false
        var isPaired = false
        var areServicesResolved = false
        /// An advert has been heard in this discovery: bluetoothd takes RSSI away when it ends.
        var hasSignal = false
        /// Those that it has, from its adverts or from when it was last connected.
        var services: [BluetoothUUID] = []
    }

    struct Service: Hashable, Sendable {
        var uuid: BluetoothUUID?
        var device: String?
    }

    struct Characteristic: Hashable, Sendable {
        var uuid: BluetoothUUID?
        var service: String?
        /// `notify`, `read` and so on, as bluetoothd names them.
        var flags: Set<String> = []
    }

    private(set) var adapters: [String: Adapter] = [:]
    private(set) var devices: [String: Device] = [:]
    private(set) var services: [String: Service] = [:]
    private(set) var characteristics: [String: Characteristic] = [:]

    /// The device with `address`, on the adapter at that path.
    func device(_ address: DeviceAddress, on adapter: String) -> (path: String, device: Device)? {
        let found = devices.first { $0.value.address == address && $0.value.adapter == adapter }
        return found.map { ($0.key, $0.value) }
    }

    /// The characteristics of the device at that path, in the order of their paths, which is that of their
    /// handles.
    func characteristics(of device: String) -> [ShownCharacteristic] {
        characteristics.compactMap { path, found in
            owner(of: found) == device ? characteristic(path) : nil
        }
        .sorted { $0.path < $1.path }
    }

    /// The characteristic at that path; nil where bluetoothd shows none, or not what it is.
    func characteristic(_ path: String) -> ShownCharacteristic? {
        guard let found = characteristics[path], let uuid = found.uuid else { return nil }
        return ShownCharacteristic(
            path: path, uuid: uuid, service: found.service.flatMap { services[$0]?.uuid }, flags: found.flags)
    }

    /// Path of the device that an object below it is of.
    func device(above path: String) -> String? {
        devices.keys.first { path.hasPrefix($0 + "/") }
    }

    /// UUID of a characteristic, and the path of its device.
    func owner(ofCharacteristic path: String) -> (uuid: BluetoothUUID, device: String)? {
        guard let found = characteristics[path], let uuid = found.uuid, let device = owner(of: found) else {
            return nil
        }
        return (uuid, device)
    }

    private func owner(of characteristic: Characteristic) -> String? {
        characteristic.service.flatMap { services[$0]?.device }
    }
}

/// A characteristic of a wearable as bluetoothd shows it now.
struct ShownCharacteristic: Hashable, Sendable {
    let path: String
    let uuid: BluetoothUUID
    let service: BluetoothUUID?
    let flags: Set<String>

    var canNotify: Bool { !flags.isDisjoint(with: ["notify", "indicate"]) }

    /// A changed value of it is no answer to somebody's read.
    var isNotificationOnly: Bool { canNotify && !flags.contains("read") }
}

// MARK: Changes

extension BlueZObjects {
    mutating func add(_ path: String, _ interfaces: BlueZInterfaces) {
        for (interface, properties) in interfaces {
            switch interface {
            case BlueZ.adapter:
                adapters[path] = Adapter(name: path.split(separator: "/").last.map(String.init) ?? path)
            case BlueZ.device: devices[path] = Device()
            case BlueZ.gattService: services[path] = Service()
            case BlueZ.characteristic: characteristics[path] = Characteristic()
            default: break
            }
            change(path, interface, properties)
        }
    }

    mutating func remove(_ path: String, _ interfaces: [String]) {
        for interface in interfaces {
            switch interface {
            case BlueZ.adapter: adapters[path] = nil
            case BlueZ.device: devices[path] = nil
            case BlueZ.gattService: services[path] = nil
            case BlueZ.characteristic: characteristics[path] = nil
            default: break
            }
        }
    }

    /// Properties of an object that is not known are ignored: InterfacesAdded comes first, with all of them.
    /// - Parameter invalidated: properties that have no value any more.
    mutating func change(
        _ path: String, _ interface: String, _ properties: [String: BusValue], invalidated: [String] = []
    ) {
        switch interface {
        case BlueZ.adapter: adapters[path]?.apply(properties)
        case BlueZ.device: devices[path]?.apply(properties, invalidated)
        case BlueZ.gattService: services[path]?.apply(properties)
        case BlueZ.characteristic: characteristics[path]?.apply(properties)
        default: break
        }
    }
}

// Each property once: its name, its type, where it goes. One of another type is ignored.

extension BlueZObjects.Adapter {
    fileprivate mutating func apply(_ properties: [String: BusValue]) {
        if let text = properties["Address"]?.string { address = DeviceAddress(text) }
        if let value = properties["Powered"]?.bool { isPowered = value }
        if let value = properties["Discovering"]?.bool { isDiscovering = value }
    }
}

extension BlueZObjects.Device {
    fileprivate mutating func apply(_ properties: [String: BusValue], _ invalidated: [String]) {
        if let text = properties["Address"]?.string { address = DeviceAddress(text) }
        if let path = properties["Adapter"]?.objectPath { adapter = path }
        if let value = properties["Connected"]?.bool { isConnected = value }
        if let value = properties["Paired"]?.bool { isPaired = value }
        if let value = properties["ServicesResolved"]?.bool { areServicesResolved = value }
        if let names = properties["UUIDs"]?.strings { services = names.compactMap { BluetoothUUID($0) } }
        if properties["RSSI"]?.int16 != nil { hasSignal = true }
        if invalidated.contains("RSSI") { hasSignal = false }
    }
}

extension BlueZObjects.Service {
    fileprivate mutating func apply(_ properties: [String: BusValue]) {
        if let text = properties["UUID"]?.string { uuid = BluetoothUUID(text) }
        if let path = properties["Device"]?.objectPath { device = path }
    }
}

extension BlueZObjects.Characteristic {
    fileprivate mutating func apply(_ properties: [String: BusValue]) {
        if let text = properties["UUID"]?.string { uuid = BluetoothUUID(text) }
        if let path = properties["Service"]?.objectPath { service = path }
        if let names = properties["Flags"]?.strings { flags = Set(names) }
    }
}
