public import GatewayModel
import Synchronization

/// Fan-out of changes of the desk to its open pages, and its attendance. It keeps no call: a page reads the store.
public final class DeskHub: Sendable {
    /// Change of the board. A page that is behind gets the newest only, so `alert` says the most urgent alert since the
    /// last one that the page has taken.
    public struct News: Hashable, Sendable {
        public let revision: Int
        public let alert: EmergencyCall.Alert?
    }

    /// Open pages at one time.
    public static let mostPages = 500

    private struct Page {
        let dispatcher: Dispatcher
        /// Somebody can see it: it counts as attendance.
        let isInView: Bool
        let wake: @Sendable () -> Void
        var revision: Int
        var alert: EmergencyCall.Alert?
    }

    private struct State {
        var revision = 0
        var next = 0
        var pages: [Int: Page] = [:]
        var attendance: DeskAttendance
        var arrival = CallArrival(isBrokerThere: nil, isDatabaseThere: true, newest: nil)
        var signals: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state: Mutex<State>
    private let clock: @Sendable () -> BootInstant

    /// - Parameter clock: monotonic.
    public init(clock: @escaping @Sendable () -> BootInstant) {
        self.clock = clock
        state = Mutex(State(attendance: DeskAttendance(start: clock())))
    }

    /// Signal of each change, for work that a change may bring. Changes that follow each other closely give one signal.
    public func signals() -> AsyncStream<Void> {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.signals[state.next] = signal
            return state.next
        }
        signal.onTermination = { [weak self] _ in
            guard let self else { return }
            _ = state.withLock { $0.signals.removeValue(forKey: number) }
        }
        return stream
    }

    /// Reports a committed change of this server or of another one. Callable from any thread; never blocks.
    public func changed(_ alerts: [EmergencyCall.Alert] = []) {
        for signal in state.withLock({ Array($0.signals.values) }) { signal.yield(()) }
        let wakes = state.withLock { state in
            state.revision += 1
            state.pages = state.pages.mapValues { page in
                var page = page
                page.alert = alerts.reduce(page.alert) { Self.moreUrgent($0, $1) }
                return page
            }
            return state.pages.values.map(\.wake)
        }
        for wake in wakes { wake() }
    }

    private static func moreUrgent(_ left: EmergencyCall.Alert?, _ right: EmergencyCall.Alert)
        -> EmergencyCall.Alert
    {
        func rank(_ alert: EmergencyCall.Alert?) -> Int {
            switch alert {
            case nil: 0
            case .overWhileTaken: 1
            case .untouched: 2
            case .repeated: 3
            case .newCall: 4
            }
        }
        return rank(left) > rank(right) ? left ?? right : right
    }

    /// Opens a page, which counts as attendance until its `close` if it is in view. Nil if there are too many pages.
    ///
    /// - Parameters:
    ///   - isInView: false for a tab in the background, which rings and is looked at by nobody.
    ///   - wake: tells the page that there may be news, now, at each change and at each look at the arrival of calls. Must
    ///     not block.
    public func open(
        by dispatcher: Dispatcher, isInView: Bool = true, wake: @escaping @Sendable () -> Void
    ) -> OpenPage? {
        let number = state.withLock { state -> Int? in
            guard state.pages.count < Self.mostPages else { return nil }
            state.next += 1
            let number = state.next
            state.pages[number] = Page(
                dispatcher: dispatcher, isInView: isInView, wake: wake, revision: -1)
            if isInView { state.attendance.opened(by: dispatcher, at: clock()) }
            return number
        }
        // The page shows the present board first.
        wake()
        return number.map { OpenPage(hub: self, number: $0) }
    }

    /// One open page of the desk.
    public struct OpenPage: Sendable {
        private let hub: DeskHub
        private let number: Int

        fileprivate init(hub: DeskHub, number: Int) { (self.hub, self.number) = (hub, number) }

        /// Returns the changes since the last call; nil if there are none.
        public func news() -> News? {
            hub.state.withLock { state in
                guard var page = state.pages[number], page.revision != state.revision else { return nil }
                defer { state.pages[number] = page }
                let alert = page.alert
                (page.revision, page.alert) = (state.revision, nil)
                return News(revision: state.revision, alert: alert)
            }
        }

        public func close() {
            hub.state.withLock { state in
                guard let page = state.pages.removeValue(forKey: number), page.isInView else { return }
                state.attendance.closed(by: page.dispatcher, at: hub.clock())
            }
        }
    }

    /// Whether calls can arrive, as of the last look.
    public var arrival: CallArrival { state.withLock(\.arrival) }

    /// Reports a look at the arrival of calls to the open pages. Callable from any thread; never blocks.
    public func looked(_ arrival: CallArrival) {
        let wakes = state.withLock { state in
            state.arrival = arrival
            return state.pages.values.map(\.wake)
        }
        for wake in wakes { wake() }
    }

    /// See `DeskAttendance.isAway`.
    public func isAway(_ dispatcher: Dispatcher) -> Bool {
        state.withLock { $0.attendance.isAway(dispatcher, at: clock()) }
    }

    /// Number of dispatchers with an open page, at any server.
    public var present: Int { state.withLock { $0.attendance.present(at: clock()) } }

    /// Dispatchers with an open page of this server, by their user names.
    public var users: [String] { state.withLock { $0.attendance.users } }

    /// Another server reports that dispatchers have a page open there.
    public func reported(_ users: [String]) {
        state.withLock { $0.attendance.reported(users, at: clock()) }
    }

    public var isAttended: Bool { state.withLock { $0.attendance.isAttended(at: clock()) } }

    /// See `DeskAttendance.presence`.
    public var presence: Bool? { state.withLock { $0.attendance.presence(at: clock()) } }

    func attendanceChange() -> DeskAttendance.Change? {
        state.withLock { $0.attendance.change(at: clock()) }
    }
}
