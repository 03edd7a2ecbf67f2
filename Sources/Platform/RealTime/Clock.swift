internal import CLinux
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
