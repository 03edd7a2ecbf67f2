public import Consent
public import Contract
import DequeModule
public import GatewayModel

/// What waits for the broker: the only queue there is. The rows are on disk (`OutboxDatabase`); this decides
/// what is offered when, and holds in memory what leaves next.
///
/// Three lanes, the lower first: alarms, live, backlog. A reading is offered once it is on the disk (a kill cannot
/// take it any more; the sync against a power cut follows within half a second, and is not waited for: to be on
/// its way already can only help). It is deleted only when the broker has acknowledged it. Within a lane the order
/// of enqueuing is kept, but for what the broker refuses: its topic waits, and the others pass it. Whatever waited while there was no connection is backlog, read from the disk page by page,
/// so that live data never stands behind it and a week's outage needs no more memory than a minute's.
///
/// An alarm is offered at once, durable or not: it must not wait for a disk, and what a crash takes of it the
/// alarm itself makes again. A reading that the disk has not taken within `patience` is offered all the same:
/// with a disk that fails, what the broker takes is not lost.
///
/// Pure: told the instant; what may leave is decided by the caller, at the instant it leaves.
public struct Outbox: Sendable {
    /// How long a reading waits for the disk: above any fsync of a healthy SD card (well below 1 s), and far
    /// below what anyone would still call live.
    public static let patience = Duration.seconds(2)
    /// Readings held in memory while the disk takes none: five wearables at 1 Hz for more than half an hour,
    /// some 10 MB.
    public static let unwrittenCapacity = 10_000
    /// Durable live readings held in memory for a broker that is slow; beyond it they are read from the disk
    /// as backlog.
    public static let liveCapacity = 1_024

    /// Where a message stands among all: by the order of enqueuing. What an earlier run left has places up to 0.
    public typealias Place = Int64

    struct Entry: Sendable {
        let place: Place
        let envelope: Envelope
        let since: BootInstant
        /// It may wait for others of its person until the gathering time is over.
        var waits = false

        var isKept: Bool { envelope.retention != .moment }
        var isReceipt: Bool { if case .receipt = envelope.disclosure { true } else { false } }
    }

    /// Alarms that wait to be offered: all of them, whether or not they are durable.
    var alarms: Deque<Entry> = []
    /// What is not durable yet, and while there is a connection also what is, from `liveFrom` on.
    var live: Deque<Entry> = []
    /// Read from the disk, in order.
    var backlog: Deque<Entry> = []
    var inFlight: [MessageID: Entry] = [:]
    /// Readings that leave in one message.
    var gathering = Gathering()

    /// What was enqueued before is backlog as soon as it is durable. `Place.max` without a connection.
    var liveFrom = Place.max
    var nextPlace: Place = 1
    /// Something was passed over that may leave later: it stands on the disk alone.
    var hasPassedOver = false
    var disk = DiskSide()

    /// Topics that the broker refuses.
    var holds: [String: Hold] = [:]
    /// Messages that it refuses while it takes others of their topic; nil where there are none.
    var apart: Set<Place> = []
    var apartUntil: BootInstant?
    /// To be refused again tells nothing new of their topics.
    var refusedBefore: Set<Place> = []
    /// Until then only alarms are offered.
    var pausedUntil: BootInstant?
    /// Of this connection: whether the broker has answered to anything, and what was offered to it first.
    var hasAnswer = false
    var firstOffered: String?
    /// Connections in a row on which it has not.
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

    /// All that is not acknowledged, on disk and in memory.
    public var count: Int {
        let moments = live.count { !$0.isKept } + inFlight.values.count { !$0.isKept }
        return disk.count + moments
    }

    public var isEmpty: Bool { count == 0 }
    /// An alarm that was not offered yet, or has to be offered again.
    public var isAlarmWaiting: Bool { !alarms.isEmpty }

    /// Messages on their way to the broker that go to third parties, by what they give away.
    public var sharesUnderway: [Disclosure: [MessageID]] {
        inFlight.values.reduce(into: [:]) { underway, entry in
            guard case .share = entry.envelope.disclosure else { return }
            underway[entry.envelope.disclosure, default: []].append(entry.envelope.id)
        }
    }

    /// The last acknowledged for third parties by each grant and kind, where the disk does not know it yet.
    public var sentLately: [LedgerSequence: [QuantityKind: MessageID]] {
        disk.sent.reduce(into: [:]) { sent, last in
            guard case .party(_, let epoch) = last.key.recipient else { return }
            sent[epoch, default: [:]][last.key.kind] = last.value
        }
    }

    /// Where on the disk there may be what the broker has, or may have: what is on its way, and what it has
    /// acknowledged for third parties a moment ago.
    public var placesOffered: Set<Place> { disk.sentPlaces.union(inFlight.values.map(\.place)) }

    /// Whether the end of an emergency is not acknowledged yet, or a receipt.
    public var owesLastWord: Bool {
        func isLastWord(_ entry: Entry) -> Bool {
            if case .emergencyOver = entry.envelope.disclosure { true } else { false }
        }
        return disk.receipts > 0 || inFlight.values.contains(where: isLastWord)
            || alarms.contains(where: isLastWord)
    }

    /// - Parameter isPressing: it does not wait for others of its person.
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

