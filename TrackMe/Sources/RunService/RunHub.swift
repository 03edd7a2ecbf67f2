public import GatewayModel
import Synchronization

/// Changes of runs for their open pages, and the number of the pages. It keeps nothing of a run.
public final class RunHub: Sendable {
    /// Open pages at one time.
    public static let mostViewers = 5_000
    /// Viewers for each second between two looks: an open page loads its part at each change.
    private static let viewersPerSecond = 500

    private struct State {
        var revisions: [RunID: Int] = [:]
        var viewers = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Reports a committed change. Callable from any thread; never blocks.
    public func changed(_ run: RunID) {
        state.withLock { $0.revisions[run, default: 0] += 1 }
    }

    public func revision(of run: RunID) -> Int { state.withLock { $0.revisions[run] ?? 0 } }

    /// False if there are too many. Else `end` follows.
    public func begin() -> Bool {
        state.withLock { state in
            guard state.viewers < Self.mostViewers else { return false }
            state.viewers += 1
            return true
        }
    }

    public func end() { state.withLock { $0.viewers -= 1 } }

    public var viewers: Int { state.withLock { $0.viewers } }

    /// Time between two changes of a page: a second, and longer with many viewers.
    public var interval: Duration {
        .seconds(max(1, (viewers + Self.viewersPerSecond - 1) / Self.viewersPerSecond))
    }
}
