import RealTime

/// Queue of blocking work, on a thread of its own. The caller waits for the result with a limit.
package final class DiskQueue: Sendable {
    /// Standard limit: a disk under load takes a second; one that takes longer hangs.
    package static let standardLimit = Duration.seconds(2)

    private let worker: Worker<@Sendable () -> Void>

    /// - Parameter name: name of the thread.
    package init(_ name: String) throws {
        worker = try Worker(name) { tasks, _ in for task in tasks { task() } }
    }

    /// - Returns: the result, or nil where the work took longer than `limit`; it may still be completed then.
    package func perform<Result: Sendable>(
        within limit: Duration = DiskQueue.standardLimit, _ work: @escaping @Sendable () -> Result
    ) async -> Result? {
        await withTimeout(limit) { done in worker.put { done(work()) } }
    }

    package func run() async throws {
        try await worker.run()
    }

    package func stop() {
        worker.stop()
    }
}
