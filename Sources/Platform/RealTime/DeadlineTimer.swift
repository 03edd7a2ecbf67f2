import CLinux
public import GatewayModel
import Glibc

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
