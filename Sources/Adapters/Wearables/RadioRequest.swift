import GatewayModel

/// What other threads ask of the radio.
enum RadioRequest: Sendable {
    case replace([Wearable])
    case alarm(PersonID, isOn: Bool)
    case hearAdverts(Bool)
    case followPositions(of: Set<PersonID>)
}
