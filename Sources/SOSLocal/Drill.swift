public import GatewayModel

/// A rehearsal of the whole way to help (T10): the same path, marked as a drill at every hop.
public struct Drill: Hashable, Codable, Sendable {
    public let id: MessageID
    public let person: PersonID
    public let act: PersonAct
    public let arrival: Moment

    public init(id: MessageID, person: PersonID, act: PersonAct, arrival: Moment) {
        self.id = id
        self.person = person
        self.act = act
        self.arrival = arrival
    }
}
