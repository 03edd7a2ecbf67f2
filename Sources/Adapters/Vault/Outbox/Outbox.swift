public import Consent
public import Contract
import DequeModule
public import GatewayModel

/// The only queue to the broker. The rows are on disk (`OutboxDatabase`). This type decides the order and time of the
/// offers, and holds the next messages in memory.
///
/// There are three lanes, in order of priority: alarms, live, backlog. A reading is offered once it is written to disk,
/// so that a kill cannot lose it. The sync against a power cut follows within half a second. The offer does not wait
/// for it, because an early offer can only help. A reading is deleted only when the broker has acknowledged it. Within
/// a lane the order of enqueuing is kept, except for refused messages: their topic waits, and other topics overtake it.
/// Messages that waited while there was no connection are backlog. Backlog is read from the disk page by page, so that
/// live data never waits for it and a week's outage needs no more memory than a minute's.
///
/// An alarm is offered at once, durable or not: it must not wait for a disk, and after a crash the alarm itself creates
/// the message again. A reading that is not written within `patience` is offered all the same: with a failing disk,
/// readings that the broker accepts are not lost.
///
/// Without I/O or a clock: each call passes the instant. The caller decides which messages may leave, at the instant
/// they leave.
public struct Outbox: Sendable {
    /// Maximum time that a reading waits for the disk: above any fsync of a healthy SD card (well below 1 s), and short
    /// enough that the reading is still live.
    public static let patience = Duration.seconds(2)
    /// Readings held in memory while the disk accepts none: five wearables at 1 Hz for more than half an hour, about 10
    /// MB.
    public static let unwrittenCapacity = 10_000
    /// Durable live readings held in memory for a slow broker. Further ones are read from the disk as backlog.
    public static let liveCapacity = 1_024

    /// Position of a message in the order of enqueuing. Messages of an earlier run have places up to 0.
    public typealias Place = Int64

    struct Entry: Sendable {
        let place: Place
        let envelope: Envelope
        let since: BootInstant
        /// It may wait for other readings of its person until the gathering time is over.
        var waits = false

        var isKept: Bool { envelope.retention != .moment }
        var isReceipt: Bool { if case .receipt = envelope.disclosure { true } else { false } }
    }

    /// All alarms that wait to be offered, durable or not.
    var alarms: Deque<Entry> = []
    /// Messages that are not durable yet. During a connection also durable ones, from `liveFrom` on.
    var live: Deque<Entry> = []
    /// Messages read from the disk, in order.
    var backlog: Deque<Entry> = []
    var inFlight: [MessageID: Entry] = [:]
    /// Readings that leave in one message.
    var gathering = Gathering()

    /// Messages enqueued before this place are backlog as soon as they are durable. `Place.max` without a connection.
    var liveFrom = Place.max
    var nextPlace: Place = 1
    /// Whether messages that may leave later were passed over. They are on the disk only.
    var hasPassedOver = false
    /// Number of kept messages that were deleted because they may not leave.
    private var withheld: [Disclosure: Int] = [:]
    var disk = DiskSide()

    /// Topics that the broker refuses.
    var holds: [String: Hold] = [:]
    /// Messages that the broker refuses although it accepts others of their topic, and the end of their pause (nil if
    /// there are none).
    var apart: Set<Place> = []
    var apartUntil: BootInstant?
    /// Messages that were refused before. A second refusal gives no information about their topic.
    var refusedBefore: Set<Place> = []
    /// End of a general pause, in which only alarms are offered.
    var pausedUntil: BootInstant?
    /// State of this connection: whether the broker has answered, and the topic of the first offer.
    var hasAnswer = false
    var firstOffered: String?
    /// Consecutive connections without an answer.
    var vainConnections = 0
    let capacity: Int
    let unwrittenCapacity: Int
    let settledCapacity: Int

    public init(
        liveCapacity: Int = Outbox.liveCapacity, unwrittenCapacity: Int = Outbox.unwrittenCapacity,
        settledCapacity: Int = Outbox.settledCapacity
    ) {
        capacity = liveCapacity
        self.unwrittenCapacity = unwrittenCapacity
        self.settledCapacity = settledCapacity
    }

    /// Number of unacknowledged messages, on disk and in memory.
    public var count: Int {
        let moments = live.count { !$0.isKept } + inFlight.values.count { !$0.isKept }
        return disk.count + moments
    }

    /// Whether `count` includes the messages of earlier runs: the database has been read.
    public var isLoaded: Bool { disk.isLoaded }

    public var isEmpty: Bool { count == 0 }
    /// Whether an alarm waits to be offered, for the first time or again.
    public var isAlarmWaiting: Bool { !alarms.isEmpty }

    /// Messages for third parties in flight, by their disclosure.
    public var sharesUnderway: [Disclosure: [MessageID]] {
        inFlight.values.reduce(into: [:]) { underway, entry in
            guard case .share = entry.envelope.disclosure else { return }
            underway[entry.envelope.disclosure, default: []].append(entry.envelope.id)
        }
    }

