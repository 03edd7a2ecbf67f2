import Consent
public import ContractReading
public import GatewayModel

/// Terms of a party's question for the data of one person.
public struct RequestTerms: Hashable, Sendable {
    public enum Flaw: String, Error, Hashable, Sendable {
        case purpose, kinds, format, precision, period, past
    }

    /// As the person reads it.
    public let purpose: String
    public let kinds: Set<DataKind>
    public let format: ReadingFormat
    public let precision: LocationPrecision
    public let from: WallTime?
    public let until: WallTime?
    /// Copies are sealed with it; nil for copies in clear.
    public let sealingKey: ThirdParty.SealingKey?
    /// By it the party changes the sealing key later.
    public let signingKey: ThirdParty.SigningKey?

    /// Holds the terms to the rules of the house, so that a house does not refuse them later.
    public init(
        purpose: String, kinds: Set<DataKind>, format: ReadingFormat = .samples,
        precision: LocationPrecision = .coarse, from: WallTime? = nil, until: WallTime? = nil,
        sealingKey: ThirdParty.SealingKey? = nil, signingKey: ThirdParty.SigningKey? = nil, now: WallTime
    ) throws(Flaw) {
        guard PlainText.holds(purpose, DataRequest.purposeLength) else { throw .purpose }
        guard !kinds.isEmpty else { throw .kinds }
        guard format == .samples || kinds.allSatisfy({ $0.quantity != nil }) else { throw .format }
        guard precision == .coarse || kinds.contains(.location) else { throw .precision }
        if let from, let until, from >= until { throw .period }
        if let until, until <= now { throw .past }
        (self.purpose, self.kinds, self.format, self.precision) = (purpose, kinds, format, precision)
        (self.from, self.until) = (from, until)
        (self.sealingKey, self.signingKey) = (sealingKey, signingKey)
    }
}

/// A party's question for the data of one person, with the person's answer.
///
/// The party sees the same states whether its fiscal code belongs to a person of this server or not: a request that
/// reached nobody stays `sent` until it expires.
public struct PartyRequest: Hashable, Sendable {
    public typealias State = RequestState

    /// Time until a request without an answer expires, as in the house.
    private static let lifeWithoutAnswer = Duration.seconds(30 * 86_400)

    public let id: RequestID
    public let party: PartyID
    /// House and person that were asked; nil where the request reached nobody. The party sees them while its request is
    /// accepted, and never before.
    public let house: GatewayID?
    public let person: PersonID?
    public let purpose: String
    /// Names of the kinds, sorted.
    public let kinds: [String]
    public let from: WallTime?
    public let until: WallTime?
    public let asked: WallTime
    /// An unanswered request expires then.
    public let expires: WallTime
    public private(set) var state: State
    public private(set) var decided: WallTime?
    /// Number of the ledger's entry that decided it last.
    public private(set) var entry: Int64?
    /// Number of the newest grant.
    public private(set) var grant: Int64?
    /// It has ended on this server, by the person or with the party. No later receipt opens it again.
    public private(set) var isClosed: Bool
    /// Somebody in the house has accepted it after its end here: the house has to be told once more.
    public private(set) var owesWithdrawal: Bool

    public init(
        id: RequestID, party: PartyID, purpose: String, kinds: [String], from: WallTime?, until: WallTime?,
        asked: WallTime, expires: WallTime, state: State = .sent, decided: WallTime? = nil,
        entry: Int64? = nil, grant: Int64? = nil, isClosed: Bool = false, owesWithdrawal: Bool = false,
        house: GatewayID? = nil, person: PersonID? = nil
    ) {
        (self.house, self.person) = (house, person)
        (self.id, self.party, self.purpose, self.kinds) = (id, party, purpose, kinds)
        (self.from, self.until, self.asked, self.expires) = (from, until, asked, expires)
        (self.state, self.decided, self.entry) = (state, decided, entry)
        (self.grant, self.isClosed, self.owesWithdrawal) = (grant, isClosed, owesWithdrawal)
    }

    public static func expiry(asked: WallTime, until: WallTime?) -> WallTime {
        let latest = asked.advanced(by: lifeWithoutAnswer)
        return until.map { min($0, latest) } ?? latest
    }

    /// Applies an answer. False where it changes nothing: it is older than the known one, or came before.
    public mutating func apply(_ answer: RequestAnswer, at time: WallTime) -> Bool {
        guard !isClosed else { return recordLateYes(answer) }
        switch answer {
        case .decided(let state, let entry, let grant):
            guard entry > self.entry ?? 0 else { return false }
            (self.state, self.entry, decided) = (state, entry, time)
            self.grant = grant ?? self.grant
        case .grantEnded(let state, let grant):
            // An older grant of a request that the person has accepted again.
            guard grant >= self.grant ?? 0, self.state.isOpen else { return false }
            (self.state, self.grant, decided) = (state, grant, time)
        }
        return true
    }

    /// A house refuses to withdraw a question that nobody has answered, and the person may still say yes to it. The yes may
    /// also have crossed the withdrawal; one withdrawal too many changes nothing in the house.
    private mutating func recordLateYes(_ answer: RequestAnswer) -> Bool {
        guard case .decided(.accepted, let entry, let grant) = answer, entry > self.entry ?? 0 else {
            return false
        }
        (self.entry, self.grant, owesWithdrawal) = (entry, grant ?? self.grant, true)
        return true
    }

    /// Records that the house is told once more.
    public mutating func withdrawAgain() { owesWithdrawal = false }

    /// Ends it on this server. False where it has ended already.
    public mutating func close(at time: WallTime) -> Bool {
        guard state.isOpen else { return false }
        (state, decided, isClosed) = (.withdrawn, time, true)
        return true
    }

    /// Expires it where its time is over. False otherwise.
    public mutating func expire(at now: WallTime) -> Bool {
        let end = state == .sent ? expires : until
        guard state.isOpen, let end, end <= now else { return false }
        (state, decided) = (.expired, now)
        return true
    }
}
