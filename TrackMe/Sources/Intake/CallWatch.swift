public import MQTTBridge
public import ServiceLifecycle

/// Sessions for calls for help alone that each server of a database has, beside those of the server that receives everything.
///
/// While that server is replaced, or its broker dies, calls come by these. Where there are several brokers, two of them are
/// listened to: the death of one leaves the other. The brokers keep nothing for these sessions: a server that is gone leaves no
/// queue behind. Messages that come meanwhile are kept for the `IntakeService`. The desk keeps one message of an ID.
public struct CallWatch: Service {
    private static let drain = Duration.seconds(2)
    private static let mostSessions = 2

    private let sessions: [ConsumerSession]

    /// - Parameters:
    ///   - settings: those of the `IntakeService`. Each session has a client ID of its own. The first one begins at one of the
    ///     brokers by chance, the second one at the next broker: those of several servers are seldom all at the broker that dies.
    ///   - commit: called on the threads of the sessions. See `ConsumerSession`.
    ///   - onEvent: called with the number of the session, on the threads of the sessions; must not block.
    /// - Throws: `BrokerError` if the settings or the TLS files are unusable.
    public init(
        settings: BrokerSettings, commit: @escaping @Sendable ([InboundMessage]) throws -> Void,
        onEvent: @escaping @Sendable (_ event: BrokerEvent, _ session: Int) -> Void
    ) throws(BrokerError) {
        let brokers = settings.brokers
        let begin = brokers.indices.randomElement() ?? 0
        var sessions: [ConsumerSession] = []
        for number in 0..<max(min(brokers.count, Self.mostSessions), 1) {
            var settings = settings
            settings.clientID +=
                "\(IntakeService.callSuffix)-\(String(UInt32.random(in: .min ... .max), radix: 36))"
            settings.sessionExpiry = .zero
            settings.brokers = brokers.indices.map { brokers[(begin + number + $0) % brokers.count] }
            sessions.append(
                try ConsumerSession(
                    settings: settings, filters: MessageReader.callFilters, commit: commit,
                    onEvent: { onEvent($0, number) }))
        }
        self.sessions = sessions
    }

    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for session in sessions { group.addTask { try await session.run() } }
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            for session in sessions { session.stop(drain: Self.drain) }
        }
    }
}