    /// Last acknowledged message for third parties of each grant and kind, if the disk does not know it yet.
    public var sentLately: [LedgerSequence: [DataKind: MessageID]] {
        disk.sent.reduce(into: [:]) { sent, last in
            guard case .party(_, let epoch) = last.key.recipient else { return }
            sent[epoch, default: [:]][last.key.kind] = last.value
        }
    }

    /// Places on the disk of messages that the broker has or may have: messages in flight, and recently acknowledged
    /// messages for third parties.
    public var placesOffered: Set<Place> { disk.sentPlaces.union(inFlight.values.map(\.place)) }

    /// Whether the end of an emergency, or a receipt, is not acknowledged yet.
    public var owesLastWord: Bool {
        func isLastWord(_ entry: Entry) -> Bool {
            if case .emergencyOver = entry.envelope.disclosure { true } else { false }
        }
        return disk.receipts > 0 || inFlight.values.contains(where: isLastWord)
            || alarms.contains(where: isLastWord)
    }

    /// - Parameter isPressing: the message does not wait for others of its person.
    public mutating func enqueue(
        _ cleared: Cleared<Envelope>, at now: BootInstant, isPressing: Bool = false
    ) {
        let envelope = cleared.value
        if envelope.isRetained { supersede(envelope) }
        let waits = gathering.isOn && !isPressing && envelope.isGatherable
        let entry = Entry(place: nextPlace, envelope: envelope, since: now, waits: waits)
        nextPlace += 1
        if entry.isKept { disk.add(entry) }
        guard envelope.lane != .alarm else { return alarms.append(entry) }
        live.append(entry)
        if live.count > capacity, liveFrom <= disk.durableThrough { retire(from: nextPlace) }
        dropSurplus()
    }

    /// Returns the next message to offer. All its parts count as in flight until `settle` or `refused` is called with
    /// the ID of the first part.
    ///
    /// - Parameters:
    ///   - clear: the consent gate of this instant; nil for a message that may not leave, or not now.
    ///   - mayWait: whether a message that may not leave now may do so later. It is passed over, until `offerAgain` or
    ///     the next connection.
    public mutating func next(
        at now: BootInstant, clear: (Envelope) -> Cleared<Envelope>?,
        mayWait: (Envelope) -> Bool = { _ in false }
    ) -> Offer {
        var offer = Offer()
        var waiting: [Entry] = []
        defer { for entry in waiting.reversed() { live.prepend(entry) } }
        endWindow(at: now)
        while let (entry, lane) = take(at: now) {
            guard offerEntry(entry, in: &offer, &waiting, clear, mayWait) else { continue }
            guard let lane, isGathered(entry, at: now) else { return offer }
            for follower in takeFollowers(of: entry, from: lane, at: now) {
                _ = offerEntry(follower, in: &offer, &waiting, clear, mayWait)
            }
            noteGathered(&offer)
            return offer
        }
        return offer
    }

    /// - Returns: whether the entry was added to the offer.
    private mutating func offerEntry(
        _ entry: Entry, in offer: inout Offer, _ waiting: inout [Entry],
        _ clear: (Envelope) -> Cleared<Envelope>?, _ mayWait: (Envelope) -> Bool
    ) -> Bool {
        // A duplicate, offered again after a kill or sent again by a wearable with a store: the one in flight counts
        // for both.
        if entry.envelope.lane != .alarm, isUnderway(entry) {
            forget(entry)
            return false
        }
        if let cleared = clear(entry.envelope) {
            inFlight[entry.envelope.id] = entry
            noteOffered(entry)
            offer.parts.append(cleared)
            return true
        }
        if entry.isKept, mayWait(entry.envelope) {
            // Entries that are not on the disk stay in memory, where a purge finds them.
            if entry.place <= disk.durableThrough { hasPassedOver = true } else { waiting.append(entry) }
            return false
        }
        withhold(entry)
        offer.withheld.append(entry.envelope)
        return false
    }

    private func isUnderway(_ entry: Entry) -> Bool {
        inFlight[entry.envelope.id]?.envelope.topic == entry.envelope.topic
    }

    /// - Returns: the entry, and the queue of the entries that may leave with it.
    private mutating func take(at now: BootInstant) -> (Entry, from: WritableKeyPath<Outbox, Deque<Entry>>?)? {
        if let entry = alarms.popFirst() { return (entry, nil) }
        if let end = pausedUntil, now < end { return nil }
        if let entry = takeTrial(at: now) { return (entry, nil) }
        if let entry = takeLive(at: now) { return (entry, \.live) }
        return takeBacklog().map { ($0, \.backlog) }
    }

    private mutating func takeLive(at now: BootInstant) -> Entry? {
        var index = live.startIndex
        while index < live.endIndex, isOfferable(live[index], at: now) {
            let entry = live[index]
            guard isReleased(entry) else {
                index += 1
                continue
            }
            guard isHeldBack(entry) else { return live.remove(at: index) }
            if passOver(entry) { live.remove(at: index) } else { index += 1 }
        }
        return nil
    }

    private mutating func takeBacklog() -> Entry? {
        while let entry = backlog.popFirst() {
            guard isHeldBack(entry) else { return entry }
            // Entries of the backlog are on the disk, so this always succeeds.
            _ = passOver(entry)
        }
        return nil
    }

