/// Whether the sensor touches the body, as far as it says.
public enum SensorContact: Hashable, Sendable {
    case unknown, detected, lost
}

/// One measured value of one person from one wearable.
public struct Reading: Hashable, Sendable {
    public let id: MessageID
    public let person: PersonID
    public let device: DeviceID
    public let quantity: Quantity
    public let contact: SensorContact
    /// When it reached the gateway.
    public let arrival: Moment

    public init(
        id: MessageID, person: PersonID, device: DeviceID, quantity: Quantity, contact: SensorContact,
        arrival: Moment
    ) {
        self.id = id
        self.person = person
        self.device = device
        self.quantity = quantity
        self.contact = contact
        self.arrival = arrival
    }
}
