import GatewayModel
import Glibc
import RealTime
import Systemd
import WireFormats

/// The body of the "bluetooth" thread: it owns the bus connection and the tracker, brings events to the one
/// and actions to the other. Made and used on that thread only.
final class RadioLoop {
    private let address: BusAddress
    private let stop: StopRequest
    private let requests: Mailbox<RadioRequest>
    private let onEvent: (WearableEvent) -> Void
    private var tracker: WearableTracker
    private var connection: BusConnection?
    private var openedAt: BootInstant
    private var reopening: ReopenSchedule
    /// Watched descriptors: the wakeups, and while there is a connection, its descriptor and the sockets.
    private let readiness: Readiness
    /// Watched events of the bus's descriptor.
    private var busEvents: Int32 = 0
    /// By descriptor number.
    private var sockets: [Int32: NotificationSocket] = [:]
    /// Sockets that are let go: their last values are read first.
    private var leaving: [NotificationSocket] = []
    private var memories: DeviceMemories
    private var batch = PacketBatch(
        packets: NotificationSocket.packetsAtOnce, size: NotificationSocket.longestValue)
    /// Requests for a buzz without an answer, by wearable.
    private var buzzRequests: [DeviceID: [@Sendable (BuzzOutcome) -> Void]] = [:]
    /// The tracker's deadline, as long as nothing came that may have brought it nearer.
    private var knownDeadline: BootInstant??

    /// - Parameter readiness: watches the wakeups of `stop` and `requests`.
    init(
        _ settings: RadioSettings, stop: StopRequest, requests: Mailbox<RadioRequest>, readiness: Readiness,
        onEvent: @escaping (WearableEvent) -> Void
    ) {
        let now = Clock.boot()
        address = settings.bus
        var random = RandomReserve()
        memories = DeviceMemories(gateway: settings.gateway, told: settings.told)
        self.stop = stop
        self.requests = requests
        self.readiness = readiness
        self.onEvent = onEvent
        reopening = ReopenSchedule(seed: random.next(), at: now)
        tracker = WearableTracker(
            settings.wearables, adapter: settings.adapter, bus: settings.bus, seed: random.next(),
            mayRestartBluetooth: settings.mayRestartBluetooth, at: now)
        openedAt = now
    }

    /// A daemon on the same machine answers in milliseconds; one that does not in 5 s hangs.
    private static let handshakeLimit = Duration.seconds(5)
    /// For the goodbye to bluetoothd: local answers, and nobody waits a second for a stop.
    private static let goodbyeLimit = Duration.milliseconds(800)

    /// Returns soon after a stop was asked for.
    func run() {
        while !stop.isRequested {
            let deadline = deadline
            turn(until: deadline)
            // Not after every value: comparing all that is wanted with all that is shown costs more than one.
            if let deadline, Clock.boot() >= deadline { perform(tracker.tick(at: Clock.boot())) }
        }
        sayGoodbye()
        // Closed sockets end their subscriptions. The connection lets go of the handlers, which point here.
        close()
    }

    /// Asking the tracker costs more than a value: it looks at all that it waits for.
    private var deadline: BootInstant? {
        if let knownDeadline { return knownDeadline }
        let deadline = tracker.deadline
        knownDeadline = .some(deadline)
        return deadline
    }

    private func sayGoodbye() {
        guard connection != nil else { return }
        // Once a stop was asked for, its descriptor stays readable: waiting for it would be spinning.
        for wakeup in [stop.wakeup, requests.wakeup] { readiness.forget(wakeup.descriptor) }
        perform(tracker.stop())
        let limit = Clock.boot().advanced(by: Self.goodbyeLimit)
        while connection != nil, tracker.isAwaitingReply, Clock.boot() < limit { turn(until: limit) }
    }

    /// One wait and its events.
    private func turn(until deadline: BootInstant?) {
        guard let connection else { return reopen() }
        do throws(BusError) {
            try watch(connection)
            let busTime = try connection.timeout
            let wait = [busTime, deadline.map { Clock.boot().duration(to: $0) }, handshakeTime]
            let ready = readiness.wait(timeout: wait.compactMap { $0 }.min())
            // Sockets first: they bring values, the bus mostly adverts.
            for descriptor in ready { if let socket = sockets[descriptor] { read(socket) } }
            // Asked without need, the bus and the requests cost a system call each.
            let bus = try connection.descriptor
            if ready.isEmpty || ready.contains(bus) || busTime == .zero {
                try connection.process()
            }
            if ready.contains(requests.wakeup.descriptor) { takeRequests() }
            drainLeavingSockets()
            if let left = handshakeTime, left <= .zero {
                throw .failed(doing: "the handshake with the daemon", number: ETIMEDOUT)
            }
        } catch {
            lose(error)
        }
    }

