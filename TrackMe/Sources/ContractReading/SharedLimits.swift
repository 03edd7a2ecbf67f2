public import GatewayModel

/// Limits of a person's alarms, as a house shares them with one party.
public struct SharedLimits: Hashable, Sendable {
    public let person: PersonID
    /// Kinds that this program does not know are left out.
    public let limits: [AlarmLimits]
    /// When the gateway found them.
    public let time: WallTime

    public init(_ payload: [UInt8], for party: PartyID, of person: PersonID) throws(ContractFault) {
        let fields: Fields = try WirePayload.read(from: payload)
        guard fields.party == party else { throw .elsewhere(member: "party") }
        guard fields.person == person else { throw .elsewhere(member: "person") }
        guard fields.kind == DataKind.limits.rawValue else { throw .elsewhere(member: "kind") }
        self.person = person
        time = fields.time.wall
        limits = fields.value.compactMap { entry in
            guard let kind = QuantityKind(rawValue: entry.kind), entry.unit == kind.coding.unit else {
                return nil
            }
            var limits = AlarmLimits(kind)
            (limits.low, limits.high) = (entry.low, entry.high)
            (limits.warningLow, limits.warningHigh) = (entry.warningLow, entry.warningHigh)
            return limits
        }
    }

    private struct Fields: Decodable {
        struct Limits: Decodable {
            let kind, unit: String
            let low, high, warningLow, warningHigh: Double?
        }

        let id: MessageID
        let party: PartyID
        let person: PersonID
        let kind: String
        let time: WireTime
        let value: [Limits]
    }
}
