public import CloudCommands
public import GatewayModel

/// Receipt of a gateway, with a valid signature.
public struct HouseReceipt: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        case command(CommandAnswer)
        case grantEnded(EndedGrantRecord)
        case decided(HouseDecision)
        /// Event of a newer gateway.
        case other(String)
    }

    /// Result of one command.
    public struct CommandAnswer: Hashable, Sendable {
        public enum Result: String, Hashable, Sendable {
            case done, refused
            case alreadyDone = "already-done"
            case waits
        }

        /// SHA-256 of the command's bytes, base64url.
        public let message: String
        /// `iss`, `jti` and `seq` of the command; nil if its signature is not good.
        public let issuer: String?
        public let command: String?
        public let sequence: Int64?
        public let result: Result
        /// Reason of a refusal, as the contract names it.
        public let reason: String?
        /// For people.
        public let detail: String?
    }

    public let gateway: GatewayID
    /// Its own ID: a receipt may come twice.
    public let id: MessageID
    public let issued: WallTime
    public let event: Event

    /// - Parameters:
    ///   - bytes: a compact JWS.
    ///   - check: of the gateway that the topic names.
    public init(_ bytes: [UInt8], from gateway: GatewayID, by check: ReceiptCheck) throws(ContractFault) {
        let claims: [UInt8]
        do throws(CommandRefusal) {
            claims = try check.claims(of: bytes)
        } catch {
            throw .unsound("the receipt is not signed by the gateway: \(error.reason.rawValue)")
        }
        try self.init(claims: claims, from: gateway)
    }

    /// Reads claims after their signature was verified.
    init(claims: [UInt8], from gateway: GatewayID) throws(ContractFault) {
        let head: Head = try WirePayload.read(from: claims)
        guard head.iss == gateway else { throw .elsewhere(member: "iss") }
        guard (0...1 << 40).contains(head.iat) else { throw .form("'iat' is outside of its range") }
        (self.gateway, id) = (gateway, head.jti)
        issued = WallTime(millisecondsSince1970: head.iat * 1_000)
        event =
            switch head.event {
            case "command": .command(try CommandAnswer(claims))
            case "grant-ended": .grantEnded(try EndedGrantRecord(claims))
            case "decided": .decided(try HouseDecision(claims))
            default: .other(head.event)
            }
    }

    private struct Head: Decodable {
        let iss: GatewayID
        let iat: Int64
        let jti: MessageID
        let event: String
    }
}

extension HouseReceipt.CommandAnswer {
    fileprivate init(_ claims: [UInt8]) throws(ContractFault) {
        let fields: Fields = try WirePayload.read(from: claims)
        guard let result = Result(rawValue: fields.result) else { throw .form("'result' is unknown") }
        self.init(
            message: fields.message, issuer: fields.to, command: fields.re, sequence: fields.seq,
            result: result, reason: fields.reason, detail: fields.detail)
    }

    private struct Fields: Decodable {
        let message, result: String
        let to, re, reason, detail: String?
        let seq: Int64?
    }
}

/// End of a grant: from `at` on the party gets nothing more under it.
public struct EndedGrantRecord: Hashable, Sendable {
    public let person: PersonID
    public let party: PartyID
    public let request: RequestID
    public let kinds: [String]
    public let number: Int
    /// `withdrawn` or `expired`.
    public let how: String
    public let at: WallTime
    public let purged: Int

    fileprivate init(_ claims: [UInt8]) throws(ContractFault) {
        let grant = (try WirePayload.read(Fields.self, from: claims)).grant
        (person, party, request) = (grant.person, grant.party, grant.request)
        (kinds, number, how) = (grant.kinds, grant.number, grant.how)
        (at, purged) = (grant.at.wall, grant.purged)
    }

    private struct Fields: Decodable {
        struct Grant: Decodable {
            let person: PersonID
            let party: PartyID
            let request: RequestID
            let kinds: [String]
            let number, purged: Int
            let how: String
            let at: WireTime
        }

        let grant: Grant
    }
}

/// Decision of the house, or the end of a request without one.
public struct HouseDecision: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        /// `number`: of the grant, if there is one.
        case request(PartyID, RequestID, kinds: [String], number: Int?, until: WallTime?)
        /// `data-policy` or `automated-sos`.
        case policy(String)
        /// The kind of reading whose limits a command moves.
        case limits(String)
    }

    public enum Verdict: String, Hashable, Sendable {
        case accepted, refused, withdrawn, expired, replaced
    }

    public let person: PersonID
    public let subject: Subject
    public let verdict: Verdict
    public let at: WallTime
    /// Number in the ledger of consent: a later decision has a higher one. Nil for limits.
    public let entry: Int?

    fileprivate init(_ claims: [UInt8]) throws(ContractFault) {
        let fields = (try WirePayload.read(Fields.self, from: claims)).decision
        guard let verdict = Verdict(rawValue: fields.verdict) else { throw .form("'verdict' is unknown") }
        (person, self.verdict, at, entry) = (fields.person, verdict, fields.at.wall, fields.entry)
        subject =
            switch (fields.request, fields.policy, fields.limits) {
            case (let request?, nil, nil): try Self.request(request, fields)
            case (nil, let policy?, nil): .policy(policy)
            case (nil, nil, let limits?): .limits(limits)
            default:
                throw .form("the decision is about none or about several of a request, a policy and limits")
            }
    }

    private static func request(_ request: RequestID, _ fields: Fields.Decision) throws(ContractFault)
        -> Subject
    {
        guard let party = fields.party, let kinds = fields.kinds else {
            throw .form("the member 'party' or 'kinds' is missing")
        }
        return .request(party, request, kinds: kinds, number: fields.number, until: fields.until?.wall)
    }

    private struct Fields: Decodable {
        struct Decision: Decodable {
            let person: PersonID
            let at: WireTime
            let verdict: String
            let party: PartyID?
            let request: RequestID?
            let kinds: [String]?
            let number, entry: Int?
            let until: WireTime?
            let policy, limits: String?
        }

        let decision: Decision
    }
}
