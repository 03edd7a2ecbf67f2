public import MQTTBridge
public import ServiceLifecycle

/// Session for calls for help alone that each server of a database has, beside those of the server that receives everything.
///
/// While that server is replaced, or its broker dies, calls come by the sessions of the others. The broker keeps nothing for
/// this one: a server that is gone leaves no queue behind, and what comes meanwhile is kept for the `IntakeService`. The desk
/// keeps one message of an ID.
public struct CallWatch: Service {
    private static let drain = Duration.seconds(2)

    private let session: ConsumerSession

    /// - Parameters:
    ///   - settings: those of the `IntakeService`. The session has a client ID of its own, and begins at one of the brokers by
    ///     chance: those of several servers are seldom all at the broker that dies.
    ///   - commit: called on the thread of the session. See `ConsumerSession`.
    ///   - onEvent: called on the thread of the session; must not block.
    /// - Throws: `BrokerError` if the settings or the TLS files are unusable.
    public init(
        settings: BrokerSettings, commit: @escaping @Sendable ([InboundMessage]) throws -> Void,
        onEvent: @escaping @Sendable (BrokerEvent) -> Void
    ) throws(BrokerError) {
        var settings = settings
        settings.clientID +=
            "\(IntakeService.callSuffix)-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        settings.sessionExpiry = .zero
        if let first = settings.brokers.indices.randomElement() {
            settings.brokers = Array(settings.brokers[first...] + settings.brokers[..<first])
        }
        session = try ConsumerSession(
            settings: settings, filters: MessageReader.callFilters, commit: commit, onEvent: onEvent)
    }

    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await session.run()
        } onGracefulShutdown: {
            session.stop(drain: Self.drain)
        }
    }
}
