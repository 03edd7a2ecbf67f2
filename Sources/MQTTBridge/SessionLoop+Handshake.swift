import GatewayModel
import Glibc
import RealTime

/// How an attempt to connect came out.
enum HandshakeResult {
    case connected(Greeting)
    case ended(Ending)
}

extension SessionLoop {
    /// How often TLS's handshake is looked at while the socket is silent; costs nothing once connected.
    private static let tick = Duration.milliseconds(250)

    /// TCP, TLS, CONNECT and CONNACK, within `SessionPolicy.connectLimit`; the name look-up before that
    /// has the resolver's own limits.
    func shakeHands(_ connection: BrokerConnection) -> HandshakeResult {
        if let failure = connection.open() { return .ended(.lost(failure)) }
        let deadline = Clock.boot().advanced(by: SessionPolicy.connectLimit)
        while Clock.boot() < deadline {
            if control.isStopping { return .ended(.stopped) }
            if let result = handshakeStep(connection) { return result }
        }
        return .ended(.lost(timeoutText(connection)))
    }

    /// Nil: not there yet.
    private func handshakeStep(_ connection: BrokerConnection) -> HandshakeResult? {
        // Writable tells the end of TCP's connect; after that the broker's answers are what matters.
        let events = connection.isEstablished ? POLLIN : POLLOUT
        let result = Poll.wait(
            [
                Poll.Interest(control.wakeup.descriptor),
                Poll.Interest(connection.descriptor, events: events),
            ], timeout: Self.tick)
        control.wakeup.drain()
        if !connection.isEstablished {
            guard result.writable[1] else { return nil }
            if let failure = connection.establish() { return .ended(.lost(failure)) }
        }
        let failure = connection.step()
        for notice in connection.board.takeNotices() {
            switch notice {
            case .connected(let greeting): return verdict(on: greeting, failure)
            case .connectionRefused(let code, let text):
                return .ended(.refused(code, text.map { "\(code): \($0)" } ?? "\(code)"))
            default: break
            }
        }
        if let failure { return .ended(.lost(failure)) }
        guard !connection.isPeerGone else {
            return .ended(.lost("the broker closed the connection in the handshake"))
        }
        return nil
    }

    private func verdict(on greeting: Greeting, _ failure: String?) -> HandshakeResult {
        if let failure { return .ended(.lost(failure)) }
        guard greeting.maximumQoS >= 1 else {
            return .ended(.refused(.qosNotSupported, "the broker acknowledges nothing (maximum QoS 0)"))
        }
        return .connected(greeting)
    }

    private func timeoutText(_ connection: BrokerConnection) -> String {
        let limit = SessionPolicy.connectLimit
        guard connection.isEstablished else {
            return "no TCP connection to \(settings.host) port \(settings.port) within \(limit)"
        }
        return "\(settings.host) port \(settings.port) took the connection and gave no CONNACK within \(limit)"
    }
}