    /// Time left for the handshake; nil when it is done.
    private var handshakeTime: Duration? {
        guard let connection, !connection.isReady else { return nil }
        return Clock.boot().duration(to: openedAt.advanced(by: Self.handshakeLimit))
    }
}

// MARK: The connection

extension RadioLoop {
    private func reopen() {
        let wait = Clock.boot().duration(to: reopening.due)
        guard wait <= .zero else {
            _ = readiness.wait(timeout: wait)
            return takeRequests()
        }
        do throws(BusError) {
            let connection = try BusConnection(address)
            for rule in BlueZSignal.rules {
                try connection.subscribe(rule) { [unowned self] in received($0) }
            }
            self.connection = connection
            openedAt = Clock.boot()
            perform(tracker.busOpened(at: openedAt))
        } catch {
            lose(error)
        }
    }

    private func lose(_ error: BusError) {
        close()
        let now = Clock.boot()
        reopening.failed(at: now)
        perform(tracker.busLost(error, at: now))
    }
}

// MARK: Descriptors

extension RadioLoop {
    private func watch(_ connection: BusConnection) throws(BusError) {
        let events = try connection.events
        guard events != busEvents else { return }
        try watch(try connection.descriptor, events: events)
        busEvents = events
    }

    private func watch(_ descriptor: Int32, events: Int32 = POLLIN) throws(BusError) {
        do throws(SystemCallError) {
            try readiness.watch(descriptor, events: events)
        } catch {
            throw .failed(doing: "waiting for a descriptor", number: error.number)
        }
    }

    private func attach(_ socket: NotificationSocket) {
        detach(socket.path)
        do throws(BusError) {
            try watch(socket.descriptor.number)
            sockets[socket.descriptor.number] = socket
        } catch {
            // As if bluetoothd had closed it: it is asked for anew.
            perform(tracker.socketEnded(socket.path, at: Clock.boot()))
        }
    }

    private func detach(_ path: String) {
        for (descriptor, socket) in sockets where socket.path == path {
            readiness.forget(descriptor)
            sockets[descriptor] = nil
            leaving.append(socket)
        }
    }

    /// The end of a link comes by the bus, and may overtake the last values, which bluetoothd wrote to the sockets before.
    private func drainLeavingSockets() {
        while let socket = leaving.popLast() {
            var isEmpty = false
            while !isEmpty {
                isEmpty = true
                _ = socket.read(into: &batch) { bytes in
                    isEmpty = false
                    packetArrived(socket, bytes)
                }
            }
        }
    }

    /// The connection lets go of the handlers, which point here; closed sockets end their subscriptions.
    private func close() {
        if let descriptor = try? connection?.descriptor { readiness.forget(descriptor) }
        for descriptor in sockets.keys { readiness.forget(descriptor) }
        (connection, sockets, leaving, busEvents) = (nil, [:], [], 0)
    }
}

// MARK: Events and actions

extension RadioLoop {
    private func received(_ signal: BusSignal) {
        let arrival = Clock.moment()
        let now = arrival.boot
        switch BlueZSignal(signal) {
        case .added(let path, let interfaces):
            perform(tracker.interfacesAdded(path, interfaces, at: now))
        case .removed(let path, let interfaces):
            perform(tracker.interfacesRemoved(path, interfaces, at: now))
        case .changed(let path, let interface, let properties, let invalidated):
            let actions = tracker.propertiesChanged(
                path, interface, properties, invalidated: invalidated, at: now)
            perform(actions, arrival: arrival)
        case .owner(let isPresent):
            perform(tracker.nameOwnerChanged(isPresent: isPresent, at: now))
        case nil: break
        }
    }

