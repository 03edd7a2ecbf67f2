public import Consent
public import GatewayModel

/// `samples/<person>/<kind>/gap`, and the same of a third party: readings that will never come, so that nobody takes silence for health.
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
    /// Of those that arrived in between.
    let kept: Int
    /// `quota`, `age` or `storage`.
    let reason: String
    let time: String
}

extension Envelope {
    /// What is missing in a person's readings, and why.
    ///
    /// - Parameters:
    ///   - recipient: whose copies of the readings are missing.
    ///   - id: of the gap: the same whenever it is sent again.
    ///   - time: when it was written down.
    public static func gap(
        _ gap: SampleGap, for recipient: SampleSeries.Recipient, id: MessageID, at time: WallTime,
        topics: Topics
    ) -> Envelope {
        let series = SampleSeries(of: gap.person, gap.kind, for: recipient)
        let payload = GapPayload(
            id: id.description, party: recipient.party?.id.text, person: gap.person.text,
            kind: gap.kind.rawValue, from: gap.from.rfc3339,
            to: gap.to.rfc3339, dropped: gap.dropped, grant: recipient.party?.grant.number, kept: gap.kept,
            reason: gap.reason.rawValue,
            time: time.rfc3339)
        return Envelope(
            id: id, lane: .live, retention: .certain, disclosure: series.disclosure,
            topic: topics.gaps(of: series), payload: WireJSON.encode(payload))
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
