import GatewayModel
import Glibc
import RealTime
import Systemd

/// The body of the "bluetooth" thread: it owns the bus connection and the tracker, brings events to the one
/// and actions to the other. Made and used on that thread only.
final class RadioLoop {
    private let address: BusAddress
    private let stop: StopRequest
    private let onEvent: (WearableEvent) -> Void
    private var tracker: WearableTracker
    private var connection: BusConnection?
    private var openedAt: BootInstant
    /// When to try the bus again, while there is none.
    private var reopenAt: BootInstant
    private var reopenBackoff = Backoff.service
    private var jitter: Jitter
    private var random = SystemRandomNumberGenerator()

    init(
        _ wearables: [Wearable], adapter: String?, bus: BusAddress, stop: StopRequest,
        onEvent: @escaping (WearableEvent) -> Void
    ) {
        let now = Clock.boot()
        address = bus
        self.stop = stop
        self.onEvent = onEvent
        jitter = Jitter(seed: random.next())
        tracker = WearableTracker(wearables, adapter: adapter, bus: bus, seed: random.next(), at: now)
        openedAt = now
        reopenAt = now
    }

    /// A daemon on the same machine answers in milliseconds; one that does not in 5 s hangs.
    private static let handshakeLimit = Duration.seconds(5)
    /// For the goodbye to bluetoothd: local answers, and nobody waits a second for a stop.
    private static let goodbyeLimit = Duration.milliseconds(800)

    /// Returns soon after a stop was asked for.
    func run() {
        while !stop.isRequested {
            turn(until: tracker.deadline)
            perform(tracker.tick(at: Clock.boot()))
        }
        sayGoodbye()
        // Lets go of the handlers, which point here.
        connection = nil
    }

    private func sayGoodbye() {
        guard connection != nil else { return }
        perform(tracker.stop())
        let limit = Clock.boot().advanced(by: Self.goodbyeLimit)
        while connection != nil, !tracker.pending.isEmpty, Clock.boot() < limit { turn(until: limit) }
    }

    /// One wait, and what it brought.
    private func turn(until deadline: BootInstant?) {
        guard let connection else { return reopen() }
        do throws(BusError) {
            let wait = [try connection.timeout, deadline.map { Clock.boot().duration(to: $0) }, handshakeTime]
            let bus = Poll.Interest(try connection.descriptor, events: try connection.events)
            // Once a stop was asked for, its descriptor stays readable: waiting for it would be spinning.
            let wakeups = stop.isRequested ? [] : [Poll.Interest(stop.wakeup.descriptor)]
            _ = Poll.wait(wakeups + [bus], timeout: wait.compactMap { $0 }.min())
            try connection.process()
            if let left = handshakeTime, left <= .zero {
                throw .failed(doing: "the handshake with the daemon", number: ETIMEDOUT)
            }
        } catch {
            lose(error)
        }
    }

    /// What is left for the handshake; nil when it is done.
    private var handshakeTime: Duration? {
        guard let connection, !connection.isReady else { return nil }
        return Clock.boot().duration(to: openedAt.advanced(by: Self.handshakeLimit))
    }
}

// MARK: The connection

extension RadioLoop {
    private func reopen() {
        let wait = Clock.boot().duration(to: reopenAt)
        guard wait <= .zero else {
            _ = Poll.wait([Poll.Interest(stop.wakeup.descriptor)], timeout: wait)
            return
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
        connection = nil
        let now = Clock.boot()
        reopenAt = now.advanced(by: reopenBackoff.next(using: &jitter))
        perform(tracker.busLost(error, at: now))
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

    /// - Parameter arrival: of the signal that brought a notification.
    private func perform(_ actions: [WearableTracker.Action], arrival: Moment? = nil) {
        for action in actions {
            switch action {
            case .call(let id, let call): send(call, id)
            case .emit(let event): onEvent(event)
            case .notified(let wearable, let characteristic, let bytes):
                let notification = Notification(
                    wearable: wearable, characteristic: characteristic, bytes: bytes,
                    arrival: arrival ?? Clock.moment())
                onEvent(notification.event(using: &random))
            }
        }
    }

    private func send(_ call: BlueZCall, _ id: WearableTracker.CallID) {
        do throws(BusError) {
            guard let connection else { throw .disconnected(number: ENOTCONN) }
            try connection.send(call.busCall) { [unowned self] reply in replied(id, reply) }
        } catch {
            replied(id, .failure(error))
        }
    }

    private func replied(_ id: WearableTracker.CallID, _ reply: BusConnection.Reply) {
        // The daemon is there and answers: the next loss is a new one.
        if case .success = reply { reopenBackoff.reset() }
        perform(tracker.replied(id, reply, at: Clock.boot()))
    }
}
