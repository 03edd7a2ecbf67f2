public import GatewayModel

/// Request in the ledger of a house that the house may have accepted.
public struct OpenHouseRequest: Hashable, Sendable {
    public let id: RequestID
    public let person: PersonID

    /// Nil for a row that another version wrote.
    public init?(id: String, person: String) {
        guard let id = RequestID(id), let person = PersonID(person) else { return nil }
        (self.id, self.person) = (id, person)
    }
}
