import ControlContract
import ControlLink
import GatewayModel
import Glibc
import RealTime
import Synchronization

/// The newest state of the gateway, from one connection whatever the number of visitors. From any thread.
final class HouseFeed: Sendable {
    /// A page says within 3 s that it has lost the box.
    private static let lostAfter = Duration.milliseconds(2_500)
    /// A page that waits for the gateway shows it again within 2 s of its return. A socket of this machine costs nothing.
    private static let pauses = Backoff(first: .milliseconds(250), limit: .milliseconds(500))

    private struct State {
        var house: HouseSnapshot?
        var arrived: BootInstant?
        var connections = 0
    }

    private let socket: String
    private let state = Mutex(State())

    /// - Parameter socket: path of the gateway's socket for the console.
    init(socket: String) { self.socket = socket }

    /// The state; nil while the gateway does not answer.
    func house(at now: BootInstant) -> HouseSnapshot? {
        state.withLock { state in
            guard let arrived = state.arrived, arrived.duration(to: now) < Self.lostAfter else { return nil }
            return state.house
        }
    }

    /// The last state, however old; nil before the first one.
    var lastHouse: HouseSnapshot? { state.withLock(\.house) }

    /// Connections so far that have brought a state.
    var connections: Int { state.withLock(\.connections) }

    /// Reads states until the process ends; body of a thread.
    ///
    /// - Parameter onState: called with each state on this thread; must return soon.
    func run(onState: (HouseSnapshot) -> Void) -> Never {
        var pauses = Self.pauses
        var jitter = Jitter(seed: UInt64(bitPattern: Int64(getpid())))
        while true {
            if follow(onState) { pauses.reset() }
            usleep(UInt32(clamping: pauses.next(using: &jitter).wholeMilliseconds * 1_000))
        }
    }

    /// Reads states until the connection ends. Returns whether a state came.
    ///
    /// Not a part of `run`: the optimiser of Swift 6.3 does not end on a loop within a loop that never ends.
    @inline(never)
    private func follow(_ onState: (HouseSnapshot) -> Void) -> Bool {
        var hasState = false
        do {
            var client = try ControlClient(path: socket, limit: .seconds(3))
            try client.send(Verb.Follow())
            while let line = try client.nextLine() {
                guard let house = try? ControlJSON.decode(HouseSnapshot.self, from: line) else { break }
                let now = Clock.boot()
                state.withLock { state in
                    (state.house, state.arrived) = (house, now)
                    if !hasState { state.connections += 1 }
                }
                hasState = true
                onState(house)
            }
        } catch {
            // The pages say that the box does not answer.
        }
        return hasState
    }

    /// Asks for an act of a session. Blocks until the gateway has answered, 5 s at most.
    func ask<Request: ControlVerb>(
        _ request: Request, for session: ControlSession
    ) throws -> ControlReply<Request.Document> {
        var client = try ControlClient(path: socket, limit: .seconds(5))
        return try client.ask(request, for: session)
    }

    /// As `ask`, for an act of any verb.
    func carryOut(_ act: some ControlVerb, for session: ControlSession) throws -> ControlReply<NoDocument> {
        try ask(act, for: session).withoutDocument
    }
}
