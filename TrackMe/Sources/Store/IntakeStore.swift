public import Accounts
public import ContractReading
public import GatewayModel
public import Parties

/// One piece of a batch from the broker.
public enum IntakeItem: Hashable, Sendable {
    case sample(StoredSample)
    case decision(DecisionRecord)
    case answer(CommandAnswer)
    case sos(SOSReport)
    case party(PartyEvent)
    case run(RunReport)
    case gap(StoredGap)
    case notice(StoredNotice)
    case document(StoredDocument)
    case fact(StoredFact)
    case vital(SharedVital)
    case house(GatewayID, HouseReport)
    case unusable(DeadLetter)
}

/// Decision of a house, from a receipt with a good signature.
public struct DecisionRecord: Hashable, Sendable {
    public enum Matter: Hashable, Sendable {
        case request(RequestID)
        /// `data-policy` or `automated-sos`.
        case policy(String)
    }

    public enum Verdict: String, Hashable, Sendable { case accepted, refused, withdrawn, expired }

    public let subject: HousePerson
    public let matter: Matter
    public let verdict: Verdict
    public let at: WallTime
    /// Number in the house's ledger: later decisions have higher ones.
    public let entry: Int64
    /// Number of the grant of an accepted request; nil for one without data.
    public let grant: Int64?

    public init(
        subject: HousePerson, matter: Matter, verdict: Verdict, at: WallTime, entry: Int64,
        grant: Int64? = nil
    ) {
        (self.subject, self.matter, self.verdict) = (subject, matter, verdict)
        (self.at, self.entry, self.grant) = (at, entry, grant)
    }
}

/// Answer of a house to a command, from a receipt with a good signature.
public struct CommandAnswer: Hashable, Sendable {
    public let gateway: GatewayID
    /// `jti` of the command.
    public let command: String
    /// Nil unless the house refused the command.
    public let refusal: String?
    public let at: WallTime

    public init(gateway: GatewayID, command: String, refusal: String?, at: WallTime) {
        (self.gateway, self.command, self.refusal, self.at) = (gateway, command, refusal, at)
    }
}

/// Event about a third party, from a registered house.
public enum PartyEvent: Hashable, Sendable {
    /// From a receipt with a good signature.
    case answer(PartyID, RequestID, by: HousePerson, PartyRequest.Answer, at: WallTime)
    case copy(SharedCopy)
}

/// Copy of a person's data, as a house addressed it to a third party.
public struct SharedCopy: Hashable, Sendable {
    public let party: PartyID
    public let subject: HousePerson
    public let kind: String
    /// Nil where the copy itself has none.
    public let id: MessageID?
    /// Number of the grant; nil where the copy does not show it.
    public let grant: Int64?
    /// The request that it answers; nil where the copy does not show it.
    public let request: RequestID?
    public let topic: String
    /// As it came.
    public let payload: [UInt8]
    public let received: WallTime
    /// Time from which its life counts: that of its oldest value, and at the latest its arrival.
    public let measured: WallTime

    /// - Parameter measured: nil where the copy shows none.
    public init(
        party: PartyID, subject: HousePerson, kind: String, id: MessageID?, grant: Int64?,
        request: RequestID? = nil, topic: String, payload: [UInt8], received: WallTime, measured: WallTime?
    ) {
        self.request = request
        (self.party, self.subject, self.kind, self.id) = (party, subject, kind, id)
        // A clock of a house that is ahead must not keep it longer.
        self.measured = min(measured ?? received, received)
        (self.grant, self.topic, self.payload, self.received) = (grant, topic, payload, received)
    }
}

/// Message about a runner of a run.
public struct RunReport: Hashable, Sendable {
    public enum Message: Hashable, Sendable {
        case passing(PassingRecord)
        case position(RunnerPosition)
        case news(RunnerNewsRecord)
        case correction(CorrectionRecord)
    }

    public let gateway: GatewayID
    public let run: RunID
    public let bib: Bib
    public let message: Message
    /// As it came.
    public let payload: [UInt8]

