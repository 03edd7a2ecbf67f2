import GatewayModel
import Glibc
import RealTime
import Systemd

/// The body of the "pairing" thread: a bus connection of its own, the table of devices, and one operation.
/// Made and used on that thread only.
final class BlueZOperationLoop<E: BlueZOperation> {
    private let address: BusAddress
    private let prompts: PairingPrompts
    private let report: @Sendable (E.Value) -> Void
    private let stop: StopRequest
    private let answers: Mailbox<BlueZOperationEvent>
    private var operation: E
    private var connection: BusConnection?
    private var table = DeviceTable()
    /// The unique name of bluetoothd: nobody else may speak to the agent.
    private var owner: String?
    private var isBegun = false
    private var isStopSeen = false
    private var outcome: Result<E.Value, PairingError>?
    private var tickets: [AgentTicket: BusAnswer] = [:]
    private var lastTicket: AgentTicket = 0

    /// A daemon on the same machine answers in milliseconds, and starts bluetoothd within seconds.
    private let beginLimit = Duration.seconds(10)

    init(
        _ operation: E, bus: BusAddress, prompts: PairingPrompts, stop: StopRequest,
        answers: Mailbox<BlueZOperationEvent>, report: @escaping @Sendable (E.Value) -> Void
    ) {
        self.operation = operation
        self.report = report
        address = bus
        self.prompts = prompts
        self.stop = stop
        self.answers = answers
    }

    func run() -> Result<E.Value, PairingError> {
        do throws(BusError) {
            try open()
            let limit = Clock.boot().advanced(by: beginLimit)
            while outcome == nil { try turn(beginBy: limit) }
        } catch {
            // Its state at bluetoothd goes with the connection.
            outcome = outcome ?? .failure(.unavailable(Availability.noBus(address, error).reason))
        }
        // Lets go of the handlers, which point here, and of unanswered requests.
        tickets = [:]
        connection = nil
        return outcome ?? .failure(.cancelled(here: true))
    }

    private func open() throws(BusError) {
        let connection = try BusConnection(address)
        for rule in BlueZSignal.rules {
            try connection.subscribe(rule) { [unowned self] in received($0) }
        }
        try connection.export(AgentCall.path, interface: AgentCall.interface) { [unowned self] in
            asked($0, $1)
        }
        self.connection = connection
        // Starts bluetoothd where it has died, by D-Bus activation.
        try connection.send(BlueZCall.getManagedObjects.busCall) { [unowned self] in loaded($0) }
    }

    private func turn(beginBy limit: BootInstant) throws(BusError) {
        guard let connection else { throw .disconnected(number: ENOTCONN) }
        let now = Clock.boot()
        guard isBegun || now < limit else {
            outcome = .failure(.unavailable(Availability.notListed(.disconnected(number: ETIMEDOUT)).reason))
            return
        }
        let deadline = isBegun ? operation.deadline : limit
        let wait = [try connection.timeout, deadline.map { now.duration(to: $0) }].compactMap { $0 }.min()
        var interests = [
            Poll.Interest(try connection.descriptor, events: try connection.events),
            Poll.Interest(answers.wakeup.descriptor),
        ]
        // Once seen, its descriptor stays readable: waiting for it would be spinning.
        if !isStopSeen { interests.append(Poll.Interest(stop.wakeup.descriptor)) }
        _ = Poll.wait(interests, timeout: wait)
        try connection.process()
        for event in answers.take().values { tell(event) }
        if stop.isRequested, !isStopSeen {
            isStopSeen = true
            tell(.cancelled)
        }
        if isBegun { tell(.tick) }
    }
}

// MARK: Signals

extension BlueZOperationLoop {
    private func loaded(_ reply: BusConnection.Reply) {
        switch reply {
        case .success(let values): table = DeviceTable(BlueZSignal.tree(values) ?? [:])
        case .failure(let error):
            outcome = .failure(.unavailable(Availability.notListed(error).reason))
            return
        }
        let call = BusCall(
            destination: BlueZ.bus, path: "/org/freedesktop/DBus", interface: BlueZ.bus, member: "GetNameOwner",
            arguments: [.string(BlueZ.service)], timeout: .seconds(5))
        send(call) { [unowned self] reply in
            if case .success(let values) = reply { owner = values.first?.string }
            isBegun = true
            tell(.began)
        }
    }

    private func received(_ signal: BusSignal) {
        switch BlueZSignal(signal) {
        case .added(let path, let interfaces):
            table.add(path, interfaces)
            changed(path)
        case .removed(let path, let interfaces):
            table.remove(path, interfaces)
            changed(path)
        case .changed(let path, let interface, let properties, let invalidated):
            table.change(path, interface, properties, invalidated: invalidated)
            changed(path)
        case .owner(isPresent: false) where isBegun:
            outcome = outcome ?? .failure(.unavailable(Availability.noService.reason))
        case .owner, nil: break
        }
    }

    private func changed(_ path: String) {
        if isBegun { tell(.changed(path)) }
    }

    private func asked(_ request: BusRequest, _ answer: BusAnswer) {
        guard request.sender == owner, isBegun else {
            try? answer.refuse("org.freedesktop.DBus.Error.AccessDenied", "only bluetoothd may ask this")
            return
        }
        guard let call = AgentCall(request) else {
            try? answer.refuse("org.freedesktop.DBus.Error.UnknownMethod", "no such method of an agent")
            return
        }
        lastTicket += 1
        tickets[lastTicket] = answer
        tell(.agent(lastTicket, call))
    }
}

// MARK: Actions

extension BlueZOperationLoop {
    private func tell(_ event: BlueZOperationEvent) {
        guard outcome == nil else { return }
        for action in operation.handle(event, table, at: Clock.boot()) { perform(action) }
    }

    private func perform(_ action: E.Action) {
        switch action {
        case .call(let call): send(call) { [unowned self] in tell(.replied(call, $0)) }
        case .reply(let ticket, let values): try? tickets.removeValue(forKey: ticket)?.reply(values)
        case .refuse(let ticket, let name):
            try? tickets.removeValue(forKey: ticket)?.refuse(name, "not now, or not here")
        case .ask(let ticket, let question):
            prompts.ask(question) { [answers] answer in answers.put(.answered(ticket, answer)) }
        case .show(let passkey): prompts.show(passkey)
        case .withdraw: prompts.withdraw()
        case .report(let value): report(value)
        case .finish(let result): outcome = result
        }
    }

    private func send(_ call: BusCall, _ reply: @escaping (BusConnection.Reply) -> Void) {
        do throws(BusError) {
            guard let connection else { throw .disconnected(number: ENOTCONN) }
            try connection.send(call, reply: reply)
        } catch {
            reply(.failure(error))
        }
    }
}
