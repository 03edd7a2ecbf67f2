/// Where a wearable says that it is, of its person. It leaves the house for a run that the person is in, and in a call
/// for help for them; for nothing else.
public struct WearablePosition: Hashable, Sendable {
    public let person: PersonID
    public let device: DeviceID
    public let coordinates: Coordinates
    /// Metres, estimated by the wearable; nil where it does not say. Taken for ± 95 %.
    public let horizontalError: Double?
    /// By the wearable's own clock, where it says.
    public let deviceTime: WallTime?
    public let arrival: Moment

    public init(
        person: PersonID, device: DeviceID, coordinates: Coordinates, horizontalError: Double?,
        deviceTime: WallTime?, arrival: Moment
    ) {
        (self.person, self.device) = (person, device)
        (self.coordinates, self.horizontalError) = (coordinates, horizontalError)
        (self.deviceTime, self.arrival) = (deviceTime, arrival)
    }
}
