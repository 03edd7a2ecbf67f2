public import Consent
public import Contract
import DequeModule
public import GatewayModel

// The part of the outbox for the database thread. The thread takes work, executes it without the lock, and reports the
// result.
extension Outbox {
    /// State of the entries with regard to the disk.
    struct DiskSide: Sendable {
        var unwritten: Deque<Entry> = []
        /// One of the unwritten entries must be synced at once.
        var isUrgent = false
        /// One of the deletions must be written at once, so that a restart does not find the row again.
        var isDeletionUrgent = false
        /// Places of finished entries. Their rows are to be deleted if the disk has them.
        var settled: Set<Place> = []
        /// Changes that the disk has been given and has not confirmed yet.
        var underway: Changes?
        /// All entries up to this place are on the disk or finished.
        var durableThrough: Place = 0
        /// Number of rows, as the disk reported last.
        var stored = 0
        /// Number of unacknowledged receipts, in memory and on the disk.
        var receipts = 0
        /// Place of the last row that was read as backlog.
        var cursor = Place.min
        /// There may be rows after the cursor.
        var hasMore = false
        var isLoaded = false
        var isReading = false
        /// Counter of restarts of the reading. A page of an earlier era is discarded.
        var era = 0
        /// Readings that were dropped because the disk was not writable and memory was full.
        var gaps: [SampleSeries: SampleGap] = [:]
        /// The watch looks at the unwritten entries again without being woken.
        var isWatched = false
        /// Last message that the broker has of each series for a third party, if the disk does not know it yet.
        var sent: [SampleSeries: MessageID] = [:]
        /// Places on the disk at which messages of `sent` may still be stored.
        var sentPlaces: Set<Place> = []

        mutating func add(_ entry: Entry) {
            unwritten.append(entry)
            if entry.isReceipt { receipts += 1 }
            if entry.envelope.retention == .certain { isUrgent = true }
        }

        /// Marks an entry as finished. A repeated call for help would alarm people, so the deletion of its row is
        /// urgent. A repeated reading is harmless.
        mutating func settle(_ entry: Entry) {
            settled.insert(entry.place)
            if entry.isReceipt { receipts -= 1 }
            if entry.envelope.retention == .certain { isDeletionUrgent = true }
        }

        mutating func note(sent entry: Entry) {
            let disclosure = entry.envelope.disclosure
            guard case .share = disclosure, let series = disclosure.series else { return }
            sent[series] = entry.envelope.id
            sentPlaces.insert(entry.place)
        }

        mutating func startOver() {
            (cursor, hasMore, isReading) = (.min, true, false)
            era += 1
        }

        /// Restarts the reading of the backlog at `place`.
        mutating func goBack(to place: Place) {
            let before = place == .min ? place : place - 1
            (cursor, hasMore, isReading) = (min(cursor, before), true, false)
            era += 1
        }

        var count: Int {
            let given = underway.map { $0.rows.count - $0.deleted.count } ?? 0
            return stored + unwritten.count + given - settled.count
        }
    }

    /// One row of the database.
    public struct Row: Sendable {
        public let place: Place
        public let envelope: Envelope

        public init(place: Place, envelope: Envelope) {
            (self.place, self.envelope) = (place, envelope)
        }
    }

    /// Work of one transaction.
    public struct Changes: Sendable {
        public let rows: [Row]
        public let deleted: [Place]
        /// Last message that the broker has of each series for a third party.
        public let sent: [SampleSeries: MessageID]
        let entries: [Entry]
        /// All entries up to this place are durable when these changes are.
        let through: Place
    }

    /// Request for rows: the first `limit` between the two places, without alarms.
    public struct PageRequest: Sendable {
        public let after: Place
        public let before: Place
        public let limit: Int
        let era: Int
    }

    /// Rows of a page. A page is read while half of the previous one is sent. It is small enough to delay live data by
    /// one or two milliseconds only, and large enough that the broker's thread does not wait for it.
    static let pageSize = 256

    /// Rows deleted in one transaction while a reading waits to be written with them, and while none does. Each row
    /// delays live data by some microseconds.
    static let deletionsBesideRows = 64
    public static let deletionSize = 512
    /// Maximum number of places to delete that memory holds, about 2 MB. If the disk deletes nothing, it is read no
    /// further until it does.
    public static let settledCapacity = 65_536

    /// Rows written in one transaction. The log, and later the file, grow by about 2 MB at most.
    public static let rowsSize = 4_096

    /// Whether an alarm, a receipt or a gap must be synced at once.
    public var isSyncUrgent: Bool { disk.isUrgent }

    /// Interval between writes. Readings that arrive within it are written together. A reading that is written alone
    /// takes four times the processor time of one among forty (`make bench-bluetooth`). A kill loses the unwritten
    /// readings. systemd alone waits longer than this before it restarts the gateway.
    public static let writeInterval = Duration.milliseconds(40)
    /// Number of waiting readings that are written at once, before the interval ends.
    static let writeBatchSize = 256

