package import GatewayModel
import Hub
package import RealTime
import ServiceLifecycle
import Synchronization
import Systemd

/// Tells systemd the state, and feeds its watchdog while the SOS thread completes rounds.
///
/// A loop of its own, beside the care loop: a file or a device that hangs holds up the care loop for any time, and must
/// neither stop the feeding nor hide a silent wearable. The tasks of this loop wait for nothing.
package final class Watchdog: Service {
    /// As often as a silence limit of seconds needs, and well under any sensible `WatchdogSec=`.
    private static let interval = Duration.seconds(1)
    /// Until the first round of the SOS thread: start-up is not kept waiting for a whole interval.
    private static let startInterval = Duration.milliseconds(20)

    private final class Seen: Sendable {
        let state = Mutex((rounds: 0, summary: ""))
        var hasStarted: Bool { state.withLock { $0.rounds > 0 } }
    }

    private let loop: PeriodicLoop

    /// - Parameters:
    ///   - completedRounds: returns how many rounds the SOS thread has completed.
    ///   - summary: returns one line for `systemctl status`, which names nobody.
    ///   - tasks: done before each feeding, about once a second; each must wait for nothing.
    package init(
        completedRounds: @escaping @Sendable () -> Int, summary: @escaping @Sendable () -> String,
        tasks: [@Sendable (Moment) -> Void]
    ) throws(SystemCallError) {
        let seen = Seen()
        loop = try PeriodicLoop(
            "watchdog", every: { seen.hasStarted ? Self.interval : Self.startInterval },
            task: { now in
                for task in tasks { task(now) }
                Self.feed(completedRounds(), summary, seen)
            })
    }

    private static func feed(_ rounds: Int, _ summary: () -> String, _ seen: Seen) {
        seen.state.withLock { last in
            guard rounds != last.rounds else { return }
            if last.rounds == 0 { ServiceNotifier.ready() }
            last.rounds = rounds
            ServiceNotifier.watchdog()
            let words = summary()
            if words != last.summary { ServiceNotifier.status(words) }
            last.summary = words
        }
    }

    package func run() async throws {
        try await ThreadService(run: loop.run, stop: loop.stop).run()
        ServiceNotifier.stopping()
    }
}
