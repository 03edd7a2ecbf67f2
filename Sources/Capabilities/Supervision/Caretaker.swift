package import GatewayModel
import Hub
package import RealTime
import ServiceLifecycle
import Synchronization

/// Care loop: does the once-a-second tasks of the capabilities in their order, on the "care" thread.
///
/// A task may wait for a file or a device, which delays the tasks after it. That is why `Watchdog` has a loop of its own.
package final class Caretaker: Service {
    /// Task that is done about once a second. It must tolerate a pause of any length between two calls.
    package typealias Task = @Sendable (Moment) -> Void

    private static let interval = Duration.seconds(1)

    private let loop: PeriodicLoop

    package init(_ tasks: [Task]) throws(SystemCallError) {
        loop = try PeriodicLoop(
            "care", every: { Self.interval },
            task: { now in
                for task in tasks { task(now) }
            })
    }

    /// Returns a task that is done with this interval at most, the first time at once.
    package static func every(_ interval: Duration, _ task: @escaping Task) -> Task {
        let next = Mutex<BootInstant?>(nil)
        return { now in
            let isDue = next.withLock { next in
                guard now.boot >= next ?? now.boot else { return false }
                next = now.boot.advanced(by: interval)
                return true
            }
            if isDue { task(now) }
        }
    }

    package func run() async throws {
        try await ThreadService(run: loop.run, stop: loop.stop).run()
    }
}
