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
    private let rules: InboundRules
    /// When the last packet was whole, and what had been received by then.
    private var lastWhole: (at: BootInstant, bytes: UInt64)

    /// How often the keep-alive and the oldest acknowledgement are looked at: both count in seconds.
    private static let tick = Duration.seconds(1)
    /// How long a goodbye may take to be written; without it the broker publishes the will a little later.
    private static let goodbyeLimit = Duration.milliseconds(500)

    init(_ loop: SessionLoop, _ connection: BrokerConnection, _ greeting: Greeting) {
        self.loop = loop
        self.connection = connection
        self.greeting = greeting
        inFlight = InFlight(receiveMaximum: greeting.receiveMaximum)
        rules = InboundRules(filters: loop.subscriptions)
        lastWhole = (Clock.boot(), connection.receivedBytes ?? 0)
    }

    /// Until the connection ends or a stop is done. The source has been told by then.
    func serve() -> Ending {
        connection.stopListeningToLog()
        loop.onEvent(.connected(welcome))
        let ending = handleNotices() ?? subscribe() ?? turn()
        loop.source.connectionLost()
        return ending
    }

    private var welcome: Welcome {
        let seconds = greeting.sessionExpiry.map { Duration.seconds(Int64($0)) }
        let isV5 = connection.manner.version == .v5
        return Welcome(
            broker: connection.broker, protocolVersion: connection.manner.version,
            receiveMaximum: greeting.receiveMaximum, isSessionPresent: greeting.isSessionPresent,
            sessionExpiry: isV5 ? seconds ?? loop.settings.sessionExpiry : nil,
            maximumPacketSize: greeting.maximumPacketSize.map(Int.init),
            keepsRetained: greeting.keepsRetained && connection.manner.mayRetain)
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
        return connection.write().map { .lost($0) }
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

    /// Reads, hands on, and only then lets be written what acknowledges it.
    private func receive() -> Ending? {
        let failure = connection.read()
        let isAnythingWhole = !connection.board.notices.isEmpty
        // First what was still received, then the end: an acknowledgement read is an acknowledgement.
        if let ending = handleNotices() { return ending }
        if let failure { return .lost(failure) }
        if let ending = cutShort(isAnythingWhole) { return ending }
        return connection.write().map { .lost($0) }
    }

    private func handleNotices() -> Ending? {
        for notice in connection.board.takeNotices() {
            if let ending = handle(notice) { return ending }
        }
        return nil
    }

    private func handle(_ notice: Notice) -> Ending? {
        switch notice {
        case .answered(let packet, let code, let text): answered(packet, code, text)
        case .subscribed(let packet, let code): subscribed(packet, code)
        case .message(let message): return received(message)
        case .dismissed(let code):
            return code.retryHelps ? .lost("the broker disconnected: \(code)") : .refused(code, text(of: code))
        case .connected, .connectionRefused:
            return .lost("a second CONNACK on one connection")
        }
        return nil
    }

    /// What is not passed on is acknowledged all the same, or it would come again with every connection.
    private func received(_ message: InboundMessage) -> Ending? {
        if let fault = rules.fault(topic: message.topic, payloadBytes: message.payload.count) {
            loop.note(fault)
            return nil
        }
        guard case .notKept(let reason) = loop.receive(message) else { return nil }
        return .lost("a message could not be kept, and is not acknowledged: \(reason)")
    }

    /// Ends a connection on which a packet grows beyond all that was allowed.
    private func cutShort(_ isAnythingWhole: Bool) -> Ending? {
        guard let bytes = connection.receivedBytes else { return nil }
        let now = Clock.boot()
        guard !isAnythingWhole else {
            lastWhole = (now, bytes)
            return nil
        }
        let seconds = UInt64(max(0, lastWhole.at.duration(to: now).components.seconds))
        let limit = InboundRules.unfinishedLimit + InboundRules.unfinishedRate * seconds
        guard bytes > lastWhole.bytes, bytes - lastWhole.bytes > limit else { return nil }
        loop.note(.endlessPacket)
        return .lost(
            "the broker sends a packet of more than \(InboundRules.packetLimit) bytes, the most we take")
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
        connection.sayGoodbye(forGood: loop.control.isForGood)
        guard connection.manner.version == .v5 else { return }
        while connection.descriptor >= 0, Clock.boot() < deadline {
            let interest = Poll.Interest(connection.descriptor, events: POLLOUT)
            _ = Poll.wait([interest], timeout: Self.goodbyeLimit)
            // No more is read: it would be acknowledged with the goodbye, and never have been handed on.
            guard connection.write() == nil else { return }
        }
    }
}
