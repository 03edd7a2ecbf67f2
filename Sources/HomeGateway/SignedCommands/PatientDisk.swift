import RealTime

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
