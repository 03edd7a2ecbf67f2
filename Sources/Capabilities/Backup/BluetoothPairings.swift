import GatewayModel
import TarArchive

/// Pairings in the folder of bluetoothd: `ADAPTER/DEVICE/info`. Each is bound to the address of the adapter. Pure.
struct BluetoothPairings: Hashable, Sendable {
    /// Adapters by the devices that are bonded with them.
    private(set) var adapters: [DeviceAddress: Set<DeviceAddress>] = [:]

    /// Sections of `info` with a key (settings-storage.txt of BlueZ).
    private static let keys = [
        "[LinkKey]", "[LongTermKey]", "[PeripheralLongTermKey]", "[SlaveLongTermKey]", "[IdentityResolvingKey]",
    ]

    /// Adapter and device of a path such as `/var/lib/bluetooth/ADAPTER/DEVICE/info`; nil for another file.
    static func pair(_ path: String, in folder: String) -> (adapter: DeviceAddress, device: DeviceAddress)? {
        guard path.hasPrefix(folder + "/") else { return nil }
        let parts = path.dropFirst(folder.utf8.count + 1).split(separator: "/")
        guard parts.count == 3, parts[2] == "info", let adapter = DeviceAddress(String(parts[0])),
            let device = DeviceAddress(String(parts[1]))
        else { return nil }
        return (adapter, device)
    }

    static func isBonded(_ info: [UInt8]) -> Bool {
        let lines = info.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        return lines.contains { line in Self.keys.contains { line.hasPrefix($0) } }
    }

    mutating func add(_ info: [UInt8], of pair: (adapter: DeviceAddress, device: DeviceAddress)) {
        if Self.isBonded(info) { adapters[pair.adapter, default: []].insert(pair.device) }
    }

    /// Devices whose pairings are of no use to a box with these adapters.
    func lost(with present: [DeviceAddress]) -> Set<DeviceAddress> {
        let useful = adapters.filter { present.contains($0.key) }.values.reduce(into: Set()) {
            $0.formUnion($1)
        }
        return adapters.values.reduce(into: Set()) { $0.formUnion($1) }.subtracting(useful)
    }
}
