import ContractReading
public import GatewayModel

/// Forwarding of one call to the outside service. Decisions only: the store keeps it in the commit of the call, and a service
/// sends its message.
///
/// It follows the state of the call, not its events: at any time one message is under way, repeated under its number until the
/// service has answered. The next one tells the state of that later time. So nothing piles up while the service is away.
public struct CallForwarding: Hashable, Codable, Sendable {
    public enum Kind: String, Hashable, Codable, Sendable {
        /// Opens a case at the service.
        case alert
        case update
        /// Nobody has to work on the case any more.
        case cancel
    }

    /// Message that is frozen until the service has answered it.
    public struct Message: Hashable, Codable, Sendable {
        /// Counts the messages of the call from 1.
        public let number: Int
        public let kind: Kind
        public let made: WallTime
        /// The `alert` that it belongs to; itself in an `alert`.
        public let first: Reference
        fileprivate let facts: Facts
    }

    /// The `alert` of a case, as later messages name it.
    public struct Reference: Hashable, Codable, Sendable {
        public let number: Int
        public let made: WallTime
    }

    /// Facts of a call that the service is told. A change of them makes a new message.
    fileprivate struct Facts: Hashable, Codable, Sendable {
        let message: MessageID?
        let house: EmergencyCall.House
        let work: EmergencyCall.Work
    }

    /// Why the message under way is not answered.
    public struct Failure: Hashable, Codable, Sendable {
        public let since: WallTime
        public let reason: String
        fileprivate let attempts: Int
    }

    /// A person of the service has the call.
    public struct Acceptance: Hashable, Codable, Sendable {
        public let by: String
        public let at: WallTime
    }

    /// Address at which the service will tell that a person has the call.
    public struct AnswerPlace: Hashable, Codable, Sendable {
        public let url: String
        public let until: WallTime
    }

    /// Answer of the service to one attempt.
    public enum Outcome: Hashable, Sendable {
        /// A machine of the service has the message.
        case handedOver(answerAt: String?)
        /// A person of the service has the call.
        case accepted(by: String)
        /// - Parameter mayHaveArrived: false if the message was certainly not sent.
        case failed(reason: String, mayHaveArrived: Bool)
    }

    /// State for the pages.
    public enum Standing: Hashable, Sendable {
        /// It is not handed on, or the case is closed at the service.
        case none
        case waitsForDispatcher(until: WallTime)
        case unanswered(since: WallTime)
        case failing(Failure)
        case handedOver(at: WallTime)
        case accepted(Acceptance)
        case withdrawn(at: WallTime)
    }

    /// 2 h, as long as a gateway asks.
    private static let answerLimit = Duration.seconds(7_200)
    /// A message that nobody answered for a day is given up: the case is no emergency any more.
    private static let messageLimit = Duration.seconds(86_400)
    /// After the first, second, … failure. 30 s is the interval at which a house calls again.
    private static let waits = [1, 2, 4, 8, 16, 30].map { Duration.seconds($0) }
    private static let longestReason = 300

    public let isDrill: Bool
    /// When the first message is due; nil while a dispatcher has the call, and after it was made.
    private var due: WallTime?
    private var first: Reference?
    public private(set) var message: Message?
    /// Whether an attempt of the message under way, or an earlier message of the case, may have reached the service.
    private var mayHaveArrived = false
    /// The same, without the attempt under way.
    private var mayHaveArrivedBefore = false
    private var last = 0
    private var told: Facts?
    private var handedOver: WallTime?
    private var withdrawn: WallTime?
    public private(set) var failure: Failure?
    public private(set) var acceptance: Acceptance?
    public private(set) var answerPlace: AnswerPlace?
    /// When there is something to do; nil while there is not.
    public private(set) var next: WallTime?

    /// Nil for a call that is not to be handed on.
    public init?(_ call: EmergencyCall, by rule: ForwardingRule, at now: WallTime) {
        guard rule.includesDrills || !call.isDrill else { return nil }
        isDrill = call.isDrill
        changed(call, by: rule, at: now)
        guard next != nil else { return nil }
    }

    public var standing: Standing {
        if let failure { return .failing(failure) }
        if let message, message.kind != .update { return .unanswered(since: message.made) }
        if let acceptance { return .accepted(acceptance) }
        if let handedOver { return .handedOver(at: handedOver) }
        if let due { return .waitsForDispatcher(until: due) }
        return withdrawn.map { .withdrawn(at: $0) } ?? .none
    }

    // MARK: Events

    /// The call has changed.
    public mutating func changed(_ call: EmergencyCall, by rule: ForwardingRule, at now: WallTime) {
        if first == nil {
            let waits = Self.isToBeOpened(call) && (rule.wait == .zero || call.work == .waiting)
            due = waits ? due ?? now.advanced(by: rule.wait) : nil
            next = due
            return
        }
        guard message == nil || Self.isOver(call) && message?.kind != .cancel else { return }
        guard mayHaveArrived || !Self.isOver(call) else { return close() }
        // An alert that was not answered is not repeated for a call that is over.
        if message != nil { (message, failure) = (nil, nil) }
        next = now
    }

