import GatewayModel
import Systemd

/// One bounded piece of work at bluetoothd for a person who waits for it. Pure: each event, with the table of
/// devices as it then is and the instant, gives actions in their order, the last of which is `finish`.
protocol Errand: Sendable {
    associatedtype Value: Sendable
    typealias Action = ErrandAction<Value>

    mutating func handle(_ event: ErrandEvent, _ table: DeviceTable, at now: BootInstant) -> [Action]

    /// When `tick` is due, unless another event comes first.
    var deadline: BootInstant? { get }
}

extension Errand {
    /// Before a refused scan is asked for again: whoever was in its way needs milliseconds.
    static var scanPause: Duration { .seconds(1) }
}

extension BusError {
    /// To StartDiscovery. An errand has a connection of its own and never a discovery already, so InProgress is
    /// bluetoothd's word (5.66) for a scan that the controller refused: another one was being switched on.
    var isRefusedScan: Bool { hasName("org.bluez.Error.InProgress") }
}

/// A question of bluetoothd's that a person answers. Numbers are never used again within an errand.
typealias AgentTicket = Int

enum ErrandEvent: Hashable, Sendable {
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

enum ErrandAction<Value: Sendable> {
    case call(BusCall)
    /// Answers what bluetoothd asked of our agent.
    case reply(AgentTicket, [BusArgument])
    case refuse(AgentTicket, name: String)
    case ask(AgentTicket, PairingQuestion)
    case show(passkey: String)
    /// What was asked or shown does not count any more.
    case withdraw
    case finish(Result<Value, PairingError>)
}

extension ErrandAction: Sendable {}
extension ErrandAction: Equatable where Value: Equatable {}

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
