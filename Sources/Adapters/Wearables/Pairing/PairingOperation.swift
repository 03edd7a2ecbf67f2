import GatewayModel
import Systemd

/// Pairs one device: finds it on the air, registers an agent, pairs, waits for the bond, trusts it, and
/// leaves nothing of its own behind at bluetoothd, with any end.
struct PairingOperation: BlueZOperation {
    typealias Value = NearbyDevice

    enum Phase: Hashable, Sendable {
        case beginning
        /// Discovery runs until the device is heard.
        case seeking(until: BootInstant)
        case registering
        case pairing
        /// Pair has said yes; Paired and Bonded are still to be seen.
        case settling(until: BootInstant)
        case trusting
        /// The link is up, and bluetoothd has not read the services of the device yet.
        case resolving(until: BootInstant)
        /// Cleaning up: the members still to be answered.
        case ending(Result<NearbyDevice, PairingError>, open: Set<String>, until: BootInstant)
        case done
    }

    /// Well above the slowest advertising interval of a wearable that is awake (10.24 s at most).
    private static let seekLimit = Duration.seconds(20)
    /// bluetoothd's own bound on bonding (BONDING_TIMEOUT).
    private static let pairLimit = Duration.seconds(120)
    /// The properties follow the reply within one turn of bluetoothd's loop.
    private static let settleLimit = Duration.seconds(10)
    /// A device with many services takes 1 to 3 s. After this the pairing counts without its services.
    private static let resolveLimit = Duration.seconds(10)
    /// For the goodbye: answered from memory.
    private static let endLimit = Duration.seconds(2)

    let address: DeviceAddress
    let wantedAdapter: String?
    let capability: AgentCapability

    private(set) var phase = Phase.beginning
    private var adapter = ""
    private var path = ""
    private var isDiscovering = false
    /// The scan was refused: when to ask for it again.
    private var seekAgain: BootInstant?
    private var isRegistered = false
    private var isPairing = false
    /// Answer that bluetoothd waits for from the person.
    private var open: [AgentTicket: PairingQuestion] = [:]
    private var hasGivenPasskey = false
    private var hasSaidNo = false

    init(_ address: DeviceAddress, adapter: String?, capability: AgentCapability) {
        self.address = address
        wantedAdapter = adapter
        self.capability = capability
    }

    var deadline: BootInstant? {
        switch phase {
        case .seeking(let until): min(until, seekAgain ?? until)
        case .settling(let until), .resolving(let until), .ending(_, _, let until): until
        case .beginning, .registering, .pairing, .trusting, .done: nil
        }
    }

    mutating func handle(_ event: BlueZOperationEvent, _ table: DeviceTable, at now: BootInstant) -> [Action] {
        switch event {
        case .began: begin(table, at: now)
        case .changed: changed(table, at: now)
        case .replied(let call, let reply): replied(call, reply, table, at: now)
        case .agent(let ticket, let call): asked(ticket, call)
        case .answered(let ticket, let answer): answered(ticket, answer)
        case .tick: tick(table, at: now)
        case .cancelled: end(.failure(.cancelled(here: true)), at: now)
        }
    }
}

// MARK: The way to the pairing

extension PairingOperation {
    private mutating func begin(_ table: DeviceTable, at now: BootInstant) -> [Action] {
        do throws(PairingError) {
            adapter = try table.adapter(wantedAdapter)
        } catch {
            return end(.failure(error), at: now)
        }
        if let found = table.device(address, on: adapter) {
            if found.device.isPaired { return end(.failure(.alreadyPaired(address)), at: now) }
            if found.device.isHere { return register(found.path) }
        }
        phase = .seeking(until: now.advanced(by: Self.seekLimit))
        isDiscovering = true
        return [.call(.discoveryFilter(adapter)), .call(.adapter(adapter, "StartDiscovery"))]
    }

    private mutating func register(_ path: String) -> [Action] {
        self.path = path
        phase = .registering
        // A connection attempt while discovering fails on many controllers.
        let stop: [Action] = isDiscovering ? [.call(.adapter(adapter, "StopDiscovery"))] : []
        isDiscovering = false
        // Registered from the moment it is asked for: it is then surely unregistered.
        isRegistered = true
        let arguments: [BusArgument] = [.objectPath(AgentCall.path), .string(capability.rawValue)]
        return stop + [.call(.agentManager("RegisterAgent", arguments))]
    }

