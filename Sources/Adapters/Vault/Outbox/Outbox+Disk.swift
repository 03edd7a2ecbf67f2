public import Consent
public import Contract
import DequeModule
public import GatewayModel

// The outbox as the thread with the database sees it: it takes work, carries it out without holding the lock,
// and tells what became of it.
extension Outbox {
    /// What the disk has, has not, and is being given.
    struct DiskSide: Sendable {
        var unwritten: Deque<Entry> = []
        /// One of them must not wait to be synced.
        var isUrgent = false
        /// A restart must not find it again.
        var isDeletionUrgent = false
        /// Done with; to be deleted where they are on the disk.
        var settled: Set<Place> = []
        /// Given to the disk and not answered yet.
        var underway: Changes?
        /// All up to here are on the disk, or done with.
        var durableThrough: Place = 0
        /// On the disk, as it said last.
        var stored = 0
        /// Receipts that are not acknowledged, wherever they are.
        var receipts = 0
        /// The last row read as backlog.
        var cursor = Place.min
        /// Rows may stand behind the cursor.
        var hasMore = false
        var isLoaded = false
        var isReading = false
        /// A page read before this changed is of a connection that has ended.
        var era = 0
        /// Readings that the disk never took and memory had no room for.
        var gaps: [SampleSeries: SampleGap] = [:]
        /// The last that the broker has of what goes to third parties, where the disk does not know it.
        var sent: [SampleSeries: MessageID] = [:]
        /// Where what the broker has of it may still stand on the disk.
        var sentPlaces: Set<Place> = []

        mutating func add(_ entry: Entry) {
            unwritten.append(entry)
            if entry.isReceipt { receipts += 1 }
            if entry.envelope.retention == .certain { isUrgent = true }
        }

        /// A reading that comes twice is one reading; a call for help that comes twice startles somebody.
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

        /// What stands at `place` and behind it is read once more.
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

    /// What one transaction is to do.
    public struct Changes: Sendable {
        public let rows: [Row]
        public let deleted: [Place]
        /// The last that the broker has of each series that goes to a third party.
        public let sent: [SampleSeries: MessageID]
        let entries: [Entry]
        /// All up to here are durable when this is.
        let through: Place
    }

    /// Which rows are to be read: the first `limit` between the two places, alarms left out.
    public struct PageRequest: Sendable {
        public let after: Place
        public let before: Place
        public let limit: Int
        let era: Int
    }

    /// A page is read while half of the one before it is sent: small enough that reading it holds up what is
    /// live by a millisecond or two, large enough that the broker's thread does not wait for it.
    static let pageSize = 256

    /// Rows deleted in one transaction while a reading waits to be written with them, and while none does: each
    /// row holds up what is live by some microseconds.
    static let deletionsBesideRows = 64
    public static let deletionSize = 512
    /// So many that are to be deleted are remembered, some 2 MB of them: a disk that deletes nothing is read no further
    /// until it does.
    public static let settledCapacity = 65_536

    /// Rows written in one transaction: it makes the log, and later the file, grow by some 2 MB at most.
    public static let rowsSize = 4_096

    /// Something must not wait for the next sync: an alarm, a receipt, a gap.
    public var isSyncUrgent: Bool { disk.isUrgent }

    /// Readings that come faster than this are written together: one by itself takes four times the processor time
    /// of one among forty (`make bench-bluetooth`). A kill takes what is not written yet; systemd alone waits for
    /// longer before it starts the gateway again.
    public static let writeInterval = Duration.milliseconds(40)
    /// So many are written at once all the same.
    static let writeBatchSize = 256

    /// How much the outbox wants of its disk: more than before means that somebody should wake it.
    public enum DiskNeed: Int, Comparable, Sendable {
        case nothing, later, soon, now

        public static func < (left: DiskNeed, right: DiskNeed) -> Bool { left.rawValue < right.rawValue }
    }

    public var diskNeed: DiskNeed {
        if isWriteUrgent || wantsPage || hasManySettled { return .now }
        if hasUnwritten { return .soon }
        return hasSettled ? .later : .nothing
    }

    /// What a power cut would take now, alarms of this run included.
    public var undurable: Int {
        disk.unwritten.count { !disk.settled.contains($0.place) } + (disk.underway?.rows.count ?? 0)
    }

