package import RealTime
import Synchronization
package import Vault

/// Thread that syncs the outbox's write-ahead log to the disk, beside the thread that writes it: readings are written
/// while a slow disk syncs.
///
/// One sync at a time. Its result wakes the outbox's thread.
package final class OutboxSyncer: Sendable {
    /// Sync of one database up to a transaction.
    package struct Job: Sendable {
        package let path: String
        /// Of the file: a result that belongs to a damaged one is not taken for its successor's.
        package let generation: Int
        /// Number of the last transaction that the sync covers.
        package let transaction: Int64

        package init(path: String, generation: Int, transaction: Int64) {
            self.path = path
            self.generation = generation
            self.transaction = transaction
        }
    }

    package struct Result: Sendable {
        package let job: Job
        package let failure: DiskFailure?

        package init(job: Job, failure: DiskFailure?) {
            self.job = job
            self.failure = failure
        }
    }

    private struct State {
        var job: Job?
        var isRunning = false
        var result: Result?
        var isStopping = false
    }

    private let state = Mutex(State())
    private let wakeup: Wakeup
    private let onResult: @Sendable () -> Void

    /// - Parameter onResult: called on the syncing thread; must return at once.
    package init(onResult: @escaping @Sendable () -> Void) throws {
        wakeup = try Wakeup()
        self.onResult = onResult
    }

    /// Whether a sync was begun and its result was not taken yet.
    package var isBusy: Bool { state.withLock { $0.job != nil || $0.isRunning || $0.result != nil } }

    /// Begins a sync. To be called while it is not busy; returns at once.
    package func begin(_ job: Job) {
        state.withLock { $0.job = job }
        wakeup.signal()
    }

    /// Result of the last sync, once.
    package func takeResult() -> Result? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }

    /// The thread runs until `stop()`, and then until a sync underway has ended.
    package func start() throws -> NamedThread {
        try NamedThread("outbox sync") { [self] in loop() }
    }

    /// From any thread; returns at once.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    private func loop() {
        while !state.withLock(\.isStopping) {
            let job = state.withLock { state in
                defer { (state.job, state.isRunning) = (nil, state.job != nil) }
                return state.job
            }
            guard let job else {
                _ = Poll.wait([Poll.Interest(wakeup.descriptor)], timeout: nil)
                wakeup.drain()
                continue
            }
            var failure: DiskFailure?
            do throws(DiskFailure) {
                try OutboxDatabase.syncLog(of: job.path)
            } catch {
                failure = error
            }
            state.withLock { [failure] in
                $0.result = Result(job: job, failure: failure)
                $0.isRunning = false
            }
            onResult()
        }
    }
}