    /// The next message to offer; all that it holds counts as in flight from now on, until `settle` or `refused` names
    /// the first of it.
    ///
    /// - Parameters:
    ///   - clear: the consent gate of this instant; nil for what may not leave, or not now.
    ///   - mayWait: whether what may not leave now may do so later. It is passed over, until `offerAgain` or the next
    ///     connection.
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

    /// - Returns: whether it is a part of the offer now.
    private mutating func offerEntry(
        _ entry: Entry, in offer: inout Offer, _ waiting: inout [Entry],
        _ clear: (Envelope) -> Cleared<Envelope>?, _ mayWait: (Envelope) -> Bool
    ) -> Bool {
        // Offered again after a kill, or told again by a wearable that stores: the one on its way stands for both.
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
            // What the disk does not have yet stays here, where a purge finds it.
            if entry.place <= disk.durableThrough { hasPassedOver = true } else { waiting.append(entry) }
            return false
        }
        forget(entry)
        offer.withheld.append(entry.envelope)
        return false
    }

    private func isUnderway(_ entry: Entry) -> Bool {
        inFlight[entry.envelope.id]?.envelope.topic == entry.envelope.topic
    }

    /// - Returns: also where others stand that may leave with it.
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
            // On the disk it is.
            _ = passOver(entry)
        }
        return nil
    }

    /// Whether the disk has it, or has had its time.
    func isOfferable(_ entry: Entry, at now: BootInstant) -> Bool {
        !entry.isKept || entry.place <= disk.durableThrough
            || entry.since.duration(to: now) >= Self.patience
    }

    /// The broker has it, or will never take it: either way it is done.
    /// - Parameter id: of the message: that of its first part.
    /// - Returns: what it held; nothing where it was not in flight (a second acknowledgement).
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

    /// A connection begins: what waited for it is old news, and must not stand before what is new.
    /// - Parameter maximumPayload: bytes of a message that the broker takes; nil where it names no limit.
    /// - Returns: words about a moment that has passed.
    public mutating func connected(maximumPayload: Int? = nil) -> [Envelope] {
        let outdated = live.filter { !$0.isKept }
        live.removeAll { !$0.isKept }
        retire(from: nextPlace)
        gathering.limit(to: maximumPayload)
        return outdated.map(\.envelope)
    }

    /// Nothing that was offered counts as received any more; what is durable will be read again.
    /// - Returns: words about a moment that has passed.
    public mutating func connectionLost(at now: BootInstant) -> [Envelope] {
        let lost = inFlight.values.sorted { $0.place < $1.place }
        inFlight = [:]
        gathering.connectionLost(at: now)
        for entry in lost.reversed() where entry.envelope.lane == .alarm { alarms.prepend(entry) }
        var waiting = forgetRefusals(at: now) + lost.filter { $0.envelope.lane != .alarm }
        waiting += backlog
        waiting += live
        // Those of them that are durable leave again at once: `retire` sees to it.
        live = Deque(waiting.sorted { $0.place < $1.place })
        let outdated = live.filter { !$0.isKept }
        live.removeAll { !$0.isKept }
        retire(from: .max)
        backlog = []
        disk.startOver()
        return outdated.map(\.envelope)
    }

    /// What was passed over is read again, and asked about.
    public mutating func offerAgain() {
        guard hasPassedOver else { return }
        hasPassedOver = false
        // Without a connection all is read with the next one.
        guard liveFrom != .max else { return }
        // Read again with the others, in their order.
        backlog = []
        disk.startOver()
        retire(from: nextPlace)
    }

    /// Forgets what waits in memory and may not leave any more. What is on its way is not called back.
    /// - Returns: what was forgotten, and which of those the disk does not know.
    public mutating func purge(
        where isWithheld: (Envelope) -> Bool
    ) -> (purged: [Envelope], undurable: [Envelope]) {
        var purged: [Entry] = []
        for lane in [\Outbox.alarms, \.live, \.backlog] {
            purged += self[keyPath: lane].filter { isWithheld($0.envelope) }
            self[keyPath: lane].removeAll { isWithheld($0.envelope) }
        }
        for (topic, hold) in holds {
            purged += hold.waiting.filter { isWithheld($0.envelope) }
            holds[topic]?.waiting.removeAll { isWithheld($0.envelope) }
        }
        for entry in purged { forget(entry) }
        let undurable = purged.filter { $0.isKept && $0.place > disk.durableThrough }
        return (purged.map(\.envelope), undurable.map(\.envelope))
    }

    mutating func forget(_ entry: Entry) {
        gathering.alone.remove(entry.place)
        if !refusedBefore.isEmpty {
            refusedBefore.remove(entry.place)
            apart.remove(entry.place)
        }
        if entry.isKept { disk.settle(entry) }
    }

    /// What was enqueued before `place` and is durable is on the disk, and read from there when its turn comes.
    mutating func retire(from place: Place) {
        liveFrom = place
        dropRetired()
        disk.hasMore = true
    }

    mutating func dropRetired() {
        let (durable, first) = (disk.durableThrough, liveFrom)
        live.removeAll { $0.isKept && $0.place <= durable && $0.place < first }
    }

    /// Of a retained topic only the newest word counts.
    private mutating func supersede(_ envelope: Envelope) {
        let superseded = live.filter { $0.envelope.isRetained && $0.envelope.topic == envelope.topic }
        guard !superseded.isEmpty else { return }
        live.removeAll { $0.envelope.isRetained && $0.envelope.topic == envelope.topic }
        for entry in superseded { forget(entry) }
    }
}
