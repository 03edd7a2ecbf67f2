public import GatewayModel

/// One request and its state.
public struct RequestRecord: Hashable, Sendable {
    public enum State: Hashable, Sendable {
        case pending
        case granted(Grant)
        case refused, withdrawn, expired
    }

    /// Time for an answer to a request that names no end.
    public static let longestWait = Duration.seconds(30 * 86_400)

    /// The original request.
    public let request: DataRequest
    public internal(set) var state = State.pending
    public let asked: WallTime
    /// The entry that caused the present state.
    public internal(set) var latest: ConsentEntry
    /// The party with its present key.
    public internal(set) var party: ThirdParty

    init(_ request: DataRequest, asked entry: ConsentEntry) {
        (self.request, party, asked, latest) = (request, request.party, entry.decision.at, entry)
    }

    /// Time at which it expires if nobody answers: the end of the requested period, or 30 days after it was asked.
    public var lapse: WallTime {
        request.until
            ?? WallTime(
                millisecondsSince1970: asked.millisecondsSince1970 + Self.longestWait.wholeMilliseconds)
    }

    /// The grant; nil if the request is not granted.
    public var grant: Grant? { if case .granted(let grant) = state { grant } else { nil } }

    /// Replaces the sealing key of the party.
    mutating func seal(with key: ThirdParty.SealingKey) {
        party = party.sealing(with: key)
        guard let grant else { return }
        state = .granted(Grant(request, to: party, epoch: grant.epoch, since: grant.since))
    }
}
