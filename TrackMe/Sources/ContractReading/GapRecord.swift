public import GatewayModel

/// Readings of one series that will never come.
public struct GapRecord: Hashable, Sendable {
    public let id: MessageID
    public let person: PersonID
    public let kind: String
    /// `received` of the earliest and of the latest missing reading; both belong to the gap.
    public let from, to: WallTime
    public let dropped: Int
    /// Readings of that time that were kept.
    public let kept: Int
    /// Nil for a reason that this program does not know.
    public let reason: SampleGap.Reason?
    public let time: WallTime

    public init(_ payload: [UInt8], of person: PersonID, kind: String) throws(ContractFault) {
        let fields: Fields = try WirePayload.read(from: payload)
        guard fields.person == person else { throw .elsewhere(member: "person") }
        guard fields.kind == kind else { throw .elsewhere(member: "kind") }
        guard fields.dropped >= 1, fields.kept >= 0, fields.from.wall <= fields.to.wall else {
            throw .form("the counts or the times contradict each other")
        }
        id = fields.id
        (self.person, self.kind) = (person, kind)
        (from, to, time) = (fields.from.wall, fields.to.wall, fields.time.wall)
        (dropped, kept) = (fields.dropped, fields.kept)
        reason = SampleGap.Reason(rawValue: fields.reason)
    }

    private struct Fields: Decodable {
        let id: MessageID
        let person: PersonID
        let kind: String
        let from, to, time: WireTime
        let dropped, kept: Int
        let reason: String
    }
}
