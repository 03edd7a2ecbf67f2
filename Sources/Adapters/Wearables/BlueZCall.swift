import Systemd
import WireFormats

/// A call to bluetoothd, or to systemd about it, with the longest it may take.
struct BlueZCall: Hashable, Sendable {
    enum Method: String, Sendable {
        case getManagedObjects = "GetManagedObjects"
        case setDiscoveryFilter = "SetDiscoveryFilter"
        case startDiscovery = "StartDiscovery"
        case stopDiscovery = "StopDiscovery"
        case connect = "Connect"
        case disconnect = "Disconnect"
        case startNotify = "StartNotify"
        case stopNotify = "StopNotify"
        case acquireNotify = "AcquireNotify"
        case readValue = "ReadValue"
        case writeValue = "WriteValue"
        case set = "Set"
        case ping = "Ping"
        case restartUnit = "RestartUnit"
    }

    let method: Method
    let path: String
    let timeout: Duration
    private let arguments: [BusArgument]

    /// - Parameter timeout: 6 s by default: these are answered from bluetoothd's memory or after a few
    ///   commands to the controller, each of which the kernel ends after 2 s.
    init(_ method: Method, _ path: String, timeout: Duration = .seconds(6), arguments: [BusArgument] = []) {
        self.method = method
        self.path = path
        self.timeout = timeout
        self.arguments = arguments
    }

    var busCall: BusCall {
        BusCall(
            destination: method == .restartUnit ? BlueZ.systemd : BlueZ.service, path: path,
            interface: interface, member: method.rawValue, arguments: arguments, timeout: timeout)
    }

    private var interface: String {
        switch method {
        case .getManagedObjects: BlueZ.objectManager
        case .setDiscoveryFilter, .startDiscovery, .stopDiscovery: BlueZ.adapter
        case .connect, .disconnect: BlueZ.device
        case .startNotify, .stopNotify, .acquireNotify, .readValue, .writeValue: BlueZ.characteristic
        case .set: BlueZ.properties
        case .ping: BlueZ.peer
        case .restartUnit: BlueZ.systemdManager
        }
    }
}

// MARK: bluetoothd and the adapter

extension BlueZCall {
    /// Starts bluetoothd where it has died, by D-Bus activation: its own unit does not restart it.
    static let getManagedObjects = BlueZCall(.getManagedObjects, "/")

    /// With any filter set, each change of RSSI is signalled: that is how a wearable is seen to be back.
    /// - Parameter repeats: advertising data is told again though it is the same. Else it is not asked for; it
    ///   wakes us for every neighbour.
    static func setDiscoveryFilter(_ adapter: String, repeats: Bool) -> BlueZCall {
        var options: [String: BusArgument] = ["Transport": .string("le")]
        if repeats { options["DuplicateData"] = .bool(true) }
        return BlueZCall(.setDiscoveryFilter, adapter, arguments: [.options(options)])
    }

    static func setPower(of adapter: String, _ isOn: Bool) -> BlueZCall {
        BlueZCall(
            .set, adapter, arguments: [.string(BlueZ.adapter), .string("Powered"), .variant(.bool(isOn))])
    }

    /// Answered by bluetoothd's main loop from nothing but itself; 3 s is an age for that.
    static let ping = BlueZCall(.ping, "/", timeout: .seconds(3))

    /// 30 s: systemd gives the old process a while to end before it starts the new one.
    static let restartService = BlueZCall(
        .restartUnit, "/org/freedesktop/systemd1", timeout: .seconds(30),
        arguments: [.string(BlueZ.unit), .string("replace")])
}

// MARK: Wearables

extension BlueZCall {
    /// 30 s: the kernel's limit of a connection (20 to 40 s by version), cut to our limit.
    static let connectLimit = Duration.seconds(30)
    /// 5 s for a device that is not known to be advertising: two adverts at the slowest usual interval (2.5 s),
    /// and the radio must not be held from another that is there.
    static let unseenConnectLimit = Duration.seconds(5)

    static func connect(_ device: String, seen: Bool) -> BlueZCall {
        BlueZCall(.connect, device, timeout: seen ? connectLimit : unseenConnectLimit)
    }

    /// 10 s: the usual end of a link takes bluetoothd 2 s.
    static func disconnect(_ device: String) -> BlueZCall {
        BlueZCall(.disconnect, device, timeout: .seconds(10))
    }

    /// 15 s: one exchange with the wearable. bluetoothd drops the link itself after 30 s without an answer.
    private static let exchangeLimit = Duration.seconds(15)

    static func startNotify(_ characteristic: String) -> BlueZCall {
        BlueZCall(.startNotify, characteristic, timeout: exchangeLimit)
    }

    static func stopNotify(_ characteristic: String) -> BlueZCall {
        BlueZCall(.stopNotify, characteristic, timeout: exchangeLimit)
    }

    /// Its reply has a socket (`h`) and the link's MTU (`q`).
    static func acquireNotify(_ characteristic: String) -> BlueZCall {
        BlueZCall(.acquireNotify, characteristic, timeout: exchangeLimit, arguments: [.options([:])])
    }

    static func readValue(_ characteristic: String) -> BlueZCall {
        BlueZCall(.readValue, characteristic, timeout: exchangeLimit, arguments: [.options([:])])
    }

    /// - Parameter awaitsResponse: false sends a Write Command, all that Immediate Alert allows.
    static func writeValue(_ characteristic: String, _ bytes: [UInt8], awaitsResponse: Bool) -> BlueZCall {
        BlueZCall(
            .writeValue, characteristic, timeout: exchangeLimit,
            arguments: [.bytes(bytes), .options(["type": .string(awaitsResponse ? "request" : "command")])])
    }
}

/// The names of bluetoothd's D-Bus interface (BlueZ, doc/org.bluez.*.rst).
enum BlueZ {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let gattService = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"

    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"
    static let peer = "org.freedesktop.DBus.Peer"
    static let bus = "org.freedesktop.DBus"

    static let systemd = "org.freedesktop.systemd1"
    static let systemdManager = "org.freedesktop.systemd1.Manager"
    static let unit = "bluetooth.service"
}
