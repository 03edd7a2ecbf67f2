public import MQTTBridge
public import ServiceLifecycle

/// Runs the sessions with the broker until the shutdown.
///
/// Calls for help have a session of their own, with a queue of its own at the broker and a thread here. However many
/// messages a house sends, they stand before no call of another house. The session of the other messages brings the calls
/// too: where the broker refuses the first one, calls still come. The desk keeps one message of an ID.
public struct IntakeService: Service {
    private static let drain = Duration.seconds(2)
    /// Behind the client ID of the server.
    public static let callSuffix = "-sos"

    /// Calls for help. Acceptances leave by it as well.
    public let calls: ConsumerSession
    /// All messages, the calls among them.
    public let others: ConsumerSession

    /// - Parameters:
    ///   - commit: called on the threads of both sessions. See `ConsumerSession`.
    ///   - onEvent: called on the threads of both sessions; must not block.
    /// - Throws: `BrokerError` if the settings or the TLS files are unusable.
    public init(
        settings: BrokerSettings, commit: @escaping @Sendable ([InboundMessage]) throws -> Void,
        onEvent: @escaping @Sendable (_ event: BrokerEvent, _ isOfCalls: Bool) -> Void
    ) throws(BrokerError) {
        var callSettings = settings
        callSettings.clientID += Self.callSuffix
        calls = try ConsumerSession(
            settings: callSettings, filters: MessageReader.callFilters, commit: commit,
            onEvent: { onEvent($0, true) })
        others = try ConsumerSession(
            settings: settings, filters: MessageReader.callFilters + MessageReader.filters, commit: commit,
            onEvent: { onEvent($0, false) })
    }

    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in [calls, others] { group.addTask { try await session.run() } }
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            for session in [calls, others] { session.stop(drain: Self.drain) }
        }
    }
}