    /// Urgency of the work for the disk. If it increases, the caller wakes the database thread.
    public enum DiskNeed: Int, Comparable, Sendable {
        case nothing, later, soon, now

        public static func < (left: DiskNeed, right: DiskNeed) -> Bool { left.rawValue < right.rawValue }
    }

    public var diskNeed: DiskNeed {
        if isWriteUrgent || wantsPage || hasManySettled { return .now }
        if hasUnwritten { return .soon }
        return hasSettled ? .later : .nothing
    }

    /// Number of messages that a power cut would lose now, alarms of this run included.
    public var undurable: Int {
        disk.unwritten.count { !disk.settled.contains($0.place) } + (disk.underway?.rows.count ?? 0)
    }

    /// Place of the message that was enqueued last.
    public var lastPlace: Place { nextPlace - 1 }

    /// Returns whether every message up to a place is on the disk or finished.
    public func isDurable(through place: Place) -> Bool {
        !disk.unwritten.contains { $0.place <= place && !disk.settled.contains($0.place) }
            && !(disk.underway?.rows.contains { $0.place <= place } ?? false)
    }

    /// Whether the watch has to be woken: there are messages to write, and it plans no look at them. True once.
    public mutating func takeNeedOfWatch() -> Bool {
        guard !disk.isWatched, !disk.unwritten.isEmpty else { return false }
        disk.isWatched = true
        return true
    }

    /// Messages that no disk has yet although they arrived at `instant` or before. Calls for help are left out: after a
    /// crash the alarm creates them again.
    ///
    /// - Parameter place: only messages behind it are returned.
    /// - Returns: the messages in order; the place of the first one that no disk has, also before `place`; and the arrival of
    ///   the first one after `instant`, with which the next look is due. Nil: `takeNeedOfWatch` tells of the next one.
    public mutating func late(
        after place: Place, arrivedBy instant: BootInstant
    ) -> (rows: [Row], first: Place, next: BootInstant?) {
        var (rows, first, next) = ([Row](), Place?.none, BootInstant?.none)
        // No copy of the entries: new readings wait for this look.
        func look(at entry: Entry) {
            guard entry.envelope.lane != .alarm, !disk.settled.contains(entry.place) else { return }
            first = first ?? entry.place
            guard entry.place > place else { return }
            if entry.since > instant {
                next = next ?? entry.since
            } else {
                rows.append(Row(place: entry.place, envelope: entry.envelope))
            }
        }
        for entry in disk.underway?.entries ?? [] { look(at: entry) }
        for entry in disk.unwritten { look(at: entry) }
        disk.isWatched = next != nil
        return (rows, first ?? nextPlace, next)
    }

    /// Whether any data is to be written, at once or within `writeInterval` of the previous write.
    public var hasUnwritten: Bool { !disk.unwritten.isEmpty || disk.isDeletionUrgent }
    /// Whether data must be written at once: a message of the retention `certain`, or enough readings for a
    /// transaction.
    public var isWriteUrgent: Bool {
        disk.isUrgent || disk.isDeletionUrgent || disk.unwritten.count >= Self.writeBatchSize
    }
    /// Whether rows wait to be deleted. This is not urgent: a reading that a crash leaves there is sent again, under
    /// its ID.
    public var hasSettled: Bool { !disk.settled.isEmpty }
    /// Whether enough rows for a transaction wait to be deleted.
    public var hasManySettled: Bool { disk.settled.count >= Self.deletionSize }

    /// Whether more than half of the memory for unwritten entries is in use. Readings will soon have to be dropped.
    public var isCrowded: Bool { disk.unwritten.count > unwrittenCapacity / 2 }

    /// Returns the changes for the next transaction; answered by `written` or `notWritten`. Messages that were
    /// acknowledged before they were written are left out. If there are many deletions, a part of them is left for
    /// later calls.
    ///
    /// - Parameter limit: maximum number of rows. With 0 there may still be deletions.
    public mutating func takeChanges(rows limit: Int = .max) -> Changes {
        let waiting = disk.unwritten
        let unwritten = waiting.filter { disk.settled.remove($0.place) == nil }
        let count = min(limit, unwritten.count)
        let (entries, rest) = (unwritten.prefix(count), unwritten.dropFirst(count))
        let deleted = takeSettled(entries.isEmpty ? Self.deletionSize : Self.deletionsBesideRows)
        let last = rest.isEmpty ? waiting.last : entries.last
        let changes = Changes(
            rows: entries.map { Row(place: $0.place, envelope: $0.envelope) }, deleted: deleted,
            sent: disk.sent,
            entries: Array(entries), through: last?.place ?? disk.durableThrough)
        disk.unwritten = Deque(rest)
        disk.isUrgent = rest.contains { $0.envelope.retention == .certain }
        disk.isDeletionUrgent = disk.isDeletionUrgent && hasSettled
        disk.sent = [:]
        // The other messages were never on the disk.
        disk.sentPlaces.formIntersection(disk.settled.union(deleted))
        disk.underway = changes
        return changes
    }

