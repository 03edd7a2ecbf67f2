public import ContractReading
public import GatewayModel
import SOSLocal

/// Life of one emergency at the desk. Decisions only: the caller keeps it, and performs the actions after it is kept.
///
/// Two lives run beside each other. The house says whether the emergency lasts; the desk says which dispatcher works on it. Neither
/// ends the other: a call that the house cancels stays with its dispatcher until they close it, and a call that the
/// desk closes opens again if the house goes on calling.
public struct EmergencyCall: Hashable, Codable, Sendable {
    /// State of the emergency in the house.
    public enum House: Hashable, Codable, Sendable {
        /// The person can still cancel.
        case pending
        case confirmed
        case over(EmergencyMessage.State, EmergencyMessage.Ending?)
    }

    /// State of the work at the desk.
    public enum Work: Hashable, Codable, Sendable {
        case waiting
        case taken(Dispatcher, since: WallTime)
        case closed(Closing)
    }

    /// End of the work.
    public struct Closing: Hashable, Codable, Sendable {
        public let by: Dispatcher
        public let outcome: Outcome
        public let note: String
        public let at: WallTime
    }

    public enum Outcome: String, CaseIterable, Hashable, Codable, Sendable {
        case helpSent = "help-sent"
        case spokenTo = "spoken-to"
        case falseAlarm = "false-alarm"
        case handedOver = "handed-over"
        case rehearsed
        case other
    }

    public let id: CallID
    public let person: PersonID
    public let isDrill: Bool
    public private(set) var house: House
    public private(set) var work: Work = .waiting
    /// Arrival of the first message at the server.
    public let since: WallTime
    /// Newest call message, with the details to show. Nil if only its end was received.
    public private(set) var newest: EmergencyMessage?
    public private(set) var notes: [Note] = []
    /// IDs of messages that were handled, newest last: a repeated message changes nothing.
    private var seen: [MessageID] = []
    /// Number of the acceptance that the house has to get; each taking has its own.
    public private(set) var acceptances = 0
    /// First taking by a dispatcher, and the end in the house. Nil of a call that an earlier version kept, too.
    public private(set) var firstTaken, ended: WallTime?
    /// Last act of the holder.
    private var touched: WallTime?

    public struct Note: Hashable, Codable, Sendable {
        public let by: Dispatcher
        public let text: String
        public let at: WallTime
    }

    /// Messages of one alarm of which a repetition is recognised. A house repeats a call once a minute or more rarely.
    private static let rememberedMessages = 500
    /// Characters of a note: as many as a page shows of one text.
    public static let longestNote = 300
    private static let mostNotes = 200
    /// Time after which a taken call that its holder leaves alone rings again.
    public static let untouchedLimit = Duration.seconds(300)

    /// A call for help that is new, or an end of a call that was lost or comes later.
    public static func received(
        _ message: EmergencyMessage, from gateway: GatewayID, at now: WallTime
    ) -> (call: EmergencyCall, actions: [Action]) {
        var call = EmergencyCall(
            id: CallID(gateway: gateway, alarm: message.alarm), person: message.person,
            isDrill: message.isDrill, house: .pending, since: now)
        let actions = call.receive(message, at: now)
        return (call, actions)
    }

    private init(id: CallID, person: PersonID, isDrill: Bool, house: House, since: WallTime) {
        (self.id, self.person, self.isDrill, self.house, self.since) = (id, person, isDrill, house, since)
    }

    // MARK: State for the pages

    /// Whether it belongs on the board: somebody has to work on it.
    public var isOpen: Bool {
        switch (work, house) {
        case (.closed, _): false
        case (.taken, _): true
        case (.waiting, .over): false
        case (.waiting, _): true
        }
    }

    public var isOver: Bool { if case .over = house { true } else { false } }

    /// Whether its holder has left it alone for so long that somebody has to look: the page is open, nobody sits there.
    public func isUntouched(at now: WallTime) -> Bool {
        guard case .taken(_, let since) = work, !isOver else { return false }
        return (touched ?? since).advanced(by: Self.untouchedLimit) <= now
    }

    /// Whether the open pages ring for it.
    public func rings(at now: WallTime) -> Bool { work == .waiting && !isOver || isUntouched(at: now) }

    public var holder: Dispatcher? { if case .taken(let dispatcher, _) = work { dispatcher } else { nil } }

