public import GatewayModel

/// What one entry of the ledger says was done.
public enum ConsentAct: Hashable, Sendable {
    /// The person's own terms with TrackMe.
    case policy(ConsentSubject, ConsentDecision.Verdict)
    /// A third party asks. Nothing leaves by it.
    case requested(DataRequest)
    /// What was asked is granted, as it was asked.
    case granted(RequestID)
    case refused(RequestID)
    case withdrawn(RequestID)
    /// The time that was asked for is over.
    case expired(RequestID)
    /// A party that this person grants something seals with another key from now on; whoever records this has
    /// checked the party's own signature.
    case partyKeyChanged(PartyID, ThirdParty.SealingKey)

    /// As it is written in files and on the command line.
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

    /// Whether it ends what was granted of that request.
    func ends(_ request: RequestID) -> Bool { self == .withdrawn(request) || self == .expired(request) }

    /// Whether it takes something away and gives nothing.
    public var onlyCloses: Bool {
        switch self {
        case .policy(_, .withdrawn), .refused, .withdrawn, .expired: true
        case .policy(_, .accepted), .requested, .granted, .partyKeyChanged: false
        }
    }
}