    /// Whether the entry is on the disk, or has waited for it long enough.
    func isOfferable(_ entry: Entry, at now: BootInstant) -> Bool {
        !entry.isKept || entry.place <= disk.durableThrough
            || entry.since.duration(to: now) >= Self.patience
    }

    /// Removes a message that the broker has, or will never accept.
    /// - Parameter id: ID of the message: that of its first part.
    /// - Returns: the parts of the message; empty if it was not in flight (a second acknowledgement).
    @discardableResult
    public mutating func settle(_ id: MessageID, isDelivered: Bool = true) -> [Envelope] {
        let entries = takeInFlight(id, isDelivered: isDelivered)
        for entry in entries {
            forget(entry)
            hasAnswer = true
            endTrial(of: entry)
            if isDelivered {
                disk.note(sent: entry)
                lift(entry.envelope.topic)
            }
        }
        return entries.map(\.envelope)
    }

    /// Begins a connection. Messages that waited for it become backlog, so that new messages go first.
    /// - Parameter maximumPayload: maximum size in bytes of a message for this broker; nil if it names no limit.
    /// - Returns: the dropped messages of the retention `moment`.
    public mutating func connected(maximumPayload: Int? = nil) -> [Envelope] {
        let outdated = live.filter { !$0.isKept }
        live.removeAll { !$0.isKept }
        retire(from: nextPlace)
        gathering.limit(to: maximumPayload)
        return outdated.map(\.envelope)
    }

    /// Ends a connection. Messages in flight count as not received. Durable ones will be read again.
    /// - Returns: the dropped messages of the retention `moment`.
    public mutating func connectionLost(at now: BootInstant) -> [Envelope] {
        let lost = inFlight.values.sorted { $0.place < $1.place }
        inFlight = [:]
        gathering.connectionLost(at: now)
        for entry in lost.reversed() where entry.envelope.lane == .alarm { alarms.prepend(entry) }
        var waiting = forgetRefusals(at: now) + lost.filter { $0.envelope.lane != .alarm }
        waiting += backlog
        waiting += live
        // `retire` removes the durable ones from it again.
        live = Deque(waiting.sorted { $0.place < $1.place })
        let outdated = live.filter { !$0.isKept }
        live.removeAll { !$0.isKept }
        retire(from: .max)
        backlog = []
        disk.startOver()
        return outdated.map(\.envelope)
    }

    /// Offers the messages that were passed over again: they are read from the disk, and the consent gate is asked
    /// about them.
    public mutating func offerAgain() {
        guard hasPassedOver else { return }
        hasPassedOver = false
        // Without a connection, the next connection reads all of them.
        guard liveFrom != .max else { return }
        // The backlog is read again with the others, in order.
        backlog = []
        disk.startOver()
        retire(from: nextPlace)
    }

    /// Removes the messages in memory that may not leave any more. Messages in flight are not recalled.
    /// - Returns: the removed messages.
    @discardableResult
    public mutating func purge(where isWithheld: (Envelope) -> Bool) -> [Envelope] {
        var purged: [Entry] = []
        for lane in [\Outbox.alarms, \.live, \.backlog] {
            purged += self[keyPath: lane].filter { isWithheld($0.envelope) }
            self[keyPath: lane].removeAll { isWithheld($0.envelope) }
        }
        for (topic, hold) in holds {
            purged += hold.waiting.filter { isWithheld($0.envelope) }
            holds[topic]?.waiting.removeAll { isWithheld($0.envelope) }
        }
        for entry in purged { withhold(entry) }
        return purged.map(\.envelope)
    }

    /// Deletes an entry that may not leave any more, and counts it: the next message may be asked for before the purge.
    private mutating func withhold(_ entry: Entry) {
        forget(entry)
        if entry.isKept { withheld[entry.envelope.disclosure, default: 0] += 1 }
    }

    /// Returns the number of kept messages that were deleted because they may not leave, by disclosure, since the last
    /// call.
    public mutating func takeWithheld() -> [Disclosure: Int] {
        defer { withheld = [:] }
        return withheld
    }

    mutating func forget(_ entry: Entry) {
        gathering.alone.remove(entry.place)
        if !refusedBefore.isEmpty {
            refusedBefore.remove(entry.place)
            apart.remove(entry.place)
        }
        if entry.isKept { disk.settle(entry) }
    }

    /// Removes durable messages before `place` from memory. They are read from the disk in their turn.
    mutating func retire(from place: Place) {
        liveFrom = place
        dropRetired()
        disk.hasMore = true
    }

    mutating func dropRetired() {
        let (durable, first) = (disk.durableThrough, liveFrom)
        live.removeAll { $0.isKept && $0.place <= durable && $0.place < first }
    }

    /// Removes older messages of a retained topic, because only the newest counts.
    private mutating func supersede(_ envelope: Envelope) {
        let superseded = live.filter { $0.envelope.isRetained && $0.envelope.topic == envelope.topic }
        guard !superseded.isEmpty else { return }
        live.removeAll { $0.envelope.isRetained && $0.envelope.topic == envelope.topic }
        for entry in superseded { forget(entry) }
    }
}
