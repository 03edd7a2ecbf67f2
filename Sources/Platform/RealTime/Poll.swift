import CLinux
public import GatewayModel
import Glibc
import Synchronization

/// Events of one wait over several descriptors.
public struct PollResult: Sendable {
    public let readable: [Bool]
    public let writable: [Bool]
}

/// poll(2) over a few descriptors.
public enum Poll {
    public struct Interest: Sendable {
        public let descriptor: Int32
        public let events: Int16

        /// Ready to read.
        public init(_ descriptor: Int32) {
            self.init(descriptor, events: POLLIN)
        }

        /// - Parameter events: `POLLIN`, `POLLOUT` or both.
        public init(_ descriptor: Int32, events: Int32) {
            self.descriptor = descriptor
            self.events = Int16(events)
        }
    }

    /// Waits until a descriptor is ready, or `timeout` is over (nil: no limit). A signal ends the wait
    /// with nothing ready. Hang-up and error count as ready both ways: the next read or write tells.
    public static func wait(_ interests: [Interest], timeout: Duration?) -> PollResult {
        var descriptors = interests.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
        let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds(timeout))
        guard count > 0 else {
            let nothing = [Bool](repeating: false, count: descriptors.count)
            return PollResult(readable: nothing, writable: nothing)
        }
        let gone = POLLERR | POLLHUP | POLLNVAL
        return PollResult(
            readable: descriptors.map { Int32($0.revents) & (POLLIN | gone) != 0 },
            writable: descriptors.map { Int32($0.revents) & (POLLOUT | gone) != 0 })
    }

    /// Rounded up: rounding down would spin through the last millisecond. -1: no limit.
    static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        return Int32(clamping: (max(timeout.wholeNanoseconds, 0) + 999_999) / 1_000_000)
    }
}

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

    /// From now on for `POLLIN`, `POLLOUT` or both, in place of the events that the same descriptor was watched
    /// for. Errors: `SystemCallError` where it cannot be waited for, or the kernel has no memory left.
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

/// A descriptor that becomes readable when any thread calls `signal()`: how a blocking loop is woken.
///
/// Signals add up to one: `drain()` takes them all. Safe to use from every thread; the owner keeps it
/// alive for as long as someone may signal. Closed when the last reference goes.
public final class Wakeup: Sendable {
    public let descriptor: Int32
    /// A signal that was not drained says the same as another would: no system call for that one.
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

    /// To be called before looking at the state that the signals are about.
    public func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
        // After the read: the other way round it could swallow a signal that is still marked, and the next
        // ones would be left out for ever.
        _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing)
    }
}

/// A descriptor that becomes readable at an instant of `CLOCK_BOOTTIME`. Used by one thread.
public struct DeadlineTimer: ~Copyable, Sendable {
    public let descriptor: Int32

    public init() throws(SystemCallError) {
        descriptor = clinux_timerfd()
        guard descriptor >= 0 else { throw SystemCallError("timerfd_create") }
    }

    deinit { close(descriptor) }

    /// Arms for `deadline`, in place of any earlier one; nil disarms. A past instant fires at once.
    public borrowing func set(_ deadline: BootInstant?) {
        // 0 would disarm, so the earliest instant that can be asked for is 1 ns after boot.
        let nanoseconds = deadline.map { UInt64(max($0.nanoseconds, 1)) } ?? 0
        let result = clinux_timerfd_set(descriptor, nanoseconds)
        // EINVAL and EBADF are the only errors (timerfd_settime(2)); both would be a bug here, and a
        // deadline that never fires is the one bug this process must not survive.
        precondition(result == 0, "timerfd_settime refused an absolute time")
    }

    public borrowing func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
