import GatewayModel
import Glibc
import RealTime

/// How an attempt to connect came out.
enum HandshakeResult {
    case connected(Greeting)
    case ended(Ending)
}

extension ConnectionRunner {
    /// How often TLS's handshake is looked at while the socket is silent; costs nothing once connected.
    private static let tick = Duration.milliseconds(250)

    /// Look-up, TCP, TLS, CONNECT and CONNACK, within `SessionPolicy.connectLimit`.
    func shakeHands(_ connection: BrokerConnection) -> HandshakeResult {
        let deadline = Clock.boot().advanced(by: SessionPolicy.connectLimit)
        let addresses: [SocketAddress]
        switch lookUp(connection.broker, by: deadline) {
        case .found(let found): addresses = found
        case .failed(let reason): return .ended(host.isStopping ? .stopped : .lost(reason))
        }
        if let failure = connection.open() { return .ended(.lost(failure)) }
        if let failure = reach(addresses, connection, by: deadline) {
            return .ended(host.isStopping ? .stopped : .lost(failure))
        }
        while Clock.boot() < deadline {
            if host.isStopping { return .ended(.stopped) }
            if let result = step(connection) { return result }
        }
        let seen =
            "\(place(connection)) took the connection and gave no CONNACK within \(SessionPolicy.connectLimit)"
        // The broker has not seen the rest of the CONNECT that waits here: the TLS handshake does not end.
        return .ended(connection.wantsToWrite ? .lost(seen) : .silent(seen))
    }

    // MARK: Name and TCP

    private func lookUp(_ broker: BrokerEndpoint, by deadline: BootInstant) -> NameLookup.Outcome {
        do throws(SystemCallError) {
            let lookup = try lookup(broker)
            while !host.isStopping, Clock.boot() < deadline {
                if let result = lookup.result {
                    forgetLookup(of: broker)
                    return result
                }
                wait(for: Poll.Interest(lookup.done.descriptor), until: deadline)
            }
            return .failed("no name server has told the address of \(broker.host) within 10 s")
        } catch {
            return .failed(error.description)
        }
    }

    /// The library has begun with one of `addresses`, in all likelihood the first; then the others in turn.
    /// - Returns: nil once TCP is up, or why it is not.
    private func reach(
        _ addresses: [SocketAddress], _ connection: BrokerConnection, by deadline: BootInstant
    ) -> String? {
        var others = Array(addresses.dropFirst())
        var reasons: [String] = []
        while true {
            let limit = Clock.boot().advanced(by: SessionPolicy.addressLimit)
            let failure = establish(connection, by: others.isEmpty ? deadline : min(limit, deadline))
            guard let failure, !host.isStopping else { return failure }
            reasons.append(failure)
            var redirected = false
            while !redirected, !others.isEmpty, Clock.boot() < deadline {
                if let failure = connection.redirect(to: others.removeFirst()) {
                    reasons.append(failure)
                } else {
                    redirected = true
                }
            }
            guard redirected else { return reasons.joined(separator: "; then, at its next address: ") }
        }
    }

    /// - Returns: nil once TCP is up, or why it is not.
    private func establish(_ connection: BrokerConnection, by deadline: BootInstant) -> String? {
        let start = Clock.boot()
        while !host.isStopping, Clock.boot() < deadline {
            // Writable tells the end of TCP's connect.
            let interest = Poll.Interest(connection.descriptor, events: POLLOUT)
            if wait(for: interest, until: deadline).writable[1] { return connection.establish() }
        }
        let seconds = (start.duration(to: Clock.boot()).wholeMilliseconds + 500) / 1_000
        return "no TCP connection to \(place(connection)) within \(seconds) s"
    }

    @discardableResult
    private func wait(for interest: Poll.Interest, until deadline: BootInstant) -> PollResult {
        let left = max(Clock.boot().duration(to: deadline), .zero)
        let result = Poll.wait([Poll.Interest(host.wakeDescriptor), interest], timeout: left)
        host.takeWakeup()
        return result
    }

    private func place(_ connection: BrokerConnection) -> String {
        "\(connection.broker.host) port \(connection.broker.port)"
    }

    // MARK: TLS and MQTT

    /// Nil: not there yet.
    private func step(_ connection: BrokerConnection) -> HandshakeResult? {
        let events = connection.wantsToWrite ? POLLIN | POLLOUT : POLLIN
        wait(
            for: Poll.Interest(connection.descriptor, events: events),
            until: Clock.boot().advanced(by: Self.tick))
        // All of the CONNECT has gone; under TLS it waits for the end of that handshake.
        let isAsked = !connection.wantsToWrite
        let failure = connection.read()
        // What came with the CONNACK is left for the connection that is served: not a message is
        // acknowledged before it was handed on.
        while let notice = connection.board.takeNotice() {
            switch notice {
            case .connected(let greeting): return verdict(on: greeting, failure)
            case .connectionRefused(let code, let text, let reference):
                return .ended(.refused(code, Self.words(code, text, reference)))
            default: break
            }
        }
        // A handshake that ended leaves the CONNECT to be sent.
        let closed = connection.isPeerGone ? "the broker closed the connection in the handshake" : nil
        guard let failure = failure ?? connection.write() ?? closed else { return nil }
        return .ended(isAsked && connection.isHungUp ? .unanswered(failure) : .lost(failure))
    }

    private func verdict(on greeting: Greeting, _ failure: String?) -> HandshakeResult {
        if let failure { return .ended(.lost(failure)) }
        guard greeting.maximumQoS >= 1 else {
            return .ended(.refused(.qosNotSupported, "the broker acknowledges nothing (maximum QoS 0)"))
        }
        return .connected(greeting)
    }

    /// A server that a broker names (MQTT 5 section 4.11) is told and not followed: whoever can answer in the
    /// broker's place would get the password next.
    private static func words(_ code: ReasonCode, _ text: String?, _ reference: String?) -> String {
        var words = text.map { "\(code): \($0)" } ?? "\(code)"
        if let reference {
            words +=
                "; it names '\(reference)', which is not followed: if it is right, write it to [broker] hosts"
        }
        return words
    }
}
