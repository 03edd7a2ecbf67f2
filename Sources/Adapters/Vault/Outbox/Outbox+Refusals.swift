public import Contract
import DequeModule
public import GatewayModel

// What the broker refuses: it waits, and what the broker takes passes it.
extension Outbox {
    /// What a refusal speaks of, as far as its code tells.
    public enum Refusal: CaseIterable, Hashable, Sendable {
        /// This message: it will not be taken as it is.
        case message
        /// Its topic: none of them is taken, until somebody gives the right.
        case topic
        /// Everything that this gateway sends.
        case everything
        /// The message or its topic.
        case either
    }

    /// What becomes of a message that was refused.
    public enum Refused: Hashable, Sendable {
        case givenUp(Envelope)
        /// It stays in the outbox.
        case postponed(Envelope)
        /// Each of its readings is offered by itself.
        case divided
    }

    /// A topic that is left alone for a while. Then one message asks for all of them: where it is taken they follow, in
    /// order; where not, all of them wait as long again.
    struct Hold: Sendable {
        var until: BootInstant
        /// On its way to ask.
        var trial: MessageID?
        /// The first of those that wait.
        var waiting: Deque<Entry> = []
        /// Between which places the others stand, on the disk.
        var passedOver: ClosedRange<Place>?

        init(until: BootInstant) {
            self.until = until
        }
    }

    /// As patient as with a broker that refuses to connect: somebody has to mend it.
    static let refusalPause = Duration.seconds(60)
    /// For a single message that was refused while others of its topic were taken, or twice: it is not likely to pass
    /// without a change at the broker, which most often comes with a new connection, and that one tries it at once.
    static let apartPause = Duration.seconds(3_600)
    /// Of a topic, held in memory: one trial a minute for an hour, before the disk is read for more.
    static let waitingSize = 64
    /// So many connections in a row that ended without an answer are more than a bad line.
    static let lossesInVain = 3

    /// The broker has refused something that waits still.
    public var isRefused: Bool { !holds.isEmpty || !apart.isEmpty }

    /// The broker does not take it. Nothing but a reading, and a word about a moment, is given up for that.
    ///
    /// A call for help is given back at once: the house has to know, and it orders another one.
    /// - Returns: nil for what was not in flight.
    public mutating func refused(_ id: MessageID, _ refusal: Refusal, at now: BootInstant) -> Refused? {
        if let divided = refusedGathered(id, refusal, at: now) { return divided }
        guard let entry = inFlight.removeValue(forKey: id) else { return nil }
        let envelope = entry.envelope
        endTrial(of: entry)
        hasAnswer = true
        guard envelope.lane != .alarm else { return giveUp(entry) }
        switch refusal {
        case .topic:
            hold(envelope.topic, until: now.advanced(by: Self.refusalPause))
            askAgain(entry)
        case .everything:
            pausedUntil = now.advanced(by: Self.refusalPause)
            // Longer than the rest: where it was its topic after all, the rest has its turn first.
            hold(envelope.topic, until: now.advanced(by: Self.refusalPause * 2))
            askAgain(entry)
        case .message where envelope.retention != .certain:
            // One mistake of somebody at the broker must not cost all that waits.
            hold(envelope.topic, until: now.advanced(by: Self.refusalPause))
            return giveUp(entry)
        case .message, .either:
            if refusedBefore.insert(entry.place).inserted {
                hold(envelope.topic, until: now.advanced(by: Self.refusalPause))
                standBack(entry)
            } else if entry.isKept {
                setApart(entry, at: now)
            } else {
                return giveUp(entry)
            }
        }
        return .postponed(envelope)
    }

    private mutating func giveUp(_ entry: Entry) -> Refused {
        forget(entry)
        return .givenUp(entry.envelope)
    }

    private mutating func hold(_ topic: String, until end: BootInstant) {
        holds[topic, default: Hold(until: end)].until = end
    }

    func isOnDisk(_ entry: Entry) -> Bool { entry.isKept && entry.place <= disk.durableThrough }

    /// To ask again, before the others of its topic.
    private mutating func askAgain(_ entry: Entry) {
        guard entry.isKept else { return putBack(entry) }
        holds[entry.envelope.topic]?.waiting.putBack(entry)
    }

    /// Another of its topic asks first; when that is taken, it was this one that was not.
    private mutating func standBack(_ entry: Entry) {
        guard isOnDisk(entry) else { return putBack(entry) }
        leaveOnDisk(entry)
    }

    private mutating func leaveOnDisk(_ entry: Entry) {
        let range = holds[entry.envelope.topic]?.passedOver ?? entry.place...entry.place
        let (first, last) = (min(range.lowerBound, entry.place), max(range.upperBound, entry.place))
        holds[entry.envelope.topic]?.passedOver = first...last
    }

    /// It waits by itself, and holds up nobody.
    private mutating func setApart(_ entry: Entry, at now: BootInstant) {
        apart.insert(entry.place)
        apartUntil = apartUntil ?? now.advanced(by: Self.apartPause)
        if !isOnDisk(entry) { putBack(entry) }
    }