    /// Holder of the call, or the dispatcher that has closed it.
    public var lastHolder: Dispatcher? {
        switch work {
        case .waiting: nil
        case .taken(let dispatcher, _): dispatcher
        case .closed(let closing): closing.by
        }
    }

    /// The newest message is one by values that are doubtful and that nothing supports.
    public var isPossible: Bool { newest?.certainty == .possible }

    /// Rounds of calling so far.
    public var rounds: Int { newest?.round ?? 1 }

    // MARK: Messages of the house

    /// Handles a message of the same alarm, in any order and any number of times.
    public mutating func receive(_ message: EmergencyMessage, at now: WallTime) -> [Action] {
        guard message.person == person, !seen.contains(message.id) else { return [] }
        let isFirst = seen.isEmpty
        seen.append(message.id)
        if seen.count > Self.rememberedMessages { seen.removeFirst() }
        let entry = Action.record(.message(message.state, round: message.round, id: message.id))
        guard !message.state.isEnd else { return [entry] + end(message, at: now) }
        // A house may send one call over the broker and over HTTPS. The second arrival is no news; the broker's has more details.
        let isCopy = newest.map { Self.isCopy(message, of: $0) } ?? false
        let isNewer = !isCopy && (newest.map { !Self.isBefore(message, $0) } ?? true)
        if isNewer || isCopy && message.route == nil {
            newest = newest.map { Self.merged($0, message) } ?? message
        }
        // An end is final. A call message that comes after it was sent before it.
        guard !isOver else { return [entry] }
        let wasPending = house == .pending
        if message.state == .confirmed { house = .confirmed }
        let isConfirmedNow = wasPending && house == .confirmed
        switch work {
        case .waiting:
            return [entry]
                + (isFirst || isConfirmedNow ? [.alert(.newCall)] : isNewer ? [.alert(.repeated)] : [])
        // The house may still be calling: the acceptance did not reach it. Its clock and that of the server differ, so
        // only the order of its own messages is compared. An acceptance too many changes nothing in the house.
        case .taken(let dispatcher, _):
            return [entry] + (isNewer ? [.publishAcceptance(by: dispatcher)] : [])
        case .closed:
            guard isNewer else { return [entry] }
            work = .waiting
            return [entry, .record(.reopened), .alert(.newCall)]
        }
    }

    private mutating func end(_ message: EmergencyMessage, at now: WallTime) -> [Action] {
        guard !isOver else { return [] }
        (house, ended) = (.over(message.state, message.ending), now)
        return holder == nil ? [] : [.alert(.overWhileTaken)]
    }

    private static func isCopy(_ message: EmergencyMessage, of other: EmergencyMessage) -> Bool {
        message.route != other.route && message.state == other.state && message.round != nil
            && message.round == other.round
    }

    /// Order of two call messages: `confirmed` follows `pending`, then the round counts, then the time.
    private static func isBefore(_ left: EmergencyMessage, _ right: EmergencyMessage) -> Bool {
        func rank(_ message: EmergencyMessage) -> (Int, Int, Int64) {
            (
                message.state == .confirmed ? 1 : 0, message.round ?? 0, message.time.millisecondsSince1970
            )
        }
        return rank(left) < rank(right)
    }

    /// A short form must not take away the details that a full form of the same alarm has brought.
    private static func merged(_ old: EmergencyMessage, _ new: EmergencyMessage) -> EmergencyMessage {
        new.isShort && !old.isShort ? new.withDetails(of: old) : new
    }

    // MARK: Acts of the desk

    /// A dispatcher takes the call. The first one wins.
    public mutating func take(by dispatcher: Dispatcher, at now: WallTime) throws(DeskRefusal) -> [Action] {
        switch work {
        case .taken(dispatcher, _): return []
        case .taken(let holder, let since): throw .taken(by: holder, since: since)
        case .closed(let closing): throw .closed(by: closing.by, at: closing.at)
        case .waiting: break
        }
        if case .over(let state, let ending) = house { throw .over(state, by: ending?.by) }
        (work, touched, firstTaken) = (.taken(dispatcher, since: now), now, firstTaken ?? now)
        acceptances += 1
        return [.record(.taken(dispatcher)), .publishAcceptance(by: dispatcher)]
    }

