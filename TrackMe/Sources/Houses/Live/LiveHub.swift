public import Accounts
public import GatewayModel
public import Store
import Synchronization

/// Fan-out of committed readings to the open pages of this process: those that it receives itself, and the newest values that
/// another server has received. A page reads the store first.
public final class LiveHub: Sendable {
    /// Pages that are open at one time.
    public static let mostPages = 5_000
    /// Shortest time between two readings of a kind of a person. All pages of the person get the same readings.
    private static let shortestInterval = Duration.milliseconds(900)

    /// The pages of one person.
    private struct Pages {
        var open: [Int: (put: @Sendable (LatestValue) -> Void, end: @Sendable () -> Void)] = [:]
        /// Instant and time of the last reading of each kind.
        var last: [QuantityKind: (at: BootInstant, time: WallTime)] = [:]
    }

    private struct State {
        var next = 0
        var pages: [HousePerson: Pages] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> BootInstant

    /// - Parameter clock: monotonic.
    public init(clock: @escaping @Sendable () -> BootInstant) { self.clock = clock }

    public var isFull: Bool { pageCount >= Self.mostPages }

    public var pageCount: Int { state.withLock { $0.count } }

    /// Persons with an open page.
    public var subjects: [HousePerson] { state.withLock { Array($0.pages.keys) } }

    /// Opens a page that gets the readings of a person from now on, until its `close`. Nil if there are too many pages.
    ///
    /// - Parameters:
    ///   - put: hands a reading to the page. Must not block.
    ///   - end: asks the page to close.
    public func open(
        _ subject: HousePerson, put: @escaping @Sendable (LatestValue) -> Void,
        end: @escaping @Sendable () -> Void
    ) -> OpenPage? {
        let number = state.withLock { state -> Int? in
            guard state.count < Self.mostPages else { return nil }
            state.next += 1
            state.count += 1
            state.pages[subject, default: Pages()].open[state.next] = (put, end)
            return state.next
        }
        return number.map { OpenPage(hub: self, number: $0, subject: subject) }
    }

    /// One open page of a person.
    public struct OpenPage: Sendable {
        fileprivate let hub: LiveHub
        fileprivate let number: Int
        fileprivate let subject: HousePerson

        public func close() {
            hub.state.withLock { state in
                guard state.pages[subject]?.open.removeValue(forKey: number) != nil else { return }
                state.count -= 1
                if state.pages[subject]?.open.isEmpty == true { state.pages[subject] = nil }
            }
        }
    }

    /// Hands committed readings to the pages that show their person. Never blocks.
    public func publish(_ samples: [StoredSample]) {
        for sample in samples where sample.flags.isDisjoint(with: [.contactLost, .history]) {
            put(
                LatestValue(
                    kind: sample.kind, device: sample.device, time: sample.time, value: sample.value),
                of: sample.subject)
        }
    }

    /// Hands the newest values of a person to her pages. A value that they have got before does nothing. Never blocks.
    public func publish(_ values: [LatestValue], of subject: HousePerson) {
        for value in values { put(value, of: subject) }
    }

    private func put(_ value: LatestValue, of subject: HousePerson) {
        let pages = state.withLock { state -> [@Sendable (LatestValue) -> Void] in
            guard let pages = state.pages[subject] else { return [] }
            let now = clock()
            if let last = pages.last[value.kind] {
                guard last.at.advanced(by: Self.shortestInterval) <= now, last.time < value.time else {
                    return []
                }
            }
            state.pages[subject]?.last[value.kind] = (now, value.time)
            return pages.open.values.map(\.put)
        }
        for put in pages { put(value) }
    }

    /// Ends the pages of a person: a link has ended. Pages connect again and are checked again.
    public func endPages(of subject: HousePerson) {
        let pages = state.withLock { $0.pages[subject]?.open.values.map(\.end) ?? [] }
        for end in pages { end() }
    }
}
