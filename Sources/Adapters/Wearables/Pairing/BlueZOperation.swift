public import GatewayModel
public import Systemd

/// One bounded operation at bluetoothd for a waiting person. Pure: each event, with the table of devices as it
/// then is and the instant, gives actions in their order, the last of which is `finish`.
protocol BlueZOperation: Sendable {
    associatedtype Value: Sendable
    typealias Action = BlueZOperationAction<Value>

    mutating func handle(_ event: BlueZOperationEvent, _ table: DeviceTable, at now: BootInstant) -> [Action]

    /// When `tick` is due, unless another event comes first.
    var deadline: BootInstant? { get }
}

extension BlueZOperation {
    /// Before a refused scan is asked for again: another scan in its way needs milliseconds.
    static var scanPause: Duration { .seconds(1) }
}

extension BusError {
    /// To StartDiscovery. An operation has a connection of its own and never a discovery already, so InProgress is
    /// bluetoothd's word (5.66) for a scan that the controller refused: another one was being switched on.
    var isRefusedScan: Bool { hasName("org.bluez.Error.InProgress") }
}

/// A question of bluetoothd's that a person answers. Numbers are never used again within an operation.
typealias AgentTicket = Int

enum BlueZOperationEvent: Hashable, Sendable {
    /// The table is loaded.
    case began
    /// bluetoothd told something of the object at that path.
    case changed(String)
    case replied(BusCall, BusConnection.Reply)
    case agent(AgentTicket, AgentCall)
    case answered(AgentTicket, PairingAnswer)
    case tick
    case cancelled
}

enum BlueZOperationAction<Value: Sendable> {
    case call(BusCall)
    /// Answers a request of bluetoothd to our agent.
    case reply(AgentTicket, [BusArgument])
    case refuse(AgentTicket, name: String)
    case ask(AgentTicket, PairingQuestion)
    case show(passkey: String)
    /// The question or passkey does not count any more.
    case withdraw
    /// The result so far, for a person who watches.
    case report(Value)
    case finish(Result<Value, PairingError>)
}

extension BlueZOperationAction: Sendable {}
extension BlueZOperationAction: Equatable where Value: Equatable {}

extension BusCall {
    static func adapter(
        _ path: String, _ member: String, _ arguments: [BusArgument] = [], timeout: Duration = .seconds(10)
    ) -> BusCall {
        BusCall(
            destination: BlueZ.service, path: path, interface: BlueZ.adapter, member: member,
            arguments: arguments, timeout: timeout)
    }

    static func device(_ path: String, _ member: String, timeout: Duration = .seconds(10)) -> BusCall {
        BusCall(
            destination: BlueZ.service, path: path, interface: BlueZ.device, member: member, timeout: timeout)
    }

    static func agentManager(_ member: String, _ arguments: [BusArgument]) -> BusCall {
        BusCall(
            destination: BlueZ.service, path: "/org/bluez", interface: "org.bluez.AgentManager1",
            member: member, arguments: arguments, timeout: .seconds(10))
    }

    static func trust(_ device: String) -> BusCall {
        BusCall(
            destination: BlueZ.service, path: device, interface: BlueZ.properties, member: "Set",
            arguments: [.string(BlueZ.device), .string("Trusted"), .variant(.bool(true))],
            timeout: .seconds(10))
    }

    /// Every advert of every device, low energy only.
    static func discoveryFilter(_ adapter: String) -> BusCall {
        .adapter(
            adapter, "SetDiscoveryFilter",
            [.options(["Transport": .string("le"), "DuplicateData": .bool(true)])])
    }
}

extension PairingError {
    /// For a step that has no case of its own.
    init(step: String, _ error: BusError) {
        self =
            error.hasName("org.bluez.Error.NotReady")
            ? .unavailable(Availability.poweredOff(adapter: "the adapter").reason) : .refused(step: step, error)
    }
}

/// Why a person's request to bluetoothd failed: the observation and the remedy.
public enum PairingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bluetooth itself cannot be used; the text names the remedy.
    case unavailable(String)
    case deviceAway(DeviceAddress, after: Duration)
    case connectionFailed(DeviceAddress, String)
    case wrongPasskey
    /// The keys could not be made, and no passkey was asked for.
    case authenticationFailed
    /// The device said no.
    case rejected
    /// `here`: by the person at this computer; else by the device or by bluetoothd.
    case cancelled(here: Bool)
    case timedOut(after: Duration)
    case alreadyPaired(DeviceAddress)
    /// Paired for this connection only: no keys were kept.
    case notBonded
    /// Another pairing of it, or another agent's, is under way.
    case busy
    /// Any other answer of bluetoothd.
    case refused(step: String, BusError)

    public var description: String {
        switch self {
        case .unavailable(let reason): reason
        case .deviceAway(let address, let after):
            "\(address) was not heard within \(after.wholeSeconds) s: bring it near, wake it (wear it, press its "
                + "button, take it off its charger), and see that no phone is connected to it"
        case .connectionFailed(let address, let text):
            "\(address) is heard, but no connection comes about (\(text)): bring it nearer, see that no phone is "
                + "connected to it, and try again"
        case .wrongPasskey:
            "the device does not accept this passkey: read it again from its display or label and try again; "
                + "some show a new one each time"
        case .authenticationFailed:
            "the device broke the pairing off: put it into its pairing mode (see its manual; often a long press), "
                + "and delete this computer from its list of partners if it keeps one; then try again"
        case .rejected:
            "the device refused: put it into its pairing mode (see its manual; often a long press), then try again"
        case .cancelled(here: true): "stopped here: nothing was paired"
        case .cancelled(here: false):
            "the device or bluetoothd stopped the pairing: put it into its pairing mode and try again"
        case .timedOut(let after):
            "nothing came of it within \(after.wholeSeconds) s: put the device into its pairing mode, have its "
                + "passkey at hand, and try again"
        case .alreadyPaired(let address): "\(address) is paired with this computer already"
        case .notBonded:
            "the device paired but kept no keys, so it would not be known tomorrow: switch on bonding in its "
                + "settings, or remove this computer from its list of partners, then try again"
        case .busy:
            "another pairing is under way at this computer: end it (bluetoothctl, a desktop's dialogue), then "
                + "try again"
        case .refused(let step, let error):
            "bluetoothd refuses \(step): \(error). See: journalctl -u bluetooth"
        }
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int64 { components.seconds }
}
