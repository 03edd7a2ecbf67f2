import GatewayModel
package import Hub
package import RealTime
import ServiceLifecycle
import Synchronization

/// Care loop: does the care tasks of the capabilities in their order, about once a second, on the thread "care".
///
/// A task may wait for a file or a device, which delays the tasks after it. That is why `Watchdog` has a loop of its own.
package final class Caretaker: Service {
    private static let interval = Duration.seconds(1)

    private let loop: PeriodicLoop

    package init(_ tasks: [CareTask]) throws(SystemCallError) {
        let due = Mutex([BootInstant?](repeating: nil, count: tasks.count))
        loop = try PeriodicLoop(
            "care", every: { Self.interval },
            task: { now in
                for (index, task) in tasks.enumerated() {
                    let isDue = due.withLock { due in
                        guard now.boot >= due[index] ?? now.boot else { return false }
                        due[index] = now.boot.advanced(by: task.interval)
                        return true
                    }
                    if isDue { task.body(now) }
                }
            })
    }

    package func run() async throws {
        try await ThreadService(run: loop.run, stop: loop.stop).run()
    }
}
