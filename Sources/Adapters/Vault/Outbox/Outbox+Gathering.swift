public import Consent
public import Contract
import DequeModule
public import GatewayModel

// Readings of one person that leave in one message. Each is a row of its own on the disk and is written as soon as it
// arrives: only the offer waits, so a kill takes no more of them than without gathering.
extension Outbox {
    /// Parts of one message.
    public struct Offer: Sendable {
        /// Messages of the queue, in order; empty where there is nothing to offer. The first gives the message its id.
        public internal(set) var parts: [Cleared<Envelope>] = []
        /// The parts are readings that leave in the form for several, however many they are.
        public internal(set) var isGathered = false
        /// Messages that were forgotten on the way, because they may not leave any more.
        public internal(set) var withheld: [Envelope] = []

        /// The first part; nil where there is nothing to offer.
        public var cleared: Cleared<Envelope>? { parts.first }
    }

    /// Which readings may leave together, and until when they wait for each other.
    struct Gathering: Sendable {
        /// How long a reading waits for others; zero: each leaves by itself, in the form for one.
        var time = Duration.zero
        /// When the readings that wait leave; nil where none waits.
        var end: BootInstant?
        /// Readings up to here wait no longer.
        var releasedThrough = Place.min
        /// Messages on their way that hold several readings, by the id of the first.
        var messages: [MessageID: [MessageID]] = [:]
        /// Readings that leave by themselves, since the broker has refused a message with them.
        var alone: Set<Place> = []
        /// Nothing is gathered before.
        var pausedUntil: BootInstant?
        /// Bytes of readings in one message.
        var maximumBytes = Outbox.gatheredBytes
        /// Connections in a row that ended with a gathered message on its way, and none acknowledged.
        var losses = 0
        var isAcknowledged = false

        var isOn: Bool { time > .zero }

        mutating func limit(to maximumPayload: Int?) {
            maximumBytes = min(
                Outbox.gatheredBytes, maximumPayload.map { $0 - Envelope.gatheredOverhead } ?? .max)
        }

        /// A broker of MQTT 3.1.1 has no word for a message that is too large, and may close the connection instead.
        mutating func connectionLost(at now: BootInstant) {
            if isAcknowledged { losses = 0 }
            if !messages.isEmpty, !isAcknowledged { losses += 1 }
            if losses >= Outbox.lossesInVain {
                pausedUntil = now.advanced(by: Outbox.apartPause)
                losses = 0
            }
            (messages, isAcknowledged, end) = ([:], false, nil)
        }
    }

    /// Bytes of readings in one message, as they are stored; the message has half of them. Within the smallest limit of
    /// the services in use (AWS IoT: 128 KB), and little enough that its copy is made in some tens of microseconds.
    static let gatheredBytes = 32 << 10
    /// Readings in one message: half a page of the backlog.
    static let gatheredCount = 128

    /// How long readings wait for others of their person; zero switches gathering off.
    public mutating func gather(within time: Duration) {
        gathering.time = time
        if time == .zero { (gathering.end, gathering.releasedThrough) = (nil, nextPlace - 1) }
    }

    /// Instant from which `next` has more to offer, although nothing new comes; nil where it has not.
    public var gatheringEnd: BootInstant? { gathering.end }

    /// Whether it waits for no other reading.
    func isReleased(_ entry: Entry) -> Bool {
        !entry.waits || !gathering.isOn || entry.place <= gathering.releasedThrough
            || entry.place > disk.durableThrough || gathering.alone.contains(entry.place)
    }

    /// So many readings wait that they fill messages already, and would soon have no room among the live readings.
    private var isFull: Bool { live.count >= max(1, capacity / 4) }

    /// The first reading that the disk has and that waits begins the time of all.
    /// - Returns: whether the broker's thread is to be woken: a time begins, or ends early.
    mutating func beginWindow() -> Bool {
        guard gathering.isOn, liveFrom != .max else { return false }
        guard gathering.end == nil else { return isFull }
        let (released, durable) = (gathering.releasedThrough, disk.durableThrough)
        guard let first = live.first(where: { $0.waits && $0.place > released && $0.place <= durable }) else {
            return false
        }
        gathering.end = first.since.advanced(by: gathering.time)
        return true
    }

