import RealTime
import Synchronization

/// Asks a polling loop to end: set from any thread, seen by the loop, which polls `wakeup`.
final class StopRequest: Sendable {
    let wakeup: Wakeup
    private let requested = Atomic(false)

    init() throws(SystemCallError) { wakeup = try Wakeup() }

    var isRequested: Bool { requested.load(ordering: .acquiring) }

    /// The descriptor is never drained: once asked, a wait for it ends at once.
    func request() {
        requested.store(true, ordering: .releasing)
        wakeup.signal()
    }
}
