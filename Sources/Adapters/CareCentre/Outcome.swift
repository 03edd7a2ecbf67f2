import Synchronization

/// How a thread's body ended, for whoever waits for the thread.
final class Outcome: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    func set(_ body: () throws -> Void) {
        do { try body() } catch { failure.withLock { $0 = error } }
    }

    func get() throws {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
