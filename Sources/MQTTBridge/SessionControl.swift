import GatewayModel
import RealTime
import Synchronization

/// What other threads want of the mqtt thread.
final class SessionControl: Sendable {
    private struct Wishes {
        var stopBy: BootInstant?
        var isForGood = false
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
    /// The broker is to forget the session.
    var isForGood: Bool { wishes.withLock { $0.isForGood } }
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
    func stop(by instant: BootInstant, forGood: Bool = false) {
        wishes.withLock { wishes in
            wishes.stopBy = min(wishes.stopBy ?? instant, instant)
            wishes.isForGood = wishes.isForGood || forGood
        }
        wakeup.signal()
    }
}
