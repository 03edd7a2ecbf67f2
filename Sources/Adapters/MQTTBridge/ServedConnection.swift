import GatewayModel
import Glibc
import RealTime

/// One connection after its CONNACK: sends within the window and handles incoming packets until it ends.
///
/// Made, used and dropped on the mqtt thread.
final class ServedConnection {
    let runner: ConnectionRunner
    let connection: BrokerConnection
    private let greeting: Greeting
    var inFlight: InFlight
    /// The broker has acknowledged a message on this connection.
    var hasAcknowledged = false
    private let connectedAt = Clock.boot()
    /// Ages of the connection that have still to be reported.
    private var marks = [SessionPolicy.undisputed, SessionPolicy.lasting]
    /// Requested filters without an answer, by packet identifier.
    var pendingSubscriptions: [Int32: (topic: String, qos: Int32)] = [:]
    let rules: InboundRules
    /// Instant of the last whole packet, and the number of bytes received by then.
    var lastWhole: (at: BootInstant, bytes: UInt64)

    /// Interval between checks of the keep-alive and the oldest acknowledgement: both count in seconds.
    private static let tick = Duration.seconds(1)
    /// Maximum time to write DISCONNECT; without it the broker publishes the will a little later.
    private static let goodbyeLimit = Duration.milliseconds(500)

    init(_ runner: ConnectionRunner, _ connection: BrokerConnection, _ greeting: Greeting) {
        self.runner = runner
        self.connection = connection
        self.greeting = greeting
        inFlight = InFlight(receiveMaximum: greeting.receiveMaximum)
        rules = InboundRules(filters: runner.subscriptions + runner.settings.endedFilters)
        lastWhole = (Clock.boot(), connection.receivedBytes ?? 0)
    }

    /// Serves the connection until it ends or a stop is done. The source was informed by then.
    func serve() -> Ending {
        connection.stopListeningToLog()
        runner.host.report(.connected(welcome))
        let ending = handleNotices() ?? subscribe() ?? turn()
        runner.host.connectionLost()
        return ending
    }

    private var welcome: Welcome {
        let seconds = greeting.sessionExpiry.map { Duration.seconds(Int64($0)) }
        let isV5 = connection.manner.version == .v5
        return Welcome(
            broker: connection.broker, protocolVersion: connection.manner.version,
            receiveMaximum: greeting.receiveMaximum, isSessionPresent: greeting.isSessionPresent,
            sessionExpiry: isV5 ? seconds ?? runner.settings.sessionExpiry : nil,
            maximumPacketSize: greeting.maximumPacketSize.map(Int.init),
            keepsRetained: greeting.keepsRetained && connection.manner.mayRetain)
    }

    private func turn() -> Ending {
        while true {
            if let ending = send() { return ending }
            if let ending = stopIfDone() { return ending }
            wait()
            tellAge()
            if let ending = receive() { return ending }
            if inFlight.isOverdue(at: Clock.boot(), limit: SessionPolicy.acknowledgementLimit) {
                return .lost("no acknowledgement within \(SessionPolicy.acknowledgementLimit)")
            }
        }
    }

    private func tellAge() {
        guard let mark = marks.last, connectedAt.duration(to: Clock.boot()) >= mark else { return }
        marks.removeLast()
        runner.host.report(.held(mark))
    }

    private func subscribe() -> Ending? {
        for topic in runner.subscriptions {
            let qos: Int32 = runner.settings.fleetingFilters.contains(topic) ? 0 : 1
            guard let packet = connection.subscribe(topic, qos: qos) else {
                return .lost("the connection ended while subscribing")
            }
            pendingSubscriptions[packet] = (topic, qos)
        }
        let isWhole = runner.settings.endedFilters.allSatisfy { connection.unsubscribe($0) }
        return isWhole ? nil : .lost("the connection ended while a subscription was given up")
    }

    /// Sends the first message at once. The other messages share TCP segments, each of which costs more than the
    /// packets in it.
    private func send() -> Ending? {
        var count = 0
        let now = Clock.boot()
        defer { if count > 1 { connection.setGathering(false) } }
        while inFlight.hasRoom, let message = runner.host.next() {
            count += 1
            if count == 2 { connection.setGathering(true) }
            let id = message.id
            switch connection.publish(message) {
            case .sent(let packet): inFlight.sent(id, as: packet, at: now)
            case .refused(let code, let text): runner.host.refused(id, code, reason: "\(code): \(text)")
            case .failed(let text): return .lost(text)
            }
        }
        return connection.write().map { .lost($0) }
    }

    private func wait() {
        let events = connection.wantsToWrite ? POLLIN | POLLOUT : POLLIN
        var timeout = Self.tick
        if inFlight.hasRoom { timeout = runner.host.wait(upTo: timeout, at: Clock.boot()) }
        if let stopBy = runner.host.stopBy { timeout = min(timeout, Clock.boot().duration(to: stopBy)) }
        let ready = Poll.wait(
            [
                Poll.Interest(runner.host.wakeDescriptor),
                Poll.Interest(connection.descriptor, events: events),
            ], timeout: timeout)
        if ready.readable[0] { runner.host.takeWakeup() }
    }

    /// Returns the end of a stopping connection; nil while messages are in flight and time is left.
    private func stopIfDone() -> Ending? {
        guard let stopBy = runner.host.stopBy else { return nil }
        guard inFlight.isEmpty || Clock.boot() >= stopBy else { return nil }
        sayGoodbye()
        return .stopped
    }

    private func sayGoodbye() {
        let deadline = Clock.boot().advanced(by: Self.goodbyeLimit)
        connection.sayGoodbye(forGood: runner.host.isForGood)
        guard connection.manner.version == .v5 else { return }
        while connection.descriptor >= 0, Clock.boot() < deadline {
            let interest = Poll.Interest(connection.descriptor, events: POLLOUT)
            _ = Poll.wait([interest], timeout: Self.goodbyeLimit)
            // Nothing is read any more: it would be acknowledged with the DISCONNECT without being handed on.
            guard connection.write() == nil else { return }
        }
    }
}
