import Dispatch
import GatewayModel
import Synchronization
import Vault

/// Ticket of one write: shared by the thread that waits and the thread that writes.
final class WriteTicket: Sendable {
    private let isSettled = DispatchSemaphore(value: 0)
    private let isTaken = Mutex(false)
    private let onSettled: @Sendable () -> Void

    init(onSettled: @escaping @Sendable () -> Void) {
        self.onSettled = onSettled
    }

    func settle(_ result: Result<Void, DiskFailure>) {
        if case .success = result { isTaken.withLock { $0 = true } }
        onSettled()
        isSettled.signal()
    }

    /// Returns whether the write succeeded within the limit.
    func wait(_ limit: Duration) -> Bool {
        let deadline = DispatchTime.now() + .nanoseconds(Int(limit.wholeNanoseconds))
        return isSettled.wait(timeout: deadline) == .success && isTaken.withLock { $0 }
    }
}
