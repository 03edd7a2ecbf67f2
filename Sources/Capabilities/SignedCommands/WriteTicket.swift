import Dispatch
import GatewayModel
import Synchronization

/// Ticket of one write: shared by the thread that waits and the thread that writes.
final class WriteTicket: Sendable {
    private let signal = DispatchSemaphore(value: 0)
    private let isSettled = Atomic(false)
    private let onSettled: @Sendable () -> Void

    init(onSettled: @escaping @Sendable () -> Void) {
        self.onSettled = onSettled
    }

    /// Ends the wait. The first call counts.
    func settle() {
        guard !isSettled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        onSettled()
        signal.signal()
    }

    func wait(_ limit: Duration) {
        _ = signal.wait(timeout: .now() + .nanoseconds(Int(limit.wholeNanoseconds)))
    }
}
