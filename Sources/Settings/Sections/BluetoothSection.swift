/// `[bluetooth]`: where the wearables are heard.
enum BluetoothSection {
    static let bus = Key(
        "bus", Form.bus, .standard("system"), "Where bluetoothd is reached; an address is for test rigs.")
    static let adapter = Key(
        "adapter", .adapter, .optional("any adapter"), "The controller to use where there are several.")

    static let section = Section(
        ["bluetooth"], "Where the wearables are heard.", keys: [bus, adapter])

    static func read(_ reader: SectionReader) -> GatewaySettings.Bluetooth? {
        let bus = reader.value(bus)
        let adapter = reader.value(adapter)
        return bus.map { GatewaySettings.Bluetooth(bus: $0, adapter: adapter) }
    }
}

extension Form where Value == GatewaySettings.Bluetooth.Bus {
    /// An address has the form of the D-Bus specification, "Server Addresses": `transport:key=value`.
    fileprivate static var bus: Form {
        text("\"system\" or a D-Bus address such as \"unix:path=/tmp/bus\"") { text in
            if text == "system" { return .accepted(.system) }
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("=") else {
                return .refused("write \"system\" unless this is a test rig")
            }
            return .accepted(.address(text))
        }
    }
}