    /// Another dispatcher takes over from a holder that is away, or has left the call alone. The house hears the new name.
    ///
    /// - Parameter isHolderAway: the holder has had no page of the desk in view for a while.
    public mutating func takeOver(
        by dispatcher: Dispatcher, reason: String, isHolderAway: Bool, at now: WallTime
    ) throws(DeskRefusal) -> [Action] {
        guard case .taken(let holder, let since) = work else {
            try requireHolder(dispatcher)
            return []
        }
        guard holder != dispatcher else { return [] }
        guard isHolderAway || isUntouched(at: now) else { throw .holderPresent(by: holder, since: since) }
        let text = try Self.checked(reason, mayBeEmpty: false)
        (work, touched) = (.taken(dispatcher, since: now), now)
        let entry = Action.record(.takenOver(dispatcher, from: holder, reason: text))
        guard !isOver else { return [entry] }
        acceptances += 1
        return [entry, .publishAcceptance(by: dispatcher)]
    }

    /// The holder says that the work on it goes on: it does not ring again for a while.
    public mutating func keepOn(by dispatcher: Dispatcher, at now: WallTime) throws(DeskRefusal) -> [Action] {
        try requireHolder(dispatcher)
        touched = now
        return [.record(.keptOn(dispatcher))]
    }

    /// Closes a call that nobody has taken, one of many of a house. The house is told nothing: if it goes on calling, the
    /// call opens again.
    public mutating func closeUntaken(
        by dispatcher: Dispatcher, _ outcome: Outcome, note: String, at now: WallTime
    ) throws(DeskRefusal) -> [Action] {
        switch work {
        case .waiting: break
        case .taken(let holder, let since): throw .taken(by: holder, since: since)
        case .closed(let closing): throw .closed(by: closing.by, at: closing.at)
        }
        let text = try Self.checked(note, mayBeEmpty: true)
        work = .closed(Closing(by: dispatcher, outcome: outcome, note: text, at: now))
        return [.record(.closed(dispatcher, outcome, note: text))]
    }

    /// The holder gives the call back. The house stays accepted and does not call any more: the desk has to be alerted.
    public mutating func release(by dispatcher: Dispatcher, at now: WallTime) throws(DeskRefusal) -> [Action] {
        try requireHolder(dispatcher)
        work = .waiting
        // Nobody has to work on a call that the house has ended.
        return [.record(.released(dispatcher))] + (isOver ? [] : [.alert(.newCall)])
    }

    /// The holder closes the call with its outcome.
    public mutating func close(
        by dispatcher: Dispatcher, _ outcome: Outcome, note: String, at now: WallTime
    ) throws(DeskRefusal) -> [Action] {
        try requireHolder(dispatcher)
        let text = try Self.checked(note, mayBeEmpty: true)
        work = .closed(Closing(by: dispatcher, outcome: outcome, note: text, at: now))
        return [.record(.closed(dispatcher, outcome, note: text))]
    }

    /// Any dispatcher adds a note, to a closed call as well.
    public mutating func add(note: String, by dispatcher: Dispatcher, at now: WallTime) throws(DeskRefusal)
        -> [Action]
    {
        let text = try Self.checked(note, mayBeEmpty: false)
        guard notes.count < Self.mostNotes else { throw .tooManyNotes }
        notes.append(Note(by: dispatcher, text: text, at: now))
        if holder == dispatcher { touched = now }
        return [.record(.noted(dispatcher, text))]
    }

    private func requireHolder(_ dispatcher: Dispatcher) throws(DeskRefusal) {
        switch work {
        case .taken(dispatcher, _): return
        case .taken(let holder, let since): throw .taken(by: holder, since: since)
        case .closed(let closing): throw .closed(by: closing.by, at: closing.at)
        case .waiting: throw .notTaken
        }
    }

    /// A note has lines; other control characters are left out.
    private static func checked(_ note: String, mayBeEmpty: Bool) throws(DeskRefusal) -> String {
        guard note.unicodeScalars.count <= longestNote else { throw .noteTooLong(limit: longestNote) }
        let scalars = note.replacing("\r\n", with: "\n").unicodeScalars.filter {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
        let text = String(String.UnicodeScalarView(scalars))
        guard mayBeEmpty || text.contains(where: { !$0.isWhitespace }) else { throw .emptyNote }
        return text
    }
}
