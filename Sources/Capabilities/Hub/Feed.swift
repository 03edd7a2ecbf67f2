package import ControlContract
package import RealTime
import Synchronization

/// Queue of events for watchers, from any thread. While nobody watches, no event is made.
package final class Feed: Sendable {
    /// Watchers are a courtesy: of a flood of events the oldest go first.
    package static let bound = 10_000

    /// Events that are kept for installers: a day of a house with a weak radio.
    private static let mostRows = 200

    private let events: Mailbox<FeedEvent>
    private let rows = Mutex<[EventRow]>([])
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

    /// As `put`, for a rare event: its row is kept in memory for the log of installers. It returns at once.
    package func record(_ event: FeedEvent) {
        if let row = EventRow(event) {
            rows.withLock { rows in
                if rows.count >= Self.mostRows { rows.removeFirst() }
                rows.append(row)
            }
        }
        put(event)
    }

    /// Rows of the last events since the start, the newest first.
    package var recent: [EventRow] { rows.withLock { $0.reversed() } }

    /// Readable when there are events.
    package var descriptor: Int32 { events.wakeup.descriptor }

    /// All since the last call, oldest first.
    package func take() -> [FeedEvent] { events.take().values }
}
