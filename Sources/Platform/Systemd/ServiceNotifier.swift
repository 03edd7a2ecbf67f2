import CSystemd
import Glibc

/// What the service manager is told (sd_notify(3)). Does nothing where the process was not started by
/// systemd with `NotifyAccess=`. From any thread; sends one datagram and does not wait for an answer.
public enum ServiceNotifier {
    public static func ready() { notify("READY=1") }

    /// The settings are being read again, until `ready()`.
    public static func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
    }

    public static func stopping() { notify("STOPPING=1") }

    /// One line for `systemctl status`. Must name no person: it is world-readable.
    public static func status(_ text: String) {
        // A line break would begin another assignment.
        notify("STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    /// To be sent at least once each `watchdogInterval`; half of it leaves room.
    public static func watchdog() { notify("WATCHDOG=1") }

    /// `WatchdogSec=` of the unit; nil where systemd expects no sign of life from this process.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    private static func notify(_ state: String) {
        // A failure is not reported: there is nobody but the service manager to tell, and a missed
        // READY or WATCHDOG is something it acts on itself.
        _ = sd_notify(0, state)
    }
}
