import Consent
import Contract
import MQTTBridge

/// A broker session under test, with all it told.
struct RunningSession: Sendable {
    let session: BrokerSession
    let events: Recorder<BrokerEvent>

    init(
        _ settings: BrokerSettings, _ source: any OutboundSource, subscriptions: [String] = []
    ) throws {
        let events = Recorder<BrokerEvent>()
        self.events = events
        session = try BrokerSession(
            settings: settings, subscriptions: subscriptions, source: source, onEvent: events.add)
    }

    /// Runs the session around `body`, and stops it whatever `body` does.
    func run(drain: Duration = .zero, _ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.run() }
            defer { session.stop(drain: drain) }
            try await body()
        }
    }

    func waitForConnection(_ number: Int = 1) async -> Bool {
        await events.wait { events in
            events.count { if case .connected = $0 { true } else { false } } >= number
        }
    }
}

extension BrokerSettings {
    static func local(
        _ port: UInt16, host: String = "127.0.0.1", keepAlive: Duration = .seconds(30),
        security: Security = .plain, credentials: Credentials? = nil, will: Cleared<Envelope>? = nil
    ) -> BrokerSettings {
        BrokerSettings(
            host: host, port: port, clientID: "gateway-under-test", keepAlive: keepAlive, security: security,
            credentials: credentials, will: will)
    }
}
