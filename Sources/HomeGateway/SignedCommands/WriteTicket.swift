import Dispatch
import GatewayModel
import Synchronization
import Vault

/// For one write: held by the thread that waits for it and the one that does it.
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

    /// Whether the disk has taken it; false also where it takes longer.
    func wait(_ patience: Duration) -> Bool {
        let limit = DispatchTime.now() + .nanoseconds(Int(patience.wholeNanoseconds))
        return isSettled.wait(timeout: limit) == .success && isTaken.withLock { $0 }
    }
}
