public import Contract
import DequeModule
public import GatewayModel

// Messages that the broker refuses. They wait, and other messages overtake them.
extension Outbox {
    /// Scope of a refusal, as far as its code tells.
    public enum Refusal: CaseIterable, Hashable, Sendable {
        /// This message. It will not be accepted in this form.
        case message
        /// All messages of its topic, until an administrator grants the right.
        case topic
        /// All messages of this gateway.
        case everything
        /// Either the message or its topic.
        case either
    }

    /// Result of a refusal.
    public enum Refused: Hashable, Sendable {
        case givenUp(Envelope)
        /// It stays in the outbox.
        case postponed(Envelope)
        /// Each of its readings is offered separately.
        case divided
    }

    /// A topic that is paused. After the pause one message is offered as a trial. If the broker accepts it, the others
    /// follow in order; if not, all of them wait for another pause.
    struct Hold: Sendable {
        var until: BootInstant
        /// The trial in flight.
        var trial: MessageID?
        /// The first waiting messages.
        var waiting: Deque<Entry> = []
        /// Range of the places of the other waiting messages, which are on the disk.
        var passedOver: ClosedRange<Place>?

        init(until: BootInstant) {
            self.until = until
        }
    }

    /// The same pause as after a refused connection: an administrator has to correct the cause.
    static let refusalPause = Duration.seconds(60)
    /// Pause of a single message that was refused twice, or while others of its topic were accepted. It is unlikely to
    /// pass without a change at the broker. Such a change mostly comes with a new connection, and a new connection
    /// tries the message at once.
    static let apartPause = Duration.seconds(3_600)
    /// Messages of a topic in memory: one trial a minute for an hour, before more are read from the disk.
    static let waitingSize = 64
    /// Number of consecutive connections without an answer that a bad line no longer explains.
    static let lossesInVain = 3

    /// Whether a refused message still waits.
    public var isRefused: Bool { !holds.isEmpty || !apart.isEmpty }

    /// Handles a refused message. Only readings, and messages of the retention `moment`, are dropped for a refusal.
    ///
    /// A call for help is returned at once: the house has to be informed, and it orders another call.
    /// - Returns: nil if the message was not in flight.
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
            // Longer than the general pause. If the topic was the cause after all, the other topics have their turn
            // first.
            hold(envelope.topic, until: now.advanced(by: Self.refusalPause * 2))
            askAgain(entry)
        case .message where envelope.retention != .certain:
            // A configuration error at the broker must not lose all waiting messages.
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

    /// Queues the entry for the next trial, before the others of its topic.
    private mutating func askAgain(_ entry: Entry) {
        guard entry.isKept else { return putBack(entry) }
        holds[entry.envelope.topic]?.waiting.putBack(entry)
    }

    /// Lets another message of the topic be the next trial. If that one is accepted, this message was the cause of the
    /// refusal.
    private mutating func standBack(_ entry: Entry) {
        guard isOnDisk(entry) else { return putBack(entry) }
        leaveOnDisk(entry)
    }

    private mutating func leaveOnDisk(_ entry: Entry) {
        let range = holds[entry.envelope.topic]?.passedOver ?? entry.place...entry.place
        let (first, last) = (min(range.lowerBound, entry.place), max(range.upperBound, entry.place))
        holds[entry.envelope.topic]?.passedOver = first...last
    }

    /// Lets the entry wait separately, without delaying others.
    private mutating func setApart(_ entry: Entry, at now: BootInstant) {
        apart.insert(entry.place)
        apartUntil = apartUntil ?? now.advanced(by: Self.apartPause)
        if !isOnDisk(entry) { putBack(entry) }
    }

    /// Returns the entry to its place before the offer.
    mutating func putBack(_ entry: Entry) {
        guard isOnDisk(entry), entry.place < liveFrom else { return live.putBack(entry) }
        // After the cursor it is read in its turn.
        if entry.place <= disk.cursor { backlog.putBack(entry) } else { disk.hasMore = true }
    }

    // MARK: Offering

    func isHeldBack(_ entry: Entry) -> Bool {
        apart.contains(entry.place) || holds[entry.envelope.topic] != nil
    }

    /// Removes a held entry from its queue, so that the next ones can leave.
    /// - Returns: false if it must stay in its queue, because it is stored nowhere else.
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

    /// Returns the oldest message of a topic that has completed its pause.
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
        // If memory has no message for a trial, the next message of that topic is the trial.
        for (topic, hold) in holds where hold.until <= now && hold.trial == nil && hold.waiting.isEmpty {
            lift(topic)
        }
        guard let end = apartUntil, end <= now else { return }
        let (first, last) = (apart.min(), apart.max())
        (apart, apartUntil) = ([], nil)
        if let first, let last { readAgain(first...last) }
    }

    /// Records an offered message. If its topic is held, the message is the trial.
    mutating func noteOffered(_ entry: Entry) {
        guard entry.envelope.lane != .alarm else { return }
        if !holds.isEmpty { holds[entry.envelope.topic]?.trial = entry.envelope.id }
        if firstOffered == nil { firstOffered = entry.envelope.topic }
    }

    mutating func endTrial(of entry: Entry) {
        let topic = entry.envelope.topic
        if holds[topic]?.trial == entry.envelope.id { holds[topic]?.trial = nil }
    }

    /// Ends the hold of a topic that the broker accepts. All its messages leave, in order.
    mutating func lift(_ topic: String) {
        guard !holds.isEmpty, let hold = holds.removeValue(forKey: topic) else { return }
        for entry in hold.waiting { putBack(entry) }
        if let range = hold.passedOver { readAgain(range) }
    }

    /// Reads entries that were passed over from the disk again.
    private mutating func readAgain(_ range: ClosedRange<Place>) {
        let first = min(range.lowerBound, backlog.first?.place ?? range.lowerBound)
        // The whole backlog is on the disk, and the rows that are read again may belong before it.
        backlog = []
        disk.goBack(to: first)
        // Also entries that were live when they were passed over.
        if liveFrom != .max, range.upperBound >= liveFrom { retire(from: range.upperBound + 1) }
    }

    // MARK: The end of a connection

    /// Resets the refusals for the next connection. Topics stay paused until the end of their pause.
    /// - Returns: the held messages in memory.
    mutating func forgetRefusals(at now: BootInstant) -> [Entry] {
        let end = now.advanced(by: Self.refusalPause)
        // A broker may close the connection instead of refusing. The trial in flight then counts as refused.
        for topic in holds.keys where holds[topic]?.trial != nil { hold(topic, until: end) }
        holdSuspect(until: end)
        let waiting = holds.values.flatMap(\.waiting)
        holds = holds.mapValues { Hold(until: $0.until) }
        (apart, apartUntil, hasAnswer, firstOffered) = ([], nil, false, nil)
        return waiting
    }

    /// After some consecutive connections without an answer, holds the topic that was offered first. One topic after
    /// the other is held this way, until the rest is accepted.
    private mutating func holdSuspect(until end: BootInstant) {
        if hasAnswer { vainConnections = 0 }
        guard !hasAnswer, let suspect = firstOffered else { return }
        vainConnections += 1
        if vainConnections >= Self.lossesInVain { hold(suspect, until: end) }
    }
}

extension Deque<Outbox.Entry> {
    /// Inserts the entry by its place. The queue is sorted by place.
    mutating func putBack(_ entry: Outbox.Entry) {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].place < entry.place { low = middle + 1 } else { high = middle }
        }
        insert(entry, at: low)
    }
}
