import SettingsReading

/// `[bluetooth]`: where the wearables are heard.
enum BluetoothSection {
    static let bus = Key(
        "bus", Form.bus, .standard("system"), "Where bluetoothd is reached; an address is for test rigs.")
    static let adapter = Key(
        "adapter", .adapter, .optional("any adapter"),
        "The controller to use where there are several; its address stays the same when it is plugged in anew.")
    static let tracksideAdapter = Key(
        "trackside_adapter", .adapter, .optional("none"),
        "The controller that listens to adverts (buttons, sensors, tags), where that is not left to `adapter`: it "
            + "then listens from the start, whether or not a wearable is heard by advertising.")
    static let mayRestartBluetooth = Key(
        "may_restart_bluetooth", .truth, .standard(false),
        "Whether the gateway may restart bluetoothd when nothing else helps. Everything else that uses "
            + "Bluetooth on this computer is cut off for seconds. Needs polkitd, and the rule that `make install` "
            + "puts there.")

    static let section = Section(
        ["bluetooth"], "Where the wearables are heard.",
        keys: [bus, adapter, tracksideAdapter, mayRestartBluetooth])

    static func read(_ reader: SectionReader) -> GatewaySettings.Bluetooth? {
        let bus = reader.value(bus)
        let adapter = reader.value(adapter)
        let trackside = reader.value(tracksideAdapter)
        let mayRestart = reader.value(mayRestartBluetooth)
        guard let bus, let mayRestart else { return nil }
        return GatewaySettings.Bluetooth(
            bus: bus, adapter: adapter, tracksideAdapter: trackside, mayRestartBluetooth: mayRestart)
    }
}

extension Form where Value == GatewaySettings.Bluetooth.Bus {
    /// An address has the form of the D-Bus specification, "Server Addresses": `transport:key=value`.
    static var bus: Form {
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

extension GatewaySettings {
    public struct Bluetooth: Hashable, Sendable {
        public enum Bus: Hashable, Sendable {
            case system
            /// A D-Bus address, `unix:path=/tmp/bus`.
            case address(String)
        }

        public let bus: Bus
        /// `hci0`, or a controller's address in upper case. Nil for any adapter.
        public let adapter: String?
        /// In the same form: the controller that listens to adverts. Nil leaves that to `adapter`.
        public let tracksideAdapter: String?
        public let mayRestartBluetooth: Bool
    }
}
