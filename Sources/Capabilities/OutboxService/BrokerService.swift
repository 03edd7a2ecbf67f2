import GatewayModel
package import MQTTBridge
import RealTime
import ServiceLifecycle

/// Runs sessions with a broker, one after the other, while the switch is open.
///
/// While it is closed the gateway does not even connect: a connection already says that this box exists.
package final class BrokerService: Service {
    /// Pause after a session that could not be made: somebody has to mend a file.
    private static let pause = Duration.seconds(60)
    private static let pollInterval = Duration.seconds(1)

    private let broker: BrokerSwitch
    private let makeSession: @Sendable () throws -> BrokerSession
    private let onFailure: @Sendable (String) -> Void

    /// - Parameters:
    ///   - makeSession: called for each session; a session is used once.
    ///   - onFailure: called with the reason where a session could not be made or run. Another attempt follows; the other
    ///     services go on.
    package init(
        _ broker: BrokerSwitch, makeSession: @escaping @Sendable () throws -> BrokerSession,
        onFailure: @escaping @Sendable (String) -> Void
    ) {
        (self.broker, self.makeSession, self.onFailure) = (broker, makeSession, onFailure)
    }

    package func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            for await _ in broker.changes {
                while broker.isWanted { await serve() }
                if broker.isStopping { return }
            }
        } onCancelOrGracefulShutdown: { [broker] in
            broker.stop()
        }
    }

    private func serve() async {
        broker.beginAttempt()
        do {
            let session = try makeSession()
            broker.setSession(session)
            defer { broker.setSession(nil) }
            // A stop that came before `setSession` is not lost: it ends the session at once.
            if !broker.isWanted || broker.isOutdated { session.stop(drain: .zero) }
            try await session.run()
        } catch {
            onFailure("\(error)")
            let end = Clock.boot().advanced(by: Self.pause)
            while broker.isWanted, !broker.isOutdated, Clock.boot() < end {
                try? await Task.sleep(for: Self.pollInterval)
            }
        }
    }
}
