public import GatewayModel
import Synchronization

/// Open pages of runs: their number, the changes of the runs, and the newest frame of each run that somebody watches. A
/// page that is behind gets the newest frame alone.
public final class RunHub: Sendable {
    /// Open pages at one time, unless another limit is given.
    public static let mostViewers = 5_000
    /// Pages that load their part anew for each second: all do so when the standings change.
    private static let loadsPerSecond = 500

    /// Counts of the changes of a run since the start of this process.
    public struct Marks: Hashable, Sendable {
        public fileprivate(set) var changes = 0
        /// Changes that remove something of a runner: a page must not show it a second longer.
        public fileprivate(set) var withdrawals = 0
    }

    /// News of a run for one page.
    public struct News: Hashable, Sendable {
        /// Newest frame, unless the page has it.
        public let frame: [UInt8]?
        /// The standings have changed: the page loads its part.
        public let isChanged: Bool
    }

    private struct Page {
        let wake: @Sendable () -> Void
        /// Numbers of the last frame and the last change that the page has taken.
        var frame = 0
        var standings = 0
    }

    private struct Watched {
        var pages: [Int: Page] = [:]
        /// With its number, from 1.
        var frame: (number: Int, bytes: [UInt8]?) = (0, nil)
        /// A page that opens is behind: it was made some time before.
        var standings = 1
    }

    private struct State {
        var marks: [RunID: Marks] = [:]
        /// Changes that may be of any run, and may be withdrawals.
        var ofAny = 0
        var watched: [RunID: Watched] = [:]
        var next = 0
        var viewers = 0
    }

    private let most: Int
    private let state = Mutex(State())
    private let share: @Sendable (_ run: RunID, _ isWithdrawal: Bool) -> Void

    /// - Parameters:
    ///   - most: open pages at one time.
    ///   - share: tells the other servers of the database of a change. Must not block.
    public init(
        most: Int = RunHub.mostViewers,
        share: @escaping @Sendable (_ run: RunID, _ isWithdrawal: Bool) -> Void = { _, _ in }
    ) {
        (self.most, self.share) = (most, share)
    }

    /// Reports a committed change of this server. Callable from any thread; never blocks.
    ///
    /// - Parameter isWithdrawal: it removes something of a runner.
    public func changed(_ run: RunID, isWithdrawal: Bool = false) {
        reported(run, isWithdrawal: isWithdrawal)
        share(run, isWithdrawal)
    }

    /// Another server reports a change. Callable from any thread; never blocks.
    ///
    /// - Parameter isWithdrawal: it removes something of a runner.
    public func reported(_ run: RunID, isWithdrawal: Bool) {
        state.withLock { state in
            state.marks[run, default: Marks()].changes += 1
            guard isWithdrawal else { return }
            state.marks[run]?.withdrawals += 1
            // A page that opens now must not get it.
            state.watched[run]?.frame.bytes = nil
        }
    }

    /// Reports that changes of other servers may have been missed. Callable from any thread; never blocks.
    public func mayHaveMissedChanges() {
        state.withLock { state in
            state.ofAny += 1
            for run in state.watched.keys { state.watched[run]?.frame.bytes = nil }
        }
    }

    public func marks(of run: RunID) -> Marks {
        state.withLock { state in
            var marks = state.marks[run] ?? Marks()
            marks.changes += state.ofAny
            marks.withdrawals += state.ofAny
            return marks
        }
    }

    /// Runs with an open page.
    public var watched: [RunID] { state.withLock { Array($0.watched.keys) } }

    public var viewers: Int { state.withLock { $0.viewers } }

    /// Time over which the pages spread their loads after a change.
    public var spread: Duration {
        .seconds((viewers + Self.loadsPerSecond - 1) / Self.loadsPerSecond)
    }

    /// Hands a frame and a change to the pages of a run. Never blocks.
    ///
    /// - Parameters:
    ///   - frame: nil if it is the same as the last one.
    ///   - isChange: the standings have changed.
    public func publish(_ frame: [UInt8]?, isChange: Bool, of run: RunID) {
        guard frame != nil || isChange else { return }
        let wakes = state.withLock { state -> [@Sendable () -> Void] in
            guard var watched = state.watched[run] else { return [] }
            if let frame { watched.frame = (watched.frame.number + 1, frame) }
            if isChange { watched.standings += 1 }
            state.watched[run] = watched
            return watched.pages.values.map(\.wake)
        }
        for wake in wakes { wake() }
    }

    /// Opens a page until its `close`. Nil if there are too many.
    ///
    /// - Parameter wake: tells the page that there are news, now and later. Must not block.
    public func open(_ run: RunID, wake: @escaping @Sendable () -> Void) -> OpenPage? {
        let number = state.withLock { state -> Int? in
            guard state.viewers < most else { return nil }
            state.viewers += 1
            state.next += 1
            state.watched[run, default: Watched()].pages[state.next] = Page(wake: wake)
            return state.next
        }
        guard let number else { return nil }
        wake()
        return OpenPage(hub: self, run: run, number: number)
    }

    /// One open page of a run.
    public struct OpenPage: Sendable {
        fileprivate let hub: RunHub
        fileprivate let run: RunID
        fileprivate let number: Int

        /// Returns the news since the last call; nil if there are none.
        public func news() -> News? {
            hub.state.withLock { state in
                guard let watched = state.watched[run], var page = watched.pages[number] else { return nil }
                let frame = page.frame < watched.frame.number ? watched.frame.bytes : nil
                let isChanged = page.standings < watched.standings
                (page.frame, page.standings) = (watched.frame.number, watched.standings)
                state.watched[run]?.pages[number] = page
                return frame != nil || isChanged ? News(frame: frame, isChanged: isChanged) : nil
            }
        }

        public func close() {
            hub.state.withLock { state in
                guard state.watched[run]?.pages.removeValue(forKey: number) != nil else { return }
                state.viewers -= 1
                if state.watched[run]?.pages.isEmpty == true { state.watched[run] = nil }
            }
        }
    }
}
