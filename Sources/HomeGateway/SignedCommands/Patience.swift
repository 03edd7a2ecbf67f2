import RealTime

/// Waiting for an answer that may never come, as from a disk that hangs.
enum Patience {
    /// - Parameters:
    ///   - limit: how long at the most.
    ///   - ask: returns at once; what it is given is called with the answer, from any thread, at any time.
    /// - Returns: nil where there was none in time.
    static func first<Answer: Sendable>(
        within limit: Duration, _ ask: (@escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer? {
        let (answers, answer) = AsyncStream<Answer>.makeStream(bufferingPolicy: .bufferingOldest(1))
        ask { answer.yield($0) }
        return await withTaskGroup { group in
            group.addTask { await answers.first { _ in true } }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// Blocking work on a thread of its own, for which those who asked wait with a bound.
final class PatientDisk: Sendable {
    /// A disk under load takes a second; what takes longer hangs.
    static let patience = Duration.seconds(2)

    private let worker: Worker<@Sendable () -> Void>

    /// - Parameter name: of the thread.
    init(_ name: String) throws {
        worker = try Worker(name) { tasks, _ in for task in tasks { task() } }
    }

    /// - Returns: nil where it took longer; it may still come to its end then.
    func perform<Result: Sendable>(
        within limit: Duration = PatientDisk.patience, _ work: @escaping @Sendable () -> Result
    ) async -> Result? {
        await Patience.first(within: limit) { done in worker.put { done(work()) } }
    }

    func run() async throws {
        try await worker.run()
    }

    func stop() {
        worker.stop()
    }
}
