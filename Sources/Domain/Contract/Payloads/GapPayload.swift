import Consent
import GatewayModel

/// Payload of `samples/<person>/<kind>/gap`, and of the same for a third party: readings that will never come, so that
/// silence is not read as health.
struct GapPayload: Encodable {
    let id: String
    let party: String?
    let person: String
    let kind: String
    /// RFC 3339: arrival of the earliest reading that is missing.
    let from: String
    /// RFC 3339: arrival of the latest reading that is missing.
    let to: String
    let dropped: Int
    /// The number of the ledger's entry that granted the readings; nil for the cloud's.
    let grant: Int64?
    /// The request that the grant accepted; nil for the cloud's.
    let request: String?
    /// Of those that arrived in between.
    let kept: Int
    /// `quota`, `age` or `storage`.
    let reason: String
    let time: String

    init(
        _ gap: SampleGap, of series: SampleSeries, answering request: RequestID?, id: MessageID,
        at time: WallTime
    ) {
        self.request = request?.text
        self.id = id.description
        let party = series.recipient.party
        (self.party, grant) = (party?.id.text, party?.grant.number)
        (person, kind) = (series.person.text, series.kind.rawValue)
        (from, to) = (gap.from.rfc3339, gap.to.rfc3339)
        (dropped, kept, reason) = (gap.dropped, gap.kept, gap.reason.rawValue)
        self.time = time.rfc3339
    }
}

extension SampleSeries.Recipient {
    /// Nil for the cloud.
    fileprivate var party: (id: PartyID, grant: LedgerSequence)? {
        switch self {
        case .cloud: nil
        case .party(let id, let grant): (id, grant)
        }
    }
}
