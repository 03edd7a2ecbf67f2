import Systemd
import WireFormats

/// A signal of bluetoothd, or about it.
enum BlueZSignal: Hashable, Sendable {
    case added(path: String, BlueZInterfaces)
    case removed(path: String, interfaces: [String])
    case changed(path: String, interface: String, [String: BusValue], invalidated: [String])
    /// org.bluez has got an owner, or lost it.
    case owner(isPresent: Bool)

    /// One rule each, so that the daemon sends nothing that we do not read.
    static let rules = [
        """
        type='signal',sender='\(BlueZ.bus)',interface='\(BlueZ.bus)',member='NameOwnerChanged',\
        arg0='\(BlueZ.service)'
        """,
        "type='signal',sender='\(BlueZ.service)',path='/',interface='\(BlueZ.objectManager)'",
        changes(of: BlueZ.adapter), changes(of: BlueZ.device), changes(of: BlueZ.characteristic),
    ]

    private static func changes(of interface: String) -> String {
        """
        type='signal',sender='\(BlueZ.service)',interface='\(BlueZ.properties)',\
        member='PropertiesChanged',arg0='\(interface)'
        """
    }

    /// Nil for a signal of another name or other types.
    init?(_ signal: BusSignal) {
        let arguments = signal.arguments
        switch (signal.member, arguments.count) {
        case ("InterfacesAdded", 2):
            guard let path = arguments[0].objectPath else { return nil }
            self = .added(path: path, Self.interfaces(arguments[1]))
        case ("InterfacesRemoved", 2):
            guard let path = arguments[0].objectPath, let names = arguments[1].strings else { return nil }
            self = .removed(path: path, interfaces: names)
        case ("PropertiesChanged", 3):
            guard let interface = arguments[0].string, let properties = arguments[1].properties else {
                return nil
            }
            let invalidated = arguments[2].strings ?? []
            self = .changed(path: signal.path, interface: interface, properties, invalidated: invalidated)
        case ("NameOwnerChanged", 3):
            guard arguments[0].string == BlueZ.service, let new = arguments[2].string else { return nil }
            self = .owner(isPresent: !new.isEmpty)
        default: return nil
        }
    }

    /// The reply of GetManagedObjects (`a{oa{sa{sv}}}`); nil for another type.
    static func tree(_ reply: [BusValue]) -> [String: BlueZInterfaces]? {
        reply.first?.dictionary?.keyed(by: \.objectPath).mapValues(interfaces)
    }

    /// The service data of BTHome in the properties of a device, with its service UUID in front; nil where there is
    /// none.
    static func btHomeData(_ properties: [String: BusValue]) -> [UInt8]? {
        let data = properties["ServiceData"]?.properties
        guard let bytes = data?.first(where: { BluetoothUUID($0.key) == btHome })?.value.bytes else {
            return nil
        }
        return [UInt8(truncatingIfNeeded: BTHomeAdvert.service), UInt8(BTHomeAdvert.service >> 8)] + bytes
    }

    private static let btHome = BluetoothUUID(assigned: BTHomeAdvert.service)

    private static func interfaces(_ value: BusValue) -> BlueZInterfaces {
        (value.properties ?? [:]).compactMapValues(\.properties)
    }
}
