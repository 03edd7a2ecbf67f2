import GatewayModel
import Hub
import RealTime
import ServiceLifecycle
import Synchronization
import Systemd

/// Once a second: looks at every wearable's silence, tells systemd the state, and feeds its watchdog
/// for as long as the SOS thread completes rounds.
final class Supervisor: Service {
    /// What it looks at and tells.
    struct Surroundings: Sendable {
        let completedRounds: @Sendable () -> Int
        let set: @Sendable (HealthCondition, Bool) -> Void
        /// An alarm that waits for the broker must not wait out a long pause between attempts.
        let hurryAlarms: @Sendable () -> Void
        /// One line for `systemctl status`; names nobody.
        let summary: @Sendable () -> String
    }

    /// As often as a silence limit of seconds needs, and well under any sensible `WatchdogSec=`.
    private static let interval = Duration.seconds(1)
    /// Until the first round of the SOS thread: start-up is not kept waiting for a whole interval.
    private static let startInterval = Duration.milliseconds(20)

    private let supervision: Mutex<WearableSupervision>
    private let beacons: Mutex<BeaconSupervision>
    private let surroundings: Surroundings

    init(supervision: WearableSupervision, beacons: BeaconSupervision, surroundings: Surroundings) {
        self.supervision = Mutex(supervision)
        self.beacons = Mutex(beacons)
        self.surroundings = surroundings
    }

    /// What the radio reports, on its thread.
    func note(_ event: @Sendable (inout WearableSupervision) -> [HealthChange]) {
        tell(supervision.withLock { event(&$0) })
    }

    /// What is heard by advertising, on the hearer's thread.
    func noteBeacon(_ event: @Sendable (inout BeaconSupervision) -> [HealthChange]) {
        tell(beacons.withLock { event(&$0) })
    }

    private func tell(_ changes: [HealthChange]) {
        for change in changes { surroundings.set(change.condition, change.holds) }
    }

    func run() async throws {
        // Shutting down cancels the sleep, so the first to stop stops at once.
        await cancelWhenGracefulShutdown { [self] in await watch() }
        ServiceNotifier.stopping()
    }

    private func watch() async {
        var seenRounds = 0
        var lastSummary = ""
        while !Task.isCancelled {
            try? await Task.sleep(for: seenRounds == 0 ? Self.startInterval : Self.interval)
            note { $0.tick(at: Clock.boot()) }
            noteBeacon { $0.tick(at: Clock.boot()) }
            surroundings.hurryAlarms()
            let rounds = surroundings.completedRounds()
            guard rounds != seenRounds else { continue }
            if seenRounds == 0 { ServiceNotifier.ready() }
            seenRounds = rounds
            ServiceNotifier.watchdog()
            let summary = surroundings.summary()
            if summary != lastSummary { ServiceNotifier.status(summary) }
            lastSummary = summary
        }
    }
}
