import Consent
public import GatewayModel

/// `decision` of a receipt: the matter that was decided and the verdict. It names no decider and no reading.
struct DecisionPayload: Encodable, Hashable, Sendable {
    let person: String
    /// `accepted`, `refused`, `withdrawn`, `expired`; `replaced` of limits alone.
    let verdict: String
    /// RFC 3339.
    let at: String
    // Of a request.
    let party: String?
    let request: String?
    let kinds: [String]?
    let until: String?
    /// Number of the grant; shared samples carry it.
    let number: Int64?
    /// Name of a policy.
    let policy: String?
    /// Kind of reading whose limits the command moves.
    let limits: String?
    /// Number of the entry of the ledger: later decisions have higher ones.
    let entry: Int64?
    let ledger: EndedGrant.Mark?

    init(_ answer: Answer, _ mark: LedgerMark) {
        (person, verdict, at) = (answer.person.text, answer.verdict.rawValue, answer.at.rfc3339)
        entry = answer.entry.number
        ledger = EndedGrant.Mark(seq: mark.sequence.number, hash: mark.hash)
        limits = nil
        switch answer.matter {
        case .policy(let subject):
            policy = subject.rawValue
            (party, request, kinds, until, number) = (nil, nil, nil, nil, nil)
        case .request(let asked, let grant):
            policy = nil
            (party, request) = (asked.party.id.text, asked.id.text)
            kinds = asked.kinds.map(\.rawValue).sorted()
            (until, number) = (asked.until?.rfc3339, grant?.number)
        }
    }

    init(_ answer: LimitAnswer) {
        (person, verdict, at) = (answer.person.text, answer.verdict.rawValue, answer.at.rfc3339)
        limits = answer.kind.rawValue
        (party, request, kinds, until, number) = (nil, nil, nil, nil, nil)
        (policy, entry, ledger) = (nil, nil, nil)
    }
}

extension Answer {
    /// Made of values that are the same when it is sent again after a restart.
    func receiptID(of gateway: GatewayID) -> MessageID {
        var numbers = DerivedNumbers(of: "decided \(gateway) \(entry) \(at.millisecondsSince1970)")
        return MessageID(wall: at, using: &numbers)
    }
}

/// Answer of the house to a command that makes alarms less likely.
public struct LimitAnswer: Hashable, Sendable {
    public enum Verdict: String, CaseIterable, Codable, Hashable, Sendable {
        case accepted, refused, expired
        /// A later command moves the same limits.
        case replaced
    }

    public let person: PersonID
    public let kind: QuantityKind
    public let verdict: Verdict
    public let at: WallTime
    public let command: ReceiptClaims.Subject

    public init(
        person: PersonID, kind: QuantityKind, verdict: Verdict, at: WallTime, command: ReceiptClaims.Subject
    ) {
        (self.person, self.kind, self.verdict, self.at) = (person, kind, verdict, at)
        self.command = command
    }
}
