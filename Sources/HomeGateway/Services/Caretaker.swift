import GatewayModel
import Hub
import RealTime
import ServiceLifecycle

/// Care loop: does the once-a-second tasks of the capabilities in their order, on the "care" thread.
///
/// A task may wait for a file or a device, which delays the tasks after it. That is why `Watchdog` has a loop of its own.
final class Caretaker: Service {
    /// Task that is done about once a second. It must tolerate a pause of any length between two calls.
    typealias Task = @Sendable (Moment) -> Void

    private static let interval = Duration.seconds(1)

    private let loop: PeriodicLoop

    init(_ tasks: [Task]) throws(SystemCallError) {
        loop = try PeriodicLoop("care", every: { Self.interval }) { now in
            for task in tasks { task(now) }
        }
    }

    func run() async throws {
        try await ThreadService(run: loop.run, stop: loop.stop).run()
    }
}
