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

    init() throws(BrokerError) {
        do {
            wakeup = try Wakeup()
        } catch {
            throw .system(error.description)
        }
    }

    /// Runs a session on a thread of its own. Returns when the thread has ended: after `stop`, or after the task was
    /// cancelled, which stops without a drain. Call it once.
    ///
    /// - Throws: if no thread can be made.
    func run(onThread name: String, _ session: @escaping @Sendable () -> Void) async throws(SystemCallError) {
        begin()
        let thread = try NamedThread(name, body: session)
        await withTaskCancellationHandler {
            await thread.finished()
        } onCancel: {
            stop(by: Clock.boot())
        }
    }

    /// Nil until a stop is asked for; then the instant by which acknowledgements are waited for.
    var stopBy: BootInstant? { wishes.withLock { $0.stopBy } }
    var isStopping: Bool { stopBy != nil }
    /// The broker is to forget the session.
    var isForGood: Bool { wishes.withLock { $0.isForGood } }
    var isUrgent: Bool { wishes.withLock { $0.isUrgent } }

    /// Two threads would share one source and one client id: a mistake in the wiring, found at once.
    private func begin() {
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
