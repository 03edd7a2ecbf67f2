import Systemd

/// A call to bluetoothd, with the longest it may take.
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
    }

    let method: Method
    let path: String
    let timeout: Duration

    /// - Parameter timeout: 10 s by default: these are answered from bluetoothd's memory or after one
    ///   exchange with the controller, which it bounds by 5 s or less.
    init(_ method: Method, _ path: String, timeout: Duration = .seconds(10)) {
        self.method = method
        self.path = path
        self.timeout = timeout
    }

    /// Starts bluetoothd where it has died, by D-Bus activation: its own unit does not restart it.
    static let getManagedObjects = BlueZCall(.getManagedObjects, "/")

    /// 30 s: what the kernel allows a connection (20 to 40 s by version) cut to what we wait for.
    static let connectLimit = Duration.seconds(30)
    /// 10 s for a device that is not known to be advertising: enough for several adverts at the slowest
    /// usual interval (2.5 s), and the radio must not be held from another that is there.
    static let unseenConnectLimit = Duration.seconds(10)

    static func connect(_ device: String, seen: Bool) -> BlueZCall {
        BlueZCall(.connect, device, timeout: seen ? connectLimit : unseenConnectLimit)
    }

    /// 15 s: one write to the wearable. bluetoothd drops the link itself after 30 s without an answer.
    static func startNotify(_ characteristic: String) -> BlueZCall {
        BlueZCall(.startNotify, characteristic, timeout: .seconds(15))
    }

    var busCall: BusCall {
        BusCall(
            destination: BlueZ.service, path: path, interface: interface, member: method.rawValue,
            arguments: arguments, timeout: timeout)
    }

    private var interface: String {
        switch method {
        case .getManagedObjects: BlueZ.objectManager
        case .setDiscoveryFilter, .startDiscovery, .stopDiscovery: BlueZ.adapter
        case .connect, .disconnect: BlueZ.device
        case .startNotify, .stopNotify: BlueZ.characteristic
        }
    }

    private var arguments: [BusArgument] {
        // With any filter set, each change of RSSI is signalled: that is how a wearable is seen to be
        // back. Repeated advertising data is not asked for; it would wake us for every neighbour.
        method == .setDiscoveryFilter ? [.options(["Transport": .string("le")])] : []
    }
}