    /// Something is to be written at once, or within `writeInterval` of the write before.
    public var hasUnwritten: Bool { !disk.unwritten.isEmpty || disk.isDeletionUrgent }
    /// At once: what is kept for certain, or readings enough for a transaction.
    public var isWriteUrgent: Bool {
        disk.isUrgent || disk.isDeletionUrgent || disk.unwritten.count >= Self.writeBatchSize
    }
    /// Rows to be deleted at leisure: a reading that a crash leaves there is sent again, under its id.
    public var hasSettled: Bool { !disk.settled.isEmpty }
    /// Enough of them for a transaction.
    public var hasManySettled: Bool { disk.settled.count >= Self.deletionSize }

    /// Half of what memory can hold waits for the disk: soon something has to be given up.
    public var isCrowded: Bool { disk.unwritten.count > unwrittenCapacity / 2 }

    /// What is to be written next, in one transaction; answered by `written` or `notWritten`. What was acknowledged
    /// before the disk had it never gets there. Not all that is to be deleted, where that is much: it is asked for
    /// again.
    ///
    /// - Parameter limit: of rows; the first ones. Where it is 0 something may be to be deleted all the same.
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
        // The others never got there.
        disk.sentPlaces.formIntersection(disk.settled.union(deleted))
        disk.underway = changes
        return changes
    }

    /// Those that stand first, so that what is deleted together lies together.
    private mutating func takeSettled(_ limit: Int) -> [Place] {
        guard disk.settled.count > limit else {
            defer { disk.settled = [] }
            return Array(disk.settled)
        }
        let taken = Array(disk.settled.sorted().prefix(limit))
        disk.settled.subtract(taken)
        return taken
    }

    /// - Parameter stored: rows there are now.
    /// - Returns: whether there is something new to offer, or to wait for (`gatheringEnd`).
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

    /// The next page of the backlog, where one is wanted; answered by `read`.
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
    ///   - last: the place of the last row looked at; nil where there was none.
    ///   - isEnd: there are no more before `request.before`.
    public mutating func read(
        _ rows: [Row], upTo last: Place?, isEnd: Bool, for request: PageRequest, at now: BootInstant
    ) {
        guard request.era == disk.era else { return }
        disk.isReading = false
        disk.cursor = last ?? disk.cursor
        // Rows enqueued since may have been retired to the disk behind the end of this page.
        disk.hasMore = !isEnd || request.before != liveFrom
        let known = Set((Array(inFlight.values) + Array(backlog) + waiting).map(\.place))
        for row in rows where !known.contains(row.place) && !isDone(row.place) {
            let entry = Entry(place: row.place, envelope: row.envelope, since: now)
            if isHeldBack(entry), passOver(entry) { continue }
            backlog.append(entry)
        }
    }

    /// What the broker refuses, as far as it is in memory.
    private var waiting: [Entry] { holds.values.flatMap(\.waiting) }

    /// A page could not be read; it is asked for again.
    public mutating func notRead(_ request: PageRequest) {
        if request.era == disk.era { disk.isReading = false }
    }

    private func isDone(_ place: Place) -> Bool {
        disk.settled.contains(place) || (disk.underway?.deleted.contains(place) ?? false)
    }

    /// What an earlier run left behind is known: its alarms are offered again, before those of this run.
    ///
    /// Nothing here is cleared: `next` asks about each when it leaves.
    /// - Parameters:
    ///   - stored: rows there are.
    ///   - receipts: how many of them are receipts.
    public mutating func loaded(alarms rows: [Row], stored: Int, receipts: Int = 0, at now: BootInstant) {
        for row in rows.reversed() {
            alarms.prepend(Entry(place: row.place, envelope: row.envelope, since: now))
        }
        disk.isLoaded = true
        disk.receipts += receipts
        disk.stored = stored
        disk.hasMore = true
    }

    /// The database was set aside and another one begun: what memory knows and could not be saved is written anew.
    /// - Parameter places: which of `held` are there already.
    public mutating func replaced(holding places: Set<Place>, stored: Int) {
        let missing = known.filter { !places.contains($0.place) }
        let unwritten = Set(disk.unwritten.map(\.place))
        let again = missing.filter { !unwritten.contains($0.place) } + Array(disk.unwritten)
        disk.unwritten = Deque(again.sorted { $0.place < $1.place })
        disk.stored = stored
        disk.hasMore = true
    }

    /// Rows were deleted by the disk's own rule (consent withdrawn, quota).
    public mutating func diskHolds(_ stored: Int) {
        disk.stored = stored
    }

    /// The places that memory knows of: they are on their way, or about to be.
    public var held: Set<Place> { Set(known.map(\.place)) }

    private var known: [Entry] {
        (Array(inFlight.values) + Array(alarms) + Array(live) + Array(backlog) + waiting).filter(\.isKept)
    }
}