    mutating func endWindow(at now: BootInstant) {
        guard let end = gathering.end, end <= now || isFull else { return }
        release()
    }

    /// Lets all readings on the disk leave. Later readings wait anew.
    public mutating func release() {
        gathering.releasedThrough = max(gathering.releasedThrough, disk.durableThrough)
        gathering.end = nil
    }

    /// Whether it leaves in the form for several.
    func isGathered(_ entry: Entry, at now: BootInstant) -> Bool {
        guard gathering.isOn, entry.envelope.isGatherable, !gathering.alone.contains(entry.place),
            holds[entry.envelope.topic] == nil, entry.envelope.gatheredBytes <= gathering.maximumBytes
        else { return false }
        return gathering.pausedUntil.map { $0 <= now } ?? true
    }

    /// Others of the same lane that leave with it, those that wait still among them.
    mutating func takeFollowers(
        of entry: Entry, from lane: WritableKeyPath<Outbox, Deque<Entry>>, at now: BootInstant
    ) -> [Entry] {
        var bytes = entry.envelope.gatheredBytes
        var followers: [Entry] = []
        var others = self[keyPath: lane]
        self[keyPath: lane] = []
        others.removeAll { other in
            let size = other.envelope.gatheredBytes
            guard followers.count < Self.gatheredCount - 1, bytes + size <= gathering.maximumBytes,
                other.isKept, isOfferable(other, at: now), !isHeldBack(other),
                !gathering.alone.contains(other.place), other.envelope.isGatherable(with: entry.envelope)
            else { return false }
            bytes += size
            followers.append(other)
            return true
        }
        self[keyPath: lane] = others
        return followers
    }

    /// The parts of the offer are one message.
    mutating func noteGathered(_ offer: inout Offer) {
        offer.parts.sort { (inFlight[$0.value.id]?.place ?? 0) < (inFlight[$1.value.id]?.place ?? 0) }
        let ids = offer.parts.map(\.value.id)
        guard let first = ids.first else { return }
        offer.isGathered = true
        gathering.messages[first] = ids
    }

    /// Removes a message from those in flight.
    /// - Returns: the entries that it held.
    mutating func takeInFlight(_ id: MessageID, isDelivered: Bool) -> [Entry] {
        guard let ids = gathering.messages.removeValue(forKey: id) else {
            return inFlight.removeValue(forKey: id).map { [$0] } ?? []
        }
        if isDelivered { gathering.isAcknowledged = true }
        return ids.compactMap { inFlight.removeValue(forKey: $0) }
    }

    /// A gathered message that the broker refuses is divided: one reading that it does not take must not cost the
    /// others.
    /// - Returns: nil where the message is no gathered one.
    mutating func refusedGathered(_ id: MessageID, _ refusal: Refusal, at now: BootInstant) -> Refused? {
        guard let entries = takeApart(id) else { return nil }
        hasAnswer = true
        switch refusal {
        case .everything:
            pausedUntil = now.advanced(by: Self.refusalPause)
            return entries.first.map { .postponed($0.envelope) }
        // Somebody has to give the right first.
        case .topic: gathering.pausedUntil = now.advanced(by: Self.apartPause)
        case .message, .either: gathering.pausedUntil = now.advanced(by: Self.refusalPause)
        }
        return .divided
    }

    /// Each reading of a message that could not be made is offered by itself.
    public mutating func divide(_ id: MessageID) {
        _ = takeApart(id)
    }

    private mutating func takeApart(_ id: MessageID) -> [Entry]? {
        guard let ids = gathering.messages.removeValue(forKey: id) else { return nil }
        let entries = ids.compactMap { inFlight.removeValue(forKey: $0) }
        for entry in entries {
            gathering.alone.insert(entry.place)
            putBack(entry)
        }
        return entries
    }
}
