public import Consent
public import GatewayModel

/// Claims of a receipt, before they are signed.
public struct ReceiptClaims: Encodable, Hashable, Sendable {
    public enum Event: String, Encodable, Sendable {
        /// Result of a command.
        case command
        /// A third party gets nothing more by a grant.
        case grantEnded = "grant-ended"
        /// Somebody in the house, or the clock, has decided a request, a policy or a change of limits.
        case decided
    }

    public enum Result: String, CaseIterable, Encodable, Sendable {
        case done, refused
        /// It waits for a yes in the house; a receipt of the event `decided` follows.
        case waits
        /// It came before; `first` says how it came out then.
        case alreadyDone = "already-done"
    }

    /// How a command came out.
    public struct Outcome: Encodable, Hashable, Sendable {
        public let result: Result
        /// A word of the contract, where it was refused.
        public let reason: String?
        /// For people.
        public let detail: String?

        public init(_ result: Result, reason: String? = nil, detail: String? = nil) {
            (self.result, self.reason, self.detail) = (result, reason, detail)
        }
    }

    /// The command that is answered, as far as it is known.
    public struct Subject: Hashable, Sendable {
        public let issuer: String
        public let id: String
        public let sequence: Int64

        public init(issuer: String, id: String, sequence: Int64) {
            (self.issuer, self.id, self.sequence) = (issuer, id, sequence)
        }
    }

    let iss: String
    /// Seconds since 1970.
    let iat: Int64
    let jti: String
    let event: Event
    /// SHA-256 of the message that is answered, base64url.
    let message: String?
    /// Who signed the command, its `jti` and its `seq`; nil where that is not known for sure.
    let to: String?
    let re: String?
    let seq: Int64?
    let result: Result?
    let reason: String?
    let detail: String?
    let first: Outcome?
    /// Of a grant that has ended.
    let grant: EndedGrant?
    let decision: DecisionPayload?

    /// The id of the message that carries it.
    public var id: MessageID? { MessageID(jti) }

    /// The answer to a command.
    ///
    /// - Parameters:
    ///   - message: its digest.
    ///   - first: how it came out, where `outcome` is that it came before.
    public static func answer(
        to subject: Subject?, message: String, _ outcome: Outcome, first: Outcome? = nil, id: MessageID,
        at time: WallTime, topics: Topics
    ) -> ReceiptClaims {
        ReceiptClaims(
            iss: topics.gateway.text, iat: time.millisecondsSince1970 / 1_000, jti: id.description,
            event: .command, message: message, to: subject?.issuer, re: subject?.id, seq: subject?.sequence,
            result: outcome.result, reason: outcome.reason, detail: outcome.detail, first: first, grant: nil,
            decision: nil)
    }

    /// That a grant has ended. Under an id of its own, the same however often it is told.
    public static func ended(_ ending: GrantEnding, at time: WallTime, topics: Topics) -> ReceiptClaims {
        ReceiptClaims(
            iss: topics.gateway.text, iat: time.millisecondsSince1970 / 1_000,
            jti: ending.receiptID(of: topics.gateway).description, event: .grantEnded, message: nil, to: nil,
            re: nil, seq: nil, result: nil, reason: nil, detail: nil, first: nil, grant: EndedGrant(ending),
            decision: nil)
    }

    /// Decision of the ledger. Under an ID of its own, the same each time it is sent.
    ///
    /// - Parameter mark: end of the written ledger, the decision included.
    public static func decided(_ answer: Answer, _ mark: LedgerMark, at time: WallTime, topics: Topics)
        -> ReceiptClaims
    {
        decided(
            DecisionPayload(answer, mark), id: answer.receiptID(of: topics.gateway), command: nil, at: time,
            topics: topics)
    }

    /// Answer of the house to a command that widens limits.
    public static func decided(_ answer: LimitAnswer, id: MessageID, at time: WallTime, topics: Topics)
        -> ReceiptClaims
    {
        decided(DecisionPayload(answer), id: id, command: answer.command, at: time, topics: topics)
    }

    private static func decided(
        _ decision: DecisionPayload, id: MessageID, command: Subject?, at time: WallTime, topics: Topics
    ) -> ReceiptClaims {
        ReceiptClaims(
            iss: topics.gateway.text, iat: time.millisecondsSince1970 / 1_000, jti: id.description,
            event: .decided, message: nil, to: command?.issuer, re: command?.id, seq: command?.sequence,
            result: nil, reason: nil, detail: nil, first: nil, grant: nil, decision: decision)
    }

    /// UTF-8 JSON, to be signed.
    public var json: [UInt8] { WireJSON.encode(self) }
}
