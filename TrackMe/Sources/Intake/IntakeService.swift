public import MQTTBridge
public import ServiceLifecycle

/// Runs the session with the broker until the shutdown.
public struct IntakeService: Service {
    private static let drain = Duration.seconds(2)

    private let session: ConsumerSession

    public init(session: ConsumerSession) { self.session = session }

    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await session.run()
        } onGracefulShutdown: {
            session.stop(drain: Self.drain)
        }
    }
}