    private mutating func changed(_ table: DeviceTable, at now: BootInstant) -> [Action] {
        switch phase {
        case .seeking:
            guard let found = table.device(address, on: adapter), found.device.isHere else { return [] }
            return register(found.path)
        case .settling: return settle(table, at: now)
        case .resolving: return resolve(table, until: nil, at: now)
        default: return []
        }
    }

    /// Ends the pairing when the services are known, or when the device has ended its link.
    /// - Parameter until: begins the wait; nil goes on with it.
    private mutating func resolve(
        _ table: DeviceTable, until: BootInstant?, at now: BootInstant
    ) -> [Action] {
        guard let device = table.shown(path) else {
            return end(.failure(.deviceAway(address, after: .zero)), at: now)
        }
        guard device.isConnected, !device.areServicesComplete else { return end(.success(device), at: now) }
        if let until { phase = .resolving(until: until) }
        return []
    }

    private mutating func settle(_ table: DeviceTable, at now: BootInstant) -> [Action] {
        guard let device = table.devices[path], device.isPaired, device.isBonded ?? true else { return [] }
        phase = .trusting
        return [.call(.trust(path))]
    }

    private mutating func replied(
        _ call: BusCall, _ reply: BusConnection.Reply, _ table: DeviceTable, at now: BootInstant
    ) -> [Action] {
        if case .ending(let result, var open, let until) = phase {
            open.remove(call.member)
            phase = .ending(result, open: open, until: until)
            return open.isEmpty ? finish(result) : []
        }
        let error: BusError? = if case .failure(let error) = reply { error } else { nil }
        switch (call.member, phase) {
        case ("StartDiscovery", .seeking):
            guard let error else { return [] }
            guard !error.isRefusedScan else {
                seekAgain = now.advanced(by: Self.scanPause)
                return []
            }
            isDiscovering = false
            return end(.failure(PairingError(step: "to search for it", error)), at: now)
        case ("RegisterAgent", .registering):
            if let error, !error.hasName("org.bluez.Error.AlreadyExists") {
                isRegistered = false
                return end(.failure(PairingError(step: "the pairing agent", error)), at: now)
            }
            phase = .pairing
            isPairing = true
            return [.call(.device(path, "Pair", timeout: Self.pairLimit))]
        case ("Pair", .pairing): return paired(error, table, at: now)
        case ("Set", .trusting):
            if let error { return end(.failure(PairingError(step: "to trust the device", error)), at: now) }
            return resolve(table, until: now.advanced(by: Self.resolveLimit), at: now)
        default: return []
        }
    }

    private mutating func paired(_ error: BusError?, _ table: DeviceTable, at now: BootInstant) -> [Action] {
        guard let error else {
            isPairing = false
            phase = .settling(until: now.advanced(by: Self.settleLimit))
            return settle(table, at: now)
        }
        // Where nobody answered, bluetoothd still pairs, until it is told not to.
        isPairing = error.isTimeout
        return end(.failure(failure(of: error)), at: now)
    }

    private func failure(of error: BusError) -> PairingError {
        guard case .remote(let name, let message) = error else { return PairingError(step: "to pair", error) }
        switch name {
        case "org.bluez.Error.AuthenticationFailed":
            return hasGivenPasskey ? .wrongPasskey : .authenticationFailed
        case "org.bluez.Error.AuthenticationRejected":
            return hasSaidNo ? .cancelled(here: true) : .rejected
        case "org.bluez.Error.AuthenticationCanceled": return .cancelled(here: hasSaidNo)
        case "org.bluez.Error.AuthenticationTimeout": return .timedOut(after: Self.pairLimit)
        case "org.bluez.Error.AlreadyExists": return .alreadyPaired(address)
        case "org.bluez.Error.InProgress": return .busy
        case "org.bluez.Error.ConnectionAttemptFailed", "org.bluez.Error.Failed":
            return .connectionFailed(address, message.isEmpty ? name : message)
        case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
            "org.bluez.Error.DoesNotExist":
            return .deviceAway(address, after: .zero)
        default:
            return error.isTimeout ? .timedOut(after: Self.pairLimit) : PairingError(step: "to pair", error)
        }
    }

