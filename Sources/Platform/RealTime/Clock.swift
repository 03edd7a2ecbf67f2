import CLinux
public import GatewayModel
import Glibc

/// The two clocks of the machine. Read only at the edges; the domain is given instants.
public enum Clock {
    /// `CLOCK_BOOTTIME` now.
    public static func boot() -> BootInstant {
        let time = read(CLOCK_BOOTTIME)
        return BootInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// `CLOCK_REALTIME` now.
    public static func wall() -> WallTime {
        let time = read(CLOCK_REALTIME)
        return WallTime(millisecondsSince1970: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Both, read one after the other.
    public static func moment() -> Moment {
        Moment(boot: boot(), wall: wall())
    }

    /// Whether the kernel says that somebody keeps its wall clock right (adjtimex(2)).
    public static var isSynchronised: Bool { clinux_clock_is_synchronised() == 1 }

    /// When this program was built, a day early: no clock that is right says less.
    public static var built: WallTime { WallTime(millisecondsSince1970: clinux_build_day() * 1_000) }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // Cannot fail for these two clocks with a valid pointer (clock_gettime(2)).
        clock_gettime(clock, &time)
        return time
    }
}

/// Which start of the machine this is.
public enum Boot {
    /// The kernel's id of this boot, a UUID (random(4)). Where it cannot be read, one that matches no other:
    /// a comparison then takes the time in between for unknown, which is the safe side.
    public static func id() -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "unknown-\(Clock.boot().nanoseconds)" }
        defer { close(descriptor) }
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        let id = text.prefix { $0.isHexDigit || $0 == "-" }
        return id.isEmpty ? "unknown-\(Clock.boot().nanoseconds)" : String(id)
    }
}

/// One look at the kernel's clocks, and at its record of the program that disciplines its wall clock
/// (adjtimex(2)).
public struct KernelClock: Hashable, Sendable {
    /// Program that disciplines the wall clock.
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
    /// Maximum error, as the disciplining program states it; the kernel adds 500 ppm as time goes by.
    /// systemd-timesyncd says 0 each time it has asked.
    public let maximumError: Duration
    /// Estimated error, as that program states it.
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