    /// Where it stood before it was offered.
    mutating func putBack(_ entry: Entry) {
        guard isOnDisk(entry), entry.place < liveFrom else { return live.putBack(entry) }
        // Behind the cursor it is read in its turn.
        if entry.place <= disk.cursor { backlog.putBack(entry) } else { disk.hasMore = true }
    }

    // MARK: What leaves

    func isHeldBack(_ entry: Entry) -> Bool {
        apart.contains(entry.place) || holds[entry.envelope.topic] != nil
    }

    /// What is held back makes room for what follows it.
    /// - Returns: false where it must stay where it is: it stands nowhere else.
    mutating func passOver(_ entry: Entry) -> Bool {
        let topic = entry.envelope.topic
        guard entry.isKept else { return false }
        if apart.contains(entry.place) { return isOnDisk(entry) }
        guard let count = holds[topic]?.waiting.count else { return false }
        if count < Self.waitingSize {
            holds[topic]?.waiting.putBack(entry)
            return true
        }
        guard isOnDisk(entry) else { return false }
        leaveOnDisk(entry)
        return true
    }

    /// One of a topic whose time is over, the oldest.
    mutating func takeTrial(at now: BootInstant) -> Entry? {
        guard isRefused else { return nil }
        endWaits(at: now)
        var oldest: (topic: String, place: Place)?
        for (topic, hold) in holds where hold.until <= now && hold.trial == nil {
            guard let place = hold.waiting.first?.place, place < oldest?.place ?? .max else { continue }
            oldest = (topic, place)
        }
        guard let oldest else { return nil }
        return holds[oldest.topic]?.waiting.popFirst()
    }

    private mutating func endWaits(at now: BootInstant) {
        // Where memory knows of none that could ask, whatever comes next of that topic does.
        for (topic, hold) in holds where hold.until <= now && hold.trial == nil && hold.waiting.isEmpty {
            lift(topic)
        }
        guard let end = apartUntil, end <= now else { return }
        let (first, last) = (apart.min(), apart.max())
        (apart, apartUntil) = ([], nil)
        if let first, let last { readAgain(first...last) }
    }

    /// It is on its way: where its topic is held, it asks for all of them.
    mutating func noteOffered(_ entry: Entry) {
        guard entry.envelope.lane != .alarm else { return }
        if !holds.isEmpty { holds[entry.envelope.topic]?.trial = entry.envelope.id }
        if firstOffered == nil { firstOffered = entry.envelope.topic }
    }

    mutating func endTrial(of entry: Entry) {
        let topic = entry.envelope.topic
        if holds[topic]?.trial == entry.envelope.id { holds[topic]?.trial = nil }
    }

    /// The broker takes this topic: all of it leaves, in order.
    mutating func lift(_ topic: String) {
        guard !holds.isEmpty, let hold = holds.removeValue(forKey: topic) else { return }
        for entry in hold.waiting { putBack(entry) }
        if let range = hold.passedOver { readAgain(range) }
    }

    /// What was passed over is found on the disk, where it is read once more.
    private mutating func readAgain(_ range: ClosedRange<Place>) {
        let first = min(range.lowerBound, backlog.first?.place ?? range.lowerBound)
        // All of it is on the disk, and what is read again may belong before it.
        backlog = []
        disk.goBack(to: first)
        // Also what was live when it was passed over.
        if liveFrom != .max, range.upperBound >= liveFrom { retire(from: range.upperBound + 1) }
    }

    // MARK: The end of a connection

    /// The next connection tries everything, but for topics whose time is not over.
    /// - Returns: what of them waited in memory.
    mutating func forgetRefusals(at now: BootInstant) -> [Entry] {
        let end = now.advanced(by: Self.refusalPause)
        // A broker may close the connection instead of refusing: then what asked for its topic was refused.
        for topic in holds.keys where holds[topic]?.trial != nil { hold(topic, until: end) }
        holdSuspect(until: end)
        let waiting = holds.values.flatMap(\.waiting)
        holds = holds.mapValues { Hold(until: $0.until) }
        (apart, apartUntil, hasAnswer, firstOffered) = ([], nil, false, nil)
        return waiting
    }

    /// After some connections in vain the topic that was offered first stands back: one after the other, until the rest
    /// is taken.
    private mutating func holdSuspect(until end: BootInstant) {
        if hasAnswer { vainConnections = 0 }
        guard !hasAnswer, let suspect = firstOffered else { return }
        vainConnections += 1
        if vainConnections >= Self.lossesInVain { hold(suspect, until: end) }
    }
}

extension Deque<Outbox.Entry> {
    /// Where it belongs by the order of enqueuing, in which they all stand.
    mutating func putBack(_ entry: Outbox.Entry) {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].place < entry.place { low = middle + 1 } else { high = middle }
        }
        insert(entry, at: low)
    }
}