    private mutating func tick(_ table: DeviceTable, at now: BootInstant) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .seeking(let until) where now < until:
            seekAgain = nil
            return [.call(.adapter(adapter, "StartDiscovery"))]
        case .seeking: return end(.failure(.deviceAway(address, after: Self.seekLimit)), at: now)
        case .settling: return end(.failure(.notBonded), at: now)
        case .resolving:
            let device = table.shown(path)
            return end(device.map { .success($0) } ?? .failure(.deviceAway(address, after: .zero)), at: now)
        case .ending(let result, _, _): return finish(result)
        default: return []
        }
    }
}

// MARK: The agent

extension PairingOperation {
    private mutating func asked(_ ticket: AgentTicket, _ call: AgentCall) -> [Action] {
        if let device = call.device, device != path || phase != .pairing {
            return [.refuse(ticket, name: "org.bluez.Error.Rejected")]
        }
        switch call {
        case .release:
            isRegistered = false
            return [.reply(ticket, [])]
        case .cancel:
            return [.reply(ticket, [])] + dropQuestions()
        case .authorizeService: return [.refuse(ticket, name: "org.bluez.Error.Rejected")]
        case .displayPinCode(_, let code): return [.show(passkey: code), .reply(ticket, [])]
        case .displayPasskey(_, let passkey, let entered):
            // Told again for each digit that is typed at the device.
            let show: [Action] = entered == 0 ? [.show(passkey: Self.digits(passkey))] : []
            return show + [.reply(ticket, [])]
        case .requestPinCode: return ask(ticket, .pinCode)
        case .requestPasskey: return ask(ticket, .passkey)
        case .requestConfirmation(_, let passkey): return ask(ticket, .isShown(passkey: Self.digits(passkey)))
        case .requestAuthorization: return ask(ticket, .mayPair)
        }
    }

    private mutating func ask(_ ticket: AgentTicket, _ question: PairingQuestion) -> [Action] {
        open[ticket] = question
        return [.ask(ticket, question)]
    }

    private mutating func answered(_ ticket: AgentTicket, _ answer: PairingAnswer) -> [Action] {
        guard let question = open.removeValue(forKey: ticket) else { return [] }
        switch (question, answer) {
        case (.passkey, .passkey(let number)) where number <= 999_999:
            hasGivenPasskey = true
            return [.reply(ticket, [.uint32(number)])]
        case (.pinCode, .pinCode(let text)) where (1...16).contains(text.utf8.count):
            hasGivenPasskey = true
            return [.reply(ticket, [.string(text)])]
        case (.isShown, .yes), (.mayPair, .yes): return [.reply(ticket, [])]
        default:
            hasSaidNo = true
            return [.refuse(ticket, name: "org.bluez.Error.Rejected")]
        }
    }

    /// Six digits, as devices show them.
    private static func digits(_ passkey: UInt32) -> String {
        let text = String(passkey)
        return String(repeating: "0", count: max(0, 6 - text.count)) + text
    }
}

// MARK: The end

extension PairingOperation {
    private mutating func end(_ result: Result<NearbyDevice, PairingError>, at now: BootInstant) -> [Action] {
        switch phase {
        case .ending, .done: return []
        default: break
        }
        var calls: [BusCall] = []
        if isDiscovering { calls.append(.adapter(adapter, "StopDiscovery")) }
        if isPairing { calls.append(.device(path, "CancelPairing")) }
        if isRegistered {
            calls.append(.agentManager("UnregisterAgent", [.objectPath(AgentCall.path)]))
        }
        guard !calls.isEmpty else { return dropQuestions() + finish(result) }
        phase = .ending(
            result, open: Set(calls.map(\.member)), until: now.advanced(by: Self.endLimit))
        return dropQuestions() + calls.map(Action.call)
    }

    private mutating func dropQuestions() -> [Action] {
        guard !open.isEmpty else { return [] }
        let tickets = open.keys.sorted()
        open = [:]
        return tickets.map { .refuse($0, name: "org.bluez.Error.Canceled") } + [.withdraw]
    }

    private mutating func finish(_ result: Result<NearbyDevice, PairingError>) -> [Action] {
        phase = .done
        return [.finish(result)]
    }
}
