/// A point on WGS 84.
public struct Coordinates: Hashable, Codable, Sendable {
    /// Degrees, -90...90, north positive.
    public let latitude: Double
    /// Degrees, -180...180, east positive.
    public let longitude: Double

    /// Nil for what is no point of the globe.
    public init?(latitude: Double, longitude: Double) {
        guard (-90.0...90).contains(latitude), (-180.0...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A position fix from the satellite receiver.
public struct Fix: Hashable, Codable, Sendable {
    public let coordinates: Coordinates
    /// Metres above mean sea level, where the fix is three-dimensional.
    public let altitude: Double?
    /// Estimated horizontal error in metres, where the receiver says: gpsd's `eph`, by its manual "guessed
    /// to be 95 % confidence", for some receivers one or two sigma.
    public let horizontalError: Double?
    /// When it reached the gateway; its age is counted from here.
    public let arrival: Moment

    public init(coordinates: Coordinates, altitude: Double?, horizontalError: Double?, arrival: Moment) {
        self.coordinates = coordinates
        self.altitude = altitude
        self.horizontalError = horizontalError
        self.arrival = arrival
    }
}

/// Where the box was installed, as the installer wrote it down.
public struct InstalledPlace: Hashable, Sendable {
    public let address: String
    public let coordinates: Coordinates?

    public init(address: String, coordinates: Coordinates?) {
        self.address = address
        self.coordinates = coordinates
    }
}

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
