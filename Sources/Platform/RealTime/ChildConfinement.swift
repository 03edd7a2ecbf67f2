import CLinux
import Glibc

/// The limits that a child of the daemon sets for itself, before it looks at a byte from outside.
public enum ChildConfinement {
    /// Signals to the whole control group or terminal that only the daemon answers. A child starts with them blocked.
    public static let signalsOfTheDaemon = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// Applies to the calling process. A bound that the system refuses is left out: each of these makes the child
    /// safer, and none is needed for its work.
    ///
    /// - It is killed when its parent ends, and writes no core, which would hold what it was sent.
    /// - It has no capability: those that the unit gives are for the daemon's radio.
    /// - It is the first to go where memory is short: its `oom_score_adj` is 0, the daemon's is far below.
    /// - It ignores `signalsOfTheDaemon`, and SIGPIPE.
    /// - Parameter dataLimit: bytes of writable private memory, stacks of threads included. Above it an allocation
    ///   fails.
    public static func apply(dataLimit: UInt64) {
        _ = clinux_end_with_parent()
        _ = clinux_limit_memory(0, dataLimit)
        _ = clinux_drop_capabilities()
        let score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        if score >= 0 {
            _ = write(score, "0", 1)
            close(score)
        }
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in signalsOfTheDaemon {
            signal(number, SIG_IGN)
            sigaddset(&mask, number)
        }
        signal(SIGPIPE, SIG_IGN)
        sigprocmask(SIG_UNBLOCK, &mask, nil)
    }
}
