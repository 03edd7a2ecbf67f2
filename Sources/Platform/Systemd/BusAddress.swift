/// Which message bus to open.
public enum BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or `/run/dbus/system_bus_socket`.
    case system
    /// A D-Bus address, such as `unix:path=/run/rig/bus`.
    case address(String)

    public var description: String {
        switch self {
        case .system: "the system bus"
        case .address(let text): "the bus at \(text)"
        }
    }
}
