public import GatewayModel

/// One request and what has become of it.
public struct RequestRecord: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        case pending
        case granted(Grant)
        case refused, withdrawn, expired
    }

    /// As it was asked.
    public let request: DataRequest
    public internal(set) var state = State.pending
    public let asked: WallTime
    /// The entry that made it what it is now.
    public internal(set) var latest: ConsentEntry
    /// As the party seals now.
    public internal(set) var party: ThirdParty

    init(_ request: DataRequest, asked entry: ConsentEntry) {
        (self.request, party, asked, latest) = (request, request.party, entry.decision.at, entry)
    }

    /// Nil where it is not granted.
    public var grant: Grant? { if case .granted(let grant) = state { grant } else { nil } }

    /// The party has another key from now on.
    mutating func seal(with key: ThirdParty.SealingKey) {
        party = party.sealing(with: key)
        guard let grant else { return }
        state = .granted(Grant(request, to: party, epoch: grant.epoch, since: grant.since))
    }
}
