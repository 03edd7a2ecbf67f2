import CLinux
import Glibc
import Synchronization

/// A descriptor that becomes readable when any thread calls `signal()`: how a blocking loop is woken.
///
/// Signals add up to one: `drain()` takes them all. Safe to use from every thread; the owner keeps it
/// alive for as long as someone may signal. Closed when the last reference goes.
public final class Wakeup: Sendable {
    public let descriptor: Int32
    /// A signal that was not drained says what another would say: no system call for that one.
    private let isSignalled = Atomic(false)

    /// Errors: `SystemCallError` where the kernel has no descriptor left.
    public init() throws(SystemCallError) {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw SystemCallError("eventfd") }
    }

    deinit { close(descriptor) }

    /// Never blocks: a full counter is already a pending signal.
    public func signal() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// To be called before looking at what the signals are about.
    public func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        // After the read: the other way round it could swallow a signal that is still marked, and the next
        // ones would be left out for ever.
        _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing)
    }
}