    /// Returns the lowest places, so that rows that are deleted together are stored together.
    private mutating func takeSettled(_ limit: Int) -> [Place] {
        guard disk.settled.count > limit else {
            defer { disk.settled = [] }
            return Array(disk.settled)
        }
        let taken = Array(disk.settled.sorted().prefix(limit))
        disk.settled.subtract(taken)
        return taken
    }

    /// - Parameter stored: present number of rows.
    /// - Returns: whether there is a new message to offer, or to wait for (`gatheringEnd`).
    @discardableResult
    public mutating func written(stored: Int) -> Bool {
        guard let changes = disk.underway else { return false }
        disk.underway = nil
        disk.stored = stored
        disk.sentPlaces.subtract(changes.deleted)
        disk.durableThrough = max(disk.durableThrough, changes.through)
        if changes.rows.contains(where: { $0.place < liveFrom }) { disk.hasMore = true }
        dropRetired()
        return beginWindow() || changes.entries.contains { !$0.waits }
    }

    public mutating func notWritten() {
        guard let changes = disk.underway else { return }
        disk.underway = nil
        disk.unwritten.prepend(contentsOf: changes.entries)
        disk.settled.formUnion(changes.deleted)
        disk.sent.merge(changes.sent) { newer, _ in newer }
    }

    /// Returns the request for the next page of the backlog; nil if none is needed. Answered by `read`.
    public mutating func takePageRequest() -> PageRequest? {
        guard wantsPage else { return nil }
        disk.isReading = true
        return PageRequest(after: disk.cursor, before: liveFrom, limit: Self.pageSize, era: disk.era)
    }

    public var wantsPage: Bool {
        disk.isLoaded && liveFrom != .max && disk.hasMore && !disk.isReading
            && backlog.count < Self.pageSize / 2 && disk.settled.count < settledCapacity
    }

    /// - Parameters:
    ///   - last: the place of the last row that was read; nil if there was none.
    ///   - isEnd: there are no more rows before `request.before`.
    public mutating func read(
        _ rows: [Row], upTo last: Place?, isEnd: Bool, for request: PageRequest, at now: BootInstant
    ) {
        guard request.era == disk.era else { return }
        disk.isReading = false
        disk.cursor = last ?? disk.cursor
        // Messages that were enqueued since may have been moved to the disk after the end of this page.
        disk.hasMore = !isEnd || request.before != liveFrom
        let known = Set((Array(inFlight.values) + Array(backlog) + waiting).map(\.place))
        for row in rows where !known.contains(row.place) && !isDone(row.place) {
            let entry = Entry(place: row.place, envelope: row.envelope, since: now)
            if isHeldBack(entry), passOver(entry) { continue }
            backlog.append(entry)
        }
    }

    /// Refused messages that are in memory.
    private var waiting: [Entry] { holds.values.flatMap(\.waiting) }

    /// Records that a page could not be read. It is requested again.
    public mutating func notRead(_ request: PageRequest) {
        if request.era == disk.era { disk.isReading = false }
    }

    private func isDone(_ place: Place) -> Bool {
        disk.settled.contains(place) || (disk.underway?.deleted.contains(place) ?? false)
    }

    /// Takes over the rows of an earlier run. Its alarms are offered again, before those of this run.
    ///
    /// Nothing is cleared here: `next` asks the consent gate for each message when it leaves.
    /// - Parameters:
    ///   - stored: number of rows.
    ///   - receipts: number of receipts among them.
    public mutating func loaded(alarms rows: [Row], stored: Int, receipts: Int = 0, at now: BootInstant) {
        for row in rows.reversed() {
            alarms.prepend(Entry(place: row.place, envelope: row.envelope, since: now))
        }
        disk.isLoaded = true
        disk.receipts += receipts
        disk.stored = stored
        disk.hasMore = true
    }

    /// Handles a replaced database: messages in memory that could not be saved are written again.
    /// - Parameter places: the places of `held` that the new database already has.
    public mutating func replaced(holding places: Set<Place>, stored: Int) {
        let missing = known.filter { !places.contains($0.place) }
        let unwritten = Set(disk.unwritten.map(\.place))
        let again = missing.filter { !unwritten.contains($0.place) } + Array(disk.unwritten)
        disk.unwritten = Deque(again.sorted { $0.place < $1.place })
        disk.stored = stored
        disk.hasMore = true
    }

    /// Records the number of rows after the disk has deleted some by its own rule (consent withdrawn, quota).
    public mutating func diskHolds(_ stored: Int) {
        disk.stored = stored
    }

    /// Places of the entries in memory: in flight, or about to be.
    public var held: Set<Place> { Set(known.map(\.place)) }

    private var known: [Entry] {
        (Array(inFlight.values) + Array(alarms) + Array(live) + Array(backlog) + waiting).filter(\.isKept)
    }
}
