public import GatewayModel

/// A wearable that the settings name, and whose body it watches.
public struct Wearable: Hashable, Sendable {
    public let id: DeviceID
    public let address: DeviceAddress
    public let person: PersonID

    public init(id: DeviceID, address: DeviceAddress, person: PersonID) {
        self.id = id
        self.address = address
        self.person = person
    }
}
