internal import CLinux
public import GatewayModel
import Glibc

/// One look at the kernel's clocks, and at what it says of who keeps its wall clock right (adjtimex(2)).
public struct KernelClock: Hashable, Sendable {
    /// Who keeps the wall clock right.
    public enum Discipline: Hashable, Sendable {
        /// Nobody, or nobody any more: the kernel says so where no program has told it better for long.
        case none
        /// A program, as a rule by NTP.
        case program
        /// The kernel itself, by a pulse a second (STA_PPSTIME).
        case pulse
    }

    /// `CLOCK_BOOTTIME`.
    public let boot: BootInstant
    /// `CLOCK_REALTIME` at that instant, nanoseconds since 1970.
    public let wall: Int64
    /// Between which the wall clock was read.
    public let spread: Duration
    public let discipline: Discipline
    /// What the program that keeps it right says that it is wrong by at most; the kernel adds 500 ppm as time goes by.
    /// systemd-timesyncd says 0 each time it has asked.
    public let maximumError: Duration
    /// What that program guesses that it is wrong by.
    public let estimatedError: Duration

    /// Of three readings the one that was interrupted least.
    public static func look() -> KernelClock {
        let pair = (0..<3).map { _ in Pair() }.min { $0.spread < $1.spread } ?? Pair()
        var state = clinux_clock_state()
        clinux_clock_state_read(&state)
        return KernelClock(
            boot: BootInstant(nanoseconds: pair.boot), wall: pair.wall, spread: .nanoseconds(pair.spread),
            discipline: state.is_synchronised == 0 ? .none : state.is_by_pulse == 0 ? .program : .pulse,
            maximumError: .microseconds(state.maximum_error),
            estimatedError: .microseconds(state.estimated_error))
    }

    /// The wall clock between two readings of the boot clock.
    private struct Pair {
        let boot, wall, spread: Int64

        init() {
            let before = Self.nanoseconds(CLOCK_BOOTTIME)
            wall = Self.nanoseconds(CLOCK_REALTIME)
            let after = Self.nanoseconds(CLOCK_BOOTTIME)
            (boot, spread) = (before + (after - before) / 2, after - before)
        }

        private static func nanoseconds(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            // Cannot fail for these two clocks with a valid pointer (clock_gettime(2)).
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }
}
