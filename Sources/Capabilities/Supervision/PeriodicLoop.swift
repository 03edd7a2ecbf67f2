import GatewayModel
import RealTime

/// Loop on a thread of its own that does a task at intervals, the first time after one interval.
final class PeriodicLoop: Sendable {
    private let name: String
    private let interval: @Sendable () -> Duration
    private let task: @Sendable (Moment) -> Void
    private let stopping: Wakeup

    /// - Parameters:
    ///   - name: name of the thread.
    ///   - interval: returns the pause before the next task. Called on the thread.
    ///   - task: called on the thread.
    init(
        _ name: String, every interval: @escaping @Sendable () -> Duration,
        task: @escaping @Sendable (Moment) -> Void
    ) throws(SystemCallError) {
        (self.name, self.interval, self.task) = (name, interval, task)
        stopping = try Wakeup()
    }

    /// Runs until `stop`. Once.
    func run() async throws {
        await (try NamedThread(name) { [self] in loop() }).finished()
    }

    /// Ends the loop; a task that is underway is completed. From any thread.
    func stop() {
        stopping.signal()
    }

    private func loop() {
        while true {
            let seen = Poll.wait([Poll.Interest(stopping.descriptor)], timeout: interval())
            guard seen.readable.first != true else { return }
            task(Clock.moment())
        }
    }
}
