public import Consent
public import Contract
public import MQTTBridge
public import TestSupport

/// A broker session under test, with all its reports.
public struct RunningSession: Sendable {
    public let session: BrokerSession
    public let events: Recorder<BrokerEvent>
    public let messages: Recorder<InboundMessage>

    /// - Parameters:
    ///   - isProcess: the connection is in a process of its own, as the daemon has it.
    ///   - keep: called with each message; returns the receipt for it.
    public init(
        _ settings: BrokerSettings, _ source: any OutboundSource, subscriptions: [String] = [],
        isProcess: Bool = false,
        keep: @escaping @Sendable (InboundMessage) -> InboundReceipt = { _ in .kept }
    ) throws {
        let events = Recorder<BrokerEvent>()
        let messages = Recorder<InboundMessage>()
        (self.events, self.messages) = (events, messages)
        session = try BrokerSession(
            settings: settings, subscriptions: subscriptions,
            isolation: isProcess ? .process(program: BuiltProgram.homegateway) : .thread, source: source,
            receive: { message in
                messages.add(message)
                return keep(message)
            }, onEvent: events.add)
    }

    /// The welcome of every connection so far.
    public var welcomes: [Welcome] {
        events.values.compactMap { if case .connected(let welcome) = $0 { welcome } else { nil } }
    }

    /// The reason of every failed or ended connection.
    public var losses: [String] {
        events.values.compactMap { if case .disconnected(let reason, _) = $0 { reason } else { nil } }
    }

    public func waitForLoss(upTo bound: Duration = .seconds(20)) async -> Bool {
        await events.wait(upTo: bound) { events in
            events.contains { if case .disconnected = $0 { true } else { false } }
        }
    }

    /// Runs the session around `body`, and always stops it afterwards.
    public func run(drain: Duration = .zero, _ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.run() }
            defer { session.stop(drain: drain) }
            try await body()
        }
    }

    public func waitForConnection(_ number: Int = 1) async -> Bool {
        await events.wait { events in
            events.count { if case .connected = $0 { true } else { false } } >= number
        }
    }
}

extension BrokerSettings {
    public static func local(
        _ port: UInt16, host: String = "127.0.0.1", keepAlive: Duration = .seconds(30),
        sessionExpiry: Duration = .zero, security: Security = .plain, credentials: Credentials? = nil,
        will: Cleared<Envelope>? = nil
    ) -> BrokerSettings {
        at([BrokerEndpoint(host: host, port: port)], keepAlive, sessionExpiry, security, credentials, will)
    }

    public static func at(
        _ brokers: [BrokerEndpoint], _ keepAlive: Duration = .seconds(30), _ sessionExpiry: Duration = .zero,
        _ security: Security = .plain, _ credentials: Credentials? = nil, _ will: Cleared<Envelope>? = nil
    ) -> BrokerSettings {
        BrokerSettings(
            brokers: brokers, clientID: "gateway-under-test", keepAlive: keepAlive,
            sessionExpiry: sessionExpiry, security: security, credentials: credentials, will: { will })
    }
}
