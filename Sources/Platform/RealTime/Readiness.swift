import CLinux
import Glibc

/// epoll(7): which of several descriptors are ready. Unlike `Poll` it is told of each descriptor once and
/// not at each wait, so that a wait costs the same for one wearable and for twenty. For every thread.
///
/// A descriptor is to be forgotten before it is closed.
public final class Readiness: Sendable {
    private let epoll: Int32

    /// Ready ones told by one wait; the others are told by the next.
    private static let most = 64

    /// Errors: `SystemCallError` where the kernel has no descriptor left.
    public init() throws(SystemCallError) {
        epoll = clinux_epoll()
        guard epoll >= 0 else { throw SystemCallError("epoll_create1") }
    }

    deinit { close(epoll) }

    /// From now on until it is ready to read.
    public func watch(_ descriptor: Int32) throws(SystemCallError) {
        try watch(descriptor, events: POLLIN)
    }

    /// From now on for `POLLIN`, `POLLOUT` or both, in place of what the same descriptor was watched for.
    /// Errors: `SystemCallError` where it cannot be waited for, or the kernel has no memory left.
    public func watch(_ descriptor: Int32, events: Int32) throws(SystemCallError) {
        guard clinux_epoll_watch(epoll, descriptor, UInt32(bitPattern: events)) == 0 else {
            throw SystemCallError("epoll_ctl")
        }
    }

    public func forget(_ descriptor: Int32) {
        // Fails only where it was not watched.
        _ = clinux_epoll_forget(epoll, descriptor)
    }

    /// Waits until a descriptor is ready, or `timeout` is over (nil: no limit). A signal ends the wait with
    /// nothing ready. Hang-up and error count as ready: the next read or write tells.
    /// - Returns: those that are ready.
    public func wait(timeout: Duration?) -> [Int32] {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.most) { ready in
            let count = clinux_epoll_wait(
                epoll, ready.baseAddress, Int32(Self.most), Poll.milliseconds(timeout))
            return Array(ready.prefix(max(0, Int(count))))
        }
    }
}
