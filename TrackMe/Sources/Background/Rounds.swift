public import Logging
import ServiceLifecycle

/// Work that a server does again and again until its shutdown, one round at a time.
///
/// A round that fails does not end the work. The log has an error once while it lasts.
public struct Rounds: Sendable {
    private let interval: Duration
    private let trouble: String
    private let level: Logger.Level
    private let logger: Logger

    /// - Parameters:
    ///   - interval: pause after a round; with signals, the longest time between the beginnings of two rounds.
    ///   - trouble: sentence for the log while rounds fail.
    public init(every interval: Duration, _ trouble: String, at level: Logger.Level = .error, logger: Logger) {
        (self.interval, self.trouble, self.level, self.logger) = (interval, trouble, level, logger)
    }

    /// Returns at the shutdown, and after a round that ends with `CancellationError`.
    public func run(_ round: @escaping @Sendable () async throws -> Void) async {
        await cancelWhenGracefulShutdown {
            var last: String?
            while !Task.isCancelled {
                guard await attempt(round, &last) else { return }
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// Returns at the shutdown, and after a round that ends with `CancellationError`.
    ///
    /// - Parameter signals: a signal begins the next round at once.
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
                var last: String?
                for await _ in starts {
                    guard await attempt(round, &last) else { break }
                }
                group.cancelAll()
            }
        }
    }

    /// Returns false where the round was cancelled.
    ///
    /// - Parameter last: error of the last round.
    private func attempt(_ round: () async throws -> Void, _ last: inout String?) async -> Bool {
        do {
            try await round()
            last = nil
        } catch is CancellationError {
            return false
        } catch {
            let text = "\(error)"
            if text != last { logger.log(level: level, "\(trouble)", metadata: ["error": "\(text)"]) }
            last = text
        }
        return true
    }
}