    private func takeRequests() {
        guard !stop.isRequested else { return }
        for request in requests.take().values {
            let now = Clock.boot()
            switch request {
            case .replace(let wearables): perform(tracker.replace(wearables, at: now))
            case .alarm(let person, let isOn): perform(tracker.alarm(person, isOn: isOn, at: now))
            case .buzz(let device, let done):
                buzzRequests[device, default: []].append(done)
                perform(tracker.buzz(device, at: now))
            case .hearAdverts(let isOn): perform(tracker.hearAdverts(isOn, at: now))
            case .followPositions(let persons): perform(tracker.followPositions(of: persons, at: now))
            }
        }
    }

    /// Further packets come in the next turn, after those of the others.
    private func read(_ socket: NotificationSocket) {
        let isOpen = socket.read(into: &batch) { packetArrived(socket, $0) }
        guard !isOpen else { return }
        readiness.forget(socket.descriptor.number)
        sockets[socket.descriptor.number] = nil
        perform(tracker.socketEnded(socket.path, at: Clock.boot()))
    }

    private func packetArrived(_ socket: NotificationSocket, _ bytes: [UInt8]) {
        let arrival = Clock.moment()
        perform(tracker.packetArrived(socket.path, bytes, at: arrival.boot), arrival: arrival)
    }

    /// - Parameter arrival: of the signal or packet that brought a notification.
    private func perform(_ actions: [WearableTracker.Action], arrival: Moment? = nil) {
        // A value alone only puts off the deadline.
        if actions.count != 1 || !actions[0].isValue { knownDeadline = nil }
        for action in actions {
            switch action {
            case .call(let id, let call): send(call.busCall, id)
            case .emit(let event): onEvent(event)
            case .buzzed(let device, let outcome):
                for done in buzzRequests.removeValue(forKey: device) ?? [] { done(outcome) }
            case .notified(let wearable, let characteristic, let bytes):
                let events = memories.events(
                    of: wearable, characteristic, bytes, arrival: arrival ?? Clock.moment())
                events.forEach(onEvent)
            case .records(let wearable, let records):
                memories.events(of: wearable, records, arrival: Clock.moment()).forEach(onEvent)
            case .attach(let path, let descriptor):
                attach(NotificationSocket(path: path, descriptor: descriptor))
            case .detach(let path): detach(path)
            case .setClock(let id, let path, let format): setClock(path, format, id)
            case .clockTaken(let device):
                memories.clockSet(of: device, eastOfUTC: LocalZone.system.eastOfUTC(Clock.wall()))
            case .forget(let device): memories.forgetConnection(of: device)
            }
        }
    }

    private func setClock(
        _ path: String, _ format: ConnectionSetup.ClockFormat, _ id: WearableTracker.CallID
    ) {
        let now = Clock.wall()
        let minutes = Int16(clamping: LocalZone.system.eastOfUTC(now) / 60)
        // Nil only where this machine's own clock is out of the format's bounds.
        let time = CurrentTime(now, minutesEastOfUTC: minutes, adjustReason: .externalReferenceTimeUpdate)
        guard let time else { return replied(id, .failure(.failed(doing: "telling the time", number: ERANGE))) }
        let bytes =
            switch format {
            case .currentTime: time.bytes
            case .dateTime: time.exactTime.dayDateTime.dateTime.bytes
            }
        send(BlueZCall.writeValue(path, bytes, awaitsResponse: true).busCall, id)
    }

    private func send(_ call: BusCall, _ id: WearableTracker.CallID) {
        do throws(BusError) {
            guard let connection else { throw .disconnected(number: ENOTCONN) }
            try connection.send(call) { [unowned self] reply in replied(id, reply) }
        } catch {
            replied(id, .failure(error))
        }
    }

    private func replied(_ id: WearableTracker.CallID, _ reply: BusConnection.Reply) {
        // The daemon is there and answers: the next loss is a new one.
        if case .success = reply { reopening.succeeded() }
        perform(tracker.replied(id, reply, at: Clock.boot()))
    }
}

extension WearableTracker.Action {
    fileprivate var isValue: Bool {
        if case .notified = self { true } else { false }
    }
}

/// Times at which the bus is tried again, while there is no connection.
private struct ReopenSchedule {
    private(set) var due: BootInstant
    private var backoff = Backoff.service
    private var jitter: Jitter

    init(seed: UInt64, at now: BootInstant) {
        due = now
        jitter = Jitter(seed: seed)
    }

    mutating func failed(at now: BootInstant) {
        due = now.advanced(by: backoff.next(using: &jitter))
    }

    mutating func succeeded() {
        backoff.reset()
    }
}
