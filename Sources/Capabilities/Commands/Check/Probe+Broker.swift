import Consent
import Contract
import GatewayModel
import MQTTBridge
import OutboxService
import Settings

/// Probe of the session with the broker: TLS, name and password, and the rights to the gateway's topics.
extension Probe {
    /// Connects beside the running gateway, with a client ID of its own, and subscribes as the gateway does. It publishes
    /// nothing. Each message that arrives goes to the gateway as well.
    static func brokerSession(_ settings: GatewaySettings) async -> Finding {
        do {
            var session = try BrokerSettings(from: settings)
            session.clientID += "-check"
            session.sessionExpiry = .zero
            let topics = Topics(gateway: settings.gateway.id)
            let filters =
                [topics.acceptedFilter] + (settings.commands.issuers.isEmpty ? [] : [topics.commands])
                + (settings.commands.issuers.contains(where: \.hasDesk) ? [topics.desk] : [])
            let (events, event) = AsyncStream<BrokerEvent>.makeStream(bufferingPolicy: .bufferingOldest(64))
            let broker = try BrokerSession(
                settings: session, subscriptions: filters, isolation: .ownProgram, source: NothingToSend(),
                receive: { _ in .kept }, onEvent: { event.yield($0) })
            async let running: Void = broker.run()
            let (verdicts, verdict) = AsyncStream<Finding>.makeStream(bufferingPolicy: .bufferingOldest(1))
            async let judging: Void = {
                var judge = BrokerSessionJudge(clientID: session.clientID, filters: filters.count)
                for await event in events {
                    guard let finding = judge.finding(after: event) else { continue }
                    verdict.yield(finding)
                    return
                }
            }()
            let finding = await first(of: verdicts, within: limit)
            event.finish()
            await judging
            broker.stop(drain: .zero)
            try await running
            return finding ?? .problem("no answer to the connection or the subscriptions within 10 s")
        } catch {
            return .problem("not tried: \(error)")
        }
    }
}

/// Judges the answers of a broker to one connection. Pure.
private struct BrokerSessionJudge {
    let clientID: String
    /// Number of subscriptions that have no answer yet.
    private var open: Int
    private var refused: [String] = []

    init(clientID: String, filters: Int) {
        (self.clientID, open) = (clientID, filters)
    }

    /// Nil while an answer is missing.
    mutating func finding(after event: BrokerEvent) -> Probe.Finding? {
        switch event {
        case .disconnected(let reason, _): return .problem("no session: \(reason)")
        case .refused(let code, let text, _):
            let words = ReasonCode(rawValue: UInt8(clamping: code)).description
            let more = text.isEmpty || words.contains(text) ? "" : ", \(text)"
            return .problem(
                "the broker refuses the connection as \(clientID): \(words)\(more); check the name, the "
                    + "password and the certificate in [broker], and the rights of this client at the broker")
        case .sessionTaken(let reason, _): return .problem("no session: \(reason)")
        case .subscribed: open -= 1
        case .subscriptionRefused(let topic, let reason):
            open -= 1
            refused.append("\(topic) (\(reason))")
        case .connected, .held, .fault: return nil
        }
        guard open <= 0 else { return nil }
        return refused.isEmpty
            ? .well("connection accepted as \(clientID), and every subscription granted")
            : .problem(
                "the broker refuses subscriptions: \(refused.joined(separator: ", ")); grant them, see: "
                    + "homegateway broker-acl")
    }
}

/// Empty source for a session that sends nothing.
struct NothingToSend: OutboundSource {
    func next() -> Cleared<Envelope>? { nil }
    func acknowledged(_ id: MessageID) {}
    func refused(_ id: MessageID, _ code: ReasonCode, reason: String) {}
    func connectionLost() {}
}
