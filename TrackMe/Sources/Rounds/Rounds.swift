public import Logging
import ServiceLifecycle

/// Work that a server does again and again until its shutdown: one round at a time, and a pause after each.
///
/// A round that fails does not end the work. The log tells of the first of several failures, and of the next success.
public struct Rounds: Sendable {
    private let interval: Duration
    private let trouble: String
    private let level: Logger.Level
    private let logger: Logger

    /// - Parameters:
    ///   - interval: pause after a round.
    ///   - trouble: sentence for the log while rounds fail.
    public init(every interval: Duration, _ trouble: String, at level: Logger.Level = .error, logger: Logger) {
        (self.interval, self.trouble, self.level, self.logger) = (interval, trouble, level, logger)
    }

    /// Returns at the shutdown.
    public func run(_ round: @escaping @Sendable () async throws -> Void) async {
        await cancelWhenGracefulShutdown {
            var hasFailed = false
            while !Task.isCancelled {
                guard await attempt(round, &hasFailed) else { return }
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// Returns at the shutdown.
    ///
    /// - Parameter signals: a signal begins the next round without the rest of the pause.
    public func run(on signals: AsyncStream<Void>, _ round: @escaping @Sendable () async throws -> Void) async {
        await cancelWhenGracefulShutdown {
            let (starts, start) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in signals { start.yield() } }
                group.addTask {
                    while !Task.isCancelled {
                        start.yield()
                        try? await Task.sleep(for: interval)
                    }
                }
                var hasFailed = false
                for await _ in starts {
                    guard await attempt(round, &hasFailed) else { break }
                }
                group.cancelAll()
            }
        }
    }

    /// Returns false where the round was cancelled.
    private func attempt(_ round: () async throws -> Void, _ hasFailed: inout Bool) async -> Bool {
        do {
            try await round()
            if hasFailed { logger.notice("\(trouble): this is over") }
            hasFailed = false
        } catch is CancellationError {
            return false
        } catch {
            if !hasFailed { logger.log(level: level, "\(trouble)", metadata: ["error": "\(error)"]) }
            hasFailed = true
        }
        return true
    }
}
