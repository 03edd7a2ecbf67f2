import MQTTBridge
import Synchronization

/// Switch of a session with a broker: whether a session is wanted, and the one that runs now.
///
/// Every part that opens, closes, renews or wakes the session holds it from the start of the gateway. `BrokerService`
/// runs the sessions. From any thread; no call waits.
package final class BrokerSwitch: Sendable {
    private struct State {
        var isOpen: Bool
        var isStopping = false
        /// The settings of the session changed after it began, or after the last attempt to begin it.
        var isOutdated = false
        var session: BrokerSession?
    }

    /// Time that an orderly stop of the session waits for acknowledgements.
    private let drain: Duration
    private let state: Mutex<State>
    /// Yields after each change. One pending element is enough: the state is read after it.
    let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    /// Part of the 5 s of an orderly stop that the other services leave to the session.
    package static let standardDrain = Duration.seconds(2)

    /// - Parameter drain: time that an orderly stop waits for acknowledgements.
    package init(isOpen: Bool, drain: Duration = BrokerSwitch.standardDrain) {
        state = Mutex(State(isOpen: isOpen))
        self.drain = drain
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        changed.yield()
    }

    /// Opens or closes the session. A session that is closed is not drained: its broker gets nothing more, and forgets it.
    package func setOpen(_ isOpen: Bool) {
        let (isNews, session) = state.withLock { state in
            defer { state.isOpen = isOpen }
            return (state.isOpen != isOpen, isOpen ? nil : state.session)
        }
        guard isNews else { return }
        session?.stop(drain: .zero, forGood: true)
        changed.yield()
    }

    /// Ends the session in order, and has another one made by the settings of now. The new session sends the messages that
    /// were not acknowledged.
    package func renew() {
        let session = state.withLock { state in
            state.isOutdated = true
            return state.session
        }
        session?.stop(drain: drain)
    }

    /// Wakes the session that runs, if there is one: its source has a new message.
    ///
    /// - Parameter isUrgent: an alarm waits.
    package func wake(isUrgent: Bool) {
        state.withLock(\.session)?.wake(urgently: isUrgent)
    }

    // MARK: For the service that runs the sessions

    var isWanted: Bool { state.withLock { $0.isOpen && !$0.isStopping } }
    var isStopping: Bool { state.withLock(\.isStopping) }
    var isOutdated: Bool { state.withLock(\.isOutdated) }

    func stop() {
        let session = state.withLock { state in
            state.isStopping = true
            return state.session
        }
        session?.stop(drain: drain)
        changed.yield()
    }

    /// The settings are read next.
    func beginAttempt() {
        state.withLock { $0.isOutdated = false }
    }

    /// - Parameter session: nil when the last one has ended.
    func setSession(_ session: BrokerSession?) {
        state.withLock { $0.session = session }
    }
}