    /// Begins an attempt. To be kept before it is made: a server that dies meanwhile repeats it. One attempt of a call runs
    /// at a time.
    /// - Returns: the message to send; nil if there is none now.
    public mutating func begin(_ call: EmergencyCall, by rule: ForwardingRule, at now: WallTime) -> Message? {
        if first == nil { changed(call, by: rule, at: now) }
        if message == nil { message = makeMessage(of: call, at: now) }
        guard let message else {
            next = due
            return nil
        }
        (mayHaveArrivedBefore, mayHaveArrived) = (mayHaveArrived, true)
        if message.kind == .cancel { answerPlace = nil }
        next = now
        return message
    }

    private mutating func makeMessage(of call: EmergencyCall, at now: WallTime) -> Message? {
        let facts = Self.facts(of: call)
        guard let first else {
            guard let due, due <= now else { return nil }
            last += 1
            let reference = Reference(number: last, made: now)
            (self.first, self.due, withdrawn) = (reference, nil, nil)
            return Message(number: last, kind: .alert, made: now, first: reference, facts: facts)
        }
        // A person who has the call does not need each repetition of the house.
        let isTold =
            told?.house == facts.house && told?.work == facts.work
            && (acceptance != nil || told?.message == facts.message)
        guard !isTold else { return nil }
        last += 1
        let kind = Self.isOver(call) ? Kind.cancel : .update
        return Message(number: last, kind: kind, made: now, first: first, facts: facts)
    }

    /// An attempt has ended. An outcome of a message that was replaced meanwhile changes nothing.
    /// - Returns: lines for the log of the call.
    public mutating func ended(_ number: Int, _ outcome: Outcome, at now: WallTime) -> [EmergencyCall.Entry] {
        guard let message, message.number == number else {
            // The call ended meanwhile. Of a case that the service does not have there is nothing to cancel.
            if case .failed(_, mayHaveArrived: false) = outcome, !mayHaveArrivedBefore { close() }
            return []
        }
        switch outcome {
        case .failed(let reason, let mayHaveArrived):
            return failed(message, String(reason.prefix(Self.longestReason)), mayHaveArrived, at: now)
        case .handedOver(let place):
            answered(message, at: now)
            if let place, message.kind != .cancel, acceptance == nil {
                answerPlace = AnswerPlace(url: place, until: now.advanced(by: Self.answerLimit))
            }
            return [.forwarded(message.kind, number: number)]
        case .accepted(let by):
            answered(message, at: now)
            return [.forwarded(message.kind, number: number)]
                + (message.kind == .cancel ? [] : accepted(by: by, at: now))
        }
    }

    /// The service says at its address that a person has the call.
    public mutating func accepted(by name: String, at now: WallTime) -> [EmergencyCall.Entry] {
        guard acceptance == nil, first != nil else { return [] }
        (acceptance, answerPlace) = (Acceptance(by: name, at: now), nil)
        return [.acceptedOutside(by: name)]
    }

    private mutating func answered(_ message: Message, at now: WallTime) {
        (self.message, failure, told, mayHaveArrived) = (nil, nil, message.facts, true)
        // Something may have changed since it was made.
        next = now
        guard message.kind == .cancel else {
            handedOver = handedOver ?? now
            return
        }
        close()
        // The house may have called again meanwhile.
        (withdrawn, next) = (now, now)
    }

    private mutating func failed(_ message: Message, _ reason: String, _ arrived: Bool, at now: WallTime)
        -> [EmergencyCall.Entry]
    {
        mayHaveArrived = mayHaveArrivedBefore || arrived
        guard now < message.made.advanced(by: Self.messageLimit) else {
            close()
            return [.forwardingGivenUp(reason)]
        }
        let attempts = failure?.attempts ?? 0
        let isNews = failure?.reason != reason
        failure = Failure(since: failure?.since ?? now, reason: reason, attempts: attempts + 1)
        next = now.advanced(by: Self.waits[min(attempts, Self.waits.count - 1)])
        return isNews ? [.forwardingFailed(reason)] : []
    }

    /// Ends the case. Another one begins if the house calls again.
    private mutating func close() {
        (first, message, told, failure, next) = (nil, nil, nil, nil, nil)
        (handedOver, acceptance, answerPlace) = (nil, nil, nil)
        (mayHaveArrived, mayHaveArrivedBefore) = (false, false)
    }

    // MARK: Decisions

    /// An early notice can still be cancelled by the person, and is not handed on.
    private static func isToBeOpened(_ call: EmergencyCall) -> Bool {
        guard call.house == .confirmed else { return false }
        if case .closed = call.work { return false }
        return true
    }

    /// Whether the service is to stop. A call that somebody has accepted goes on: that person may need the service.
    private static func isOver(_ call: EmergencyCall) -> Bool {
        switch call.house {
        case .over(.cancelled, _), .over(.resolved, _), .over(.lapsed, _): return true
        case .over, .pending, .confirmed: break
        }
        guard case .closed(let closing) = call.work else { return false }
        switch closing.outcome {
        case .falseAlarm, .spokenTo, .rehearsed: return true
        case .helpSent, .handedOver, .other: return false
        }
    }

    private static func facts(of call: EmergencyCall) -> Facts {
        Facts(message: call.newest?.id, house: call.house, work: call.work)
    }
}
