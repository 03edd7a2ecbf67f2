/// Something a wearable says that is no measurement but may be a call for help.
public struct WearableSignal: Hashable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
        /// The person pressed the button that means help.
        case sosButton = "sos-button"
        /// The wearable believes that the person fell.
        case fall
        /// Repeated shaking, as in a seizure.
        case shaking
    }

    public let id: MessageID
    public let person: PersonID
    public let device: DeviceID
    public let kind: Kind
    /// When it reached the gateway.
    public let arrival: Moment

    public init(id: MessageID, person: PersonID, device: DeviceID, kind: Kind, arrival: Moment) {
        self.id = id
        self.person = person
        self.device = device
        self.kind = kind
        self.arrival = arrival
    }
}