    public init(gateway: GatewayID, run: RunID, bib: Bib, message: Message, payload: [UInt8]) {
        (self.gateway, self.run, self.bib) = (gateway, run, bib)
        (self.message, self.payload) = (message, payload)
    }

    /// Whether it ends the enrolment of the runner.
    public var endsEnrolment: Bool {
        if case .news(let news) = message, case .left = news.event { true } else { false }
    }
}

/// Reading that a house sends for the spectators of a run, by a grant.
public struct SharedVital: Hashable, Sendable {
    public let subject: HousePerson
    public let grant: Int64
    public let kind: QuantityKind
    /// In the unit of the kind.
    public let value: Double
    public let time: WallTime

    public init(subject: HousePerson, grant: Int64, kind: QuantityKind, value: Double, time: WallTime) {
        (self.subject, self.grant, self.kind) = (subject, grant, kind)
        (self.value, self.time) = (value, time)
    }
}

/// Event about a run, from a registered house.
public enum RunEvent: Hashable, Sendable {
    case message(RunReport)
    case vital(SharedVital)
    /// From a receipt with a good signature. It may be about a request of another capability.
    case decision(DecisionRecord)
    /// From a receipt with a good signature. It may be about a command of another capability.
    case answer(CommandAnswer)
}

/// Message of an emergency.
public struct SOSReport: Hashable, Sendable {
    public let gateway: GatewayID
    public let message: EmergencyMessage
    /// As it came.
    public let payload: [UInt8]
    /// Time of its arrival here.
    public let at: WallTime

    public init(gateway: GatewayID, message: EmergencyMessage, payload: [UInt8], at: WallTime) {
        (self.gateway, self.message, self.payload, self.at) = (gateway, message, payload, at)
    }
}

/// Message that cannot be used, with the reason. The table of them is bounded.
public struct DeadLetter: Hashable, Sendable {
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        case unreadable, unknownTopic, unknownHouse, unknownKind, future, tooLarge, badSignature, tooManySeries
        /// So old that nobody can tell any more whether it came before.
        case tooLate
        /// The block that would tell whether it came before is damaged; it is not kept.
        case damagedBlock
        /// The person has withdrawn the data policy; the payload is not kept.
        case policyWithdrawn
        /// A copy for a party that is not approved here; it is not kept.
        case noParty
        /// A copy that no open request of the party asks for; it is not kept.
        case noGrant
        /// A message of a run that has no such box, no such runner, or a box of another checkpoint; it is not kept.
        case noRun
    }

    /// Bytes of a payload that are kept.
    public static let keptBytes = 2_048
    /// Messages that are kept; the oldest go first.
    public static let kept = 1_000

    public let topic: String
    public let payload: [UInt8]
    public let reason: Reason
    /// For the operator. It repeats no value of the payload.
    public let detail: String
    public let at: WallTime

    public init(topic: String, payload: [UInt8], reason: Reason, detail: String, at: WallTime) {
        (self.topic, self.payload) = (String(topic.prefix(300)), Array(payload.prefix(Self.keptBytes)))
        (self.reason, self.detail, self.at) = (reason, detail, at)
    }
}

/// Outcome of a batch.
public struct IntakeResult: Hashable, Sendable {
    /// Readings that were not there before.
    public var fresh: [StoredSample] = []
    /// Messages about persons that the store already had.
    public var repeated = 0
    public var setAside: [DeadLetter.Reason: Int] = [:]

    public init() {}
}

/// Writes of the intake.
public protocol IntakeStore: Sendable {
    /// Number of calls of `keep` that are worth running at the same time, each with other houses.
    var batchesAtOnce: Int { get }
    /// Keeps all of a batch in one commit. Blocks until the disk has it; from any thread.
    func keep(_ batch: [IntakeItem], at now: WallTime) throws -> IntakeResult
    /// Blocks; from any thread.
    func houseKey(of gateway: GatewayID) throws -> String?
    /// Newest first.
    func deadLetters(most: Int) async throws -> [DeadLetter]
}
