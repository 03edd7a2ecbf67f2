import Consent
import Contract
import GatewayModel
import Glibc
import RealTime

/// One connection after its CONNACK: sends within the window, handles what comes, until it ends.
///
/// Made, used and dropped on the mqtt thread.
final class ServedConnection {
    private let loop: SessionLoop
    private let connection: BrokerConnection
    private let greeting: Greeting
    private var inFlight: InFlight
    /// Filters asked for and not answered, by packet identifier.
    private var pendingSubscriptions: [Int32: String] = [:]

    /// How often the keep-alive and the oldest acknowledgement are looked at: both count in seconds.
    private static let tick = Duration.seconds(1)
    /// How long a goodbye may take to be written; without it the broker publishes the will a little later.
    private static let goodbyeLimit = Duration.milliseconds(500)

    init(_ loop: SessionLoop, _ connection: BrokerConnection, _ greeting: Greeting) {
        self.loop = loop
        self.connection = connection
        self.greeting = greeting
        inFlight = InFlight(receiveMaximum: greeting.receiveMaximum)
    }

    /// Until the connection ends or a stop is done. The source has been told by then.
    func serve() -> Ending {
        connection.stopListeningToLog()
        loop.onEvent(
            .connected(protocolVersion: connection.version, receiveMaximum: greeting.receiveMaximum))
        let ending = subscribe() ?? turn()
        loop.source.connectionLost()
        return ending
    }

    private func turn() -> Ending {
        while true {
            if let ending = send() { return ending }
            if let ending = stopIfDone() { return ending }
            wait()
            if let ending = receive() { return ending }
            if inFlight.isOverdue(at: Clock.boot(), limit: SessionPolicy.acknowledgementLimit) {
                return .lost("no acknowledgement within \(SessionPolicy.acknowledgementLimit)")
            }
        }
    }

    private func subscribe() -> Ending? {
        for topic in loop.subscriptions {
            guard let packet = connection.subscribe(topic) else {
                return .lost("the connection ended while subscribing")
            }
            pendingSubscriptions[packet] = topic
        }
        return nil
    }

    private func send() -> Ending? {
        while inFlight.hasRoom, let cleared = loop.source.next() {
            let id = cleared.value.id
            switch connection.publish(cleared) {
            case .sent(let packet): inFlight.sent(id, as: packet, at: Clock.boot())
            case .refused(let code, let text): loop.source.refused(id, code, reason: "\(code): \(text)")
            case .failed(let text): return .lost(text)
            }
        }
        return nil
    }

    private func wait() {
        let events = connection.wantsToWrite ? POLLIN | POLLOUT : POLLIN
        var timeout = Self.tick
        if let stopBy = loop.control.stopBy { timeout = min(timeout, Clock.boot().duration(to: stopBy)) }
        let ready = Poll.wait(
            [
                Poll.Interest(loop.control.wakeup.descriptor),
                Poll.Interest(connection.descriptor, events: events),
            ], timeout: timeout)
        if ready.readable[0] { loop.control.wakeup.drain() }
    }

    private func receive() -> Ending? {
        let failure = connection.step()
        // First what was still received, then the end: an acknowledgement read is an acknowledgement.
        for notice in connection.board.takeNotices() {
            if let ending = handle(notice) { return ending }
        }
        return failure.map { .lost($0) }
    }

    private func handle(_ notice: Notice) -> Ending? {
        switch notice {
        case .answered(let packet, let code, let text): answered(packet, code, text)
        case .subscribed(let packet, let code): subscribed(packet, code)
        case .message(let topic, let payload, let isRetained):
            loop.onEvent(.message(topic: topic, payload: payload, isRetained: isRetained))
        case .dismissed(let code):
            return code.retryHelps ? .lost("the broker disconnected: \(code)") : .refused(code, text(of: code))
        case .connected, .connectionRefused:
            return .lost("a second CONNACK on one connection")
        }
        return nil
    }

    private func answered(_ packet: Int32, _ code: ReasonCode, _ text: String?) {
        guard let id = inFlight.answered(packet) else { return }
        if code.isFailure {
            loop.source.refused(id, code, reason: text.map { "\(code): \($0)" } ?? "\(code)")
        } else {
            loop.source.acknowledged(id)
        }
    }

    /// A granted QoS below the one asked for is a refusal too: a command must not be lost in silence.
    private func subscribed(_ packet: Int32, _ code: ReasonCode) {
        guard let topic = pendingSubscriptions.removeValue(forKey: packet) else { return }
        if code.isFailure {
            loop.onEvent(.subscriptionRefused(topic: topic, reason: "\(code)"))
        } else if code.rawValue == 0 {
            loop.onEvent(.subscriptionRefused(topic: topic, reason: "the broker grants only QoS 0"))
        } else {
            loop.onEvent(.subscribed(topic: topic))
        }
    }

    private func text(of code: ReasonCode) -> String {
        guard code == .sessionTakenOver else { return "\(code)" }
        return "\(code): another client connected with our client id '\(loop.settings.clientID)'; "
            + "give every gateway its own"
    }

    /// While stopping: nil as long as something is in flight and there is time.
    private func stopIfDone() -> Ending? {
        guard let stopBy = loop.control.stopBy else { return nil }
        guard inFlight.isEmpty || Clock.boot() >= stopBy else { return nil }
        sayGoodbye()
        return .stopped
    }

    private func sayGoodbye() {
        let deadline = Clock.boot().advanced(by: Self.goodbyeLimit)
        connection.sayGoodbye()
        guard connection.version == .v5 else { return }
        while connection.descriptor >= 0, Clock.boot() < deadline {
            let interest = Poll.Interest(connection.descriptor, events: POLLOUT)
            _ = Poll.wait([interest], timeout: Self.goodbyeLimit)
            guard connection.step() == nil else { return }
        }
    }
}
