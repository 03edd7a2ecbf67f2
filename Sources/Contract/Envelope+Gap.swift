import Consent
public import GatewayModel

/// `samples/<person>/<kind>/gap`: readings that will never come, so that nobody takes silence for health.
struct GapPayload: Encodable {
    let id: String
    let person: String
    let kind: String
    /// RFC 3339: arrival of the earliest reading that is missing.
    let from: String
    /// RFC 3339: arrival of the latest reading that is missing.
    let to: String
    let dropped: Int
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
    ///   - id: of the gap: the same whenever it is sent again.
    ///   - time: when it was written down.
    public static func gap(
        _ gap: SampleGap, id: MessageID, at time: WallTime, topics: Topics
    ) -> Envelope {
        let payload = GapPayload(
            id: id.description, person: gap.person.text, kind: gap.kind.rawValue, from: gap.from.rfc3339,
            to: gap.to.rfc3339, dropped: gap.dropped, kept: gap.kept, reason: gap.reason.rawValue,
            time: time.rfc3339)
        return Envelope(
            id: id, lane: .live, retention: .certain, disclosure: .readings(of: gap.person, kind: gap.kind),
            topic: topics.gaps(of: gap.person, gap.kind), payload: WireJSON.encode(payload))
    }
}
