package import RealTime
import Synchronization

/// Queue of events for watchers, from any thread. While nobody watches, no event is made.
package final class Feed: Sendable {
    /// Watchers are a courtesy: of a flood of events the oldest go first.
    package static let bound = 10_000

    private let events: Mailbox<FeedEvent>
    private let watched = Atomic(false)

    package init() throws(SystemCallError) { events = try Mailbox(bound: Self.bound) }

    /// Set by the thread that tells them.
    package var isWatched: Bool {
        get { watched.load(ordering: .acquiring) }
        set { watched.store(newValue, ordering: .releasing) }
    }

    /// - Parameter event: evaluated only while somebody watches.
    package func put(_ event: @autoclosure () -> FeedEvent) {
        guard isWatched else { return }
        events.put(event())
    }

    /// Readable when there are events.
    package var descriptor: Int32 { events.wakeup.descriptor }

    /// All since the last call, oldest first.
    package func take() -> [FeedEvent] { events.take().values }
}
