public import GatewayModel

/// Act that one entry of the ledger records.
public enum ConsentAct: Hashable, Sendable {
    /// The person's own terms with TrackMe.
    case policy(ConsentSubject, ConsentDecision.Verdict)
    /// Request of a third party. It releases no data.
    case requested(DataRequest)
    /// The request is granted without changes.
    case granted(RequestID)
    case refused(RequestID)
    case withdrawn(RequestID)
    /// The requested period has ended.
    case expired(RequestID)
    /// From now on, a party with a grant of this person has another sealing key. The caller that records this has
    /// checked the party's own signature.
    case partyKeyChanged(PartyID, ThirdParty.SealingKey)

    /// Name of the act in files and on the command line.
    public var word: String {
        switch self {
        case .policy(_, let verdict): verdict.rawValue
        case .requested: "requested"
        case .granted: "granted"
        case .refused: "refused"
        case .withdrawn: "withdrawn"
        case .expired: "expired"
        case .partyKeyChanged: "party-key-changed"
        }
    }

    /// Returns whether the act ends a grant of that request.
    func ends(_ request: RequestID) -> Bool { self == .withdrawn(request) || self == .expired(request) }

    /// Whether the act only removes permissions.
    public var onlyCloses: Bool {
        switch self {
        case .policy(_, .withdrawn), .refused, .withdrawn, .expired: true
        case .policy(_, .accepted), .requested, .granted, .partyKeyChanged: false
        }
    }
}
