public import GatewayModel
public import Logging
public import ServiceLifecycle
import Synchronization

/// Sessions with the broker that receive calls for help. A call needs one of them.
public final class BrokerPresence: Sendable {
    private let sessions = Mutex<[String: Bool]>([:])

    public init() {}

    /// Reports a session by its name. Callable from any thread; never blocks.
    public func report(_ session: String, receives: Bool) {
        sessions.withLock { $0[session] = receives }
    }

    /// Nil before the first report.
    public var isThere: Bool? { sessions.withLock { $0.isEmpty ? nil : $0.values.contains(true) } }
}

/// Looks every second whether calls can arrive, and every five for calls that their holders have left alone; tells the open
/// pages. Each server has its own.
public struct ArrivalService: Service {
    /// A page shows a fault within 5 s: two intervals and the limit of the database.
    private static let interval = Duration.seconds(1)
    private static let databaseLimit = Duration.seconds(2)
    /// Time in which a new server has not joined the broker yet.
    private static let patience = Duration.seconds(5)
    private static let untouchedInterval = Duration.seconds(5)

    private let hub: DeskHub
    private let broker: BrokerPresence
    private let newest: @Sendable () async throws -> WallTime?
    private let openCalls: @Sendable () async throws -> [EmergencyCall]
    private let clock: @Sendable () -> WallTime
    private let logger: Logger

    /// - Parameter newest: asks the database for the arrival of the newest message of a house.
    public init(
        hub: DeskHub, broker: BrokerPresence, logger: Logger, clock: @escaping @Sendable () -> WallTime,
        newest: @escaping @Sendable () async throws -> WallTime?,
        openCalls: @escaping @Sendable () async throws -> [EmergencyCall]
    ) {
        (self.hub, self.broker, self.newest, self.openCalls) = (hub, broker, newest, openCalls)
        (self.clock, self.logger) = (clock, logger)
    }

    public func run() async throws {
        let answers = Answers()
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                // By itself: a database that hangs must not hold up the word of it.
                group.addTask {
                    while !Task.isCancelled {
                        do { answers.record(try await newest()) } catch {}
                        try? await Task.sleep(for: Self.interval)
                    }
                }
                group.addTask { await lookForUntouched() }
                group.addTask { await look(answers) }
            }
        }
    }

    /// Answers of the database.
    private final class Answers: Sendable {
        private let state = Mutex<(last: ContinuousClock.Instant, newest: WallTime?)>((.now, nil))

        func record(_ newest: WallTime?) {
            state.withLock { $0 = (.now, newest ?? $0.newest) }
        }

        var age: Duration { state.withLock { ContinuousClock.now - $0.last } }
        var newest: WallTime? { state.withLock(\.newest) }
    }

    private func look(_ answers: Answers) async {
        let start = ContinuousClock.now
        while !Task.isCancelled {
            let isNew = ContinuousClock.now - start < Self.patience
            let arrival = CallArrival(
                isBrokerThere: broker.isThere ?? (isNew ? nil : false),
                isDatabaseThere: answers.age < Self.interval + Self.databaseLimit, newest: answers.newest)
            if arrival.obstacles != hub.arrival.obstacles {
                logger.notice(
                    "the arrival of calls at the desk has changed",
                    metadata: ["obstacles": "\(arrival.obstacles.map(\.rawValue))"])
            }
            hub.looked(arrival)
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Tells the pages of calls that their holders have left alone.
    private func lookForUntouched() async {
        var known: Set<CallID> = []
        while !Task.isCancelled {
            if let calls = try? await openCalls() {
                let now = clock()
                let found = Set(calls.filter { $0.isUntouched(at: now) }.map(\.id))
                if !found.isSubset(of: known) { hub.changed([.untouched]) }
                known = found
            }
            try? await Task.sleep(for: Self.untouchedInterval)
        }
    }
}
