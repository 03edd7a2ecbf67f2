import Consent
import Contract
import GatewayModel
import Hub
import Logging
import MQTTBridge
import RealTime
import ServiceLifecycle
import Synchronization

/// The session with the broker, for as long as anyone has accepted anything.
///
/// Before that the gateway does not even connect: that this box exists is already a message.
final class BrokerService: Service {
    /// What is left of the 5 s of an orderly stop after the other services had their part.
    static let drain = Duration.seconds(2)

    private struct State {
        var isOpen: Bool
        var isStopping = false
        /// The settings of the session have changed since it was begun, or tried.
        var isOutdated = false
        var session: BrokerSession?
    }

    /// Before another session is tried where one could not be made: somebody has to mend a file.
    private static let pause = Duration.seconds(60)
    private static let glance = Duration.seconds(1)

    private let makeSession: @Sendable () throws -> BrokerSession
    private let onFailure: @Sendable (String) -> Void
    private let announcing: @Sendable ((@Sendable (_ isUrgent: Bool) -> Void)?) -> Void
    private let drain: Duration
    private let state: Mutex<State>
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - drain: how long an orderly stop waits for acknowledgements.
    ///   - announcing: is given what wakes the session when there is something new, and nil when there is none.
    ///   - makeSession: a session is used once; each opening makes a new one.
    ///   - onFailure: why none could be made or run. It is tried again; the other services go on.
    init(
        isOpen: Bool, drain: Duration = BrokerService.drain,
        announcing: @escaping @Sendable ((@Sendable (_ isUrgent: Bool) -> Void)?) -> Void,
        makeSession: @escaping @Sendable () throws -> BrokerSession,
        onFailure: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(isOpen: isOpen))
        self.announcing = announcing
        self.drain = drain
        self.makeSession = makeSession
        self.onFailure = onFailure
        // One pending word is enough: the state says the rest.
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Consent was given for the first time, or the last was withdrawn. From any thread, as often as one likes.
    func setOpen(_ isOpen: Bool) {
        let (isNews, session) = state.withLock { state in
            defer { state.isOpen = isOpen }
            return (state.isOpen != isOpen, isOpen ? nil : state.session)
        }
        guard isNews else { return }
        // Nothing more is to come for somebody who has left.
        session?.stop(drain: .zero, forGood: true)
        changed.yield()
    }

    /// The settings have changed: the session ends in order, and another is made. What is not acknowledged by then is
    /// sent by the other. From any thread.
    func renew() {
        let session = state.withLock { state in
            state.isOutdated = true
            return state.session
        }
        session?.stop(drain: drain)
    }

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            changed.yield()
            for await _ in changes {
                while isWanted { await serve() }
                if state.withLock(\.isStopping) { return }
            }
        } onCancelOrGracefulShutdown: { [self] in
            stop()
        }
    }

    private func stop() {
        let session = state.withLock { state in
            state.isStopping = true
            return state.session
        }
        session?.stop(drain: drain)
        changed.yield()
    }

    private var isWanted: Bool { state.withLock { $0.isOpen && !$0.isStopping } }

    private func serve() async {
        state.withLock { $0.isOutdated = false }
        do {
            let session = try makeSession()
            state.withLock { $0.session = session }
            try await run(session)
        } catch {
            onFailure("\(error)")
            let end = Clock.boot().advanced(by: Self.pause)
            while isWanted, !state.withLock(\.isOutdated), Clock.boot() < end {
                try? await Task.sleep(for: Self.glance)
            }
        }
    }

    private func run(_ session: BrokerSession) async throws {
        // A stop that came between the making and here is not lost: it ends the session at once.
        if !isWanted || state.withLock(\.isOutdated) { session.stop(drain: .zero) }
        announcing { session.wake(urgently: $0) }
        defer {
            announcing(nil)
            state.withLock { $0.session = nil }
        }
        try await session.run()
    }
}
