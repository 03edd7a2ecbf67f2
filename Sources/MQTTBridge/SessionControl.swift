import GatewayModel
import RealTime
import Synchronization

/// What other threads want of the mqtt thread.
final class SessionControl: Sendable {
    private struct Wishes {
        var stopBy: BootInstant?
        var isUrgent = false
        var hasBegun = false
    }

    let wakeup: Wakeup
    private let wishes = Mutex(Wishes())

    init() throws(SystemCallError) {
        wakeup = try Wakeup()
    }

    /// Nil until a stop is asked for; then the instant by which acknowledgements are waited for.
    var stopBy: BootInstant? { wishes.withLock { $0.stopBy } }
    var isStopping: Bool { stopBy != nil }
    var isUrgent: Bool { wishes.withLock { $0.isUrgent } }

    /// Two threads would share one source and one client id: a mistake in the wiring, found at once.
    func begin() {
        let isFirst = wishes.withLock { wishes in
            defer { wishes.hasBegun = true }
            return !wishes.hasBegun
        }
        precondition(isFirst, "a broker session runs once")
    }

    func wake(urgently: Bool) {
        if urgently { wishes.withLock { $0.isUrgent = true } }
        wakeup.signal()
    }

    func clearUrgency() {
        wishes.withLock { $0.isUrgent = false }
    }

    /// A second call can only bring the end nearer.
    func stop(by instant: BootInstant) {
        wishes.withLock { $0.stopBy = min($0.stopBy ?? instant, instant) }
        wakeup.signal()
    }
}
