public import GatewayModel

/// Finds the enrolled tag that sent an advertisement.
public protocol TagRecogniser: Sendable {
    associatedtype Advert: Sendable

    /// Advertisements since the last enrolment that were not looked up: too many new addresses came at a time.
    var untried: Int { get }
    /// Replaces the tags, and forgets what was learnt about addresses.
    mutating func enrol(_ tags: [(identity: TagIdentity, tag: TagNumber)])
    /// Returns the tag of an advertisement; nil where no enrolled tag sent it.
    mutating func recognise(_ advert: Advert) -> TagSighting?
    /// Location that an advertisement states; nil where it states none.
    func location(in advert: Advert) -> TagLocation?
}

/// One advertisement of an enrolled tag.
public struct TagSighting: Hashable, Sendable {
    public let tag: TagNumber
    /// The data carry the tag's name, so that a second radio may carry it too.
    public let isNameCarried: Bool
    /// Octets of the sender's address; nil where the advertisement has none.
    public let address: UInt64?
    /// dBm.
    public let rssi: Int8?
    public let arrival: BootInstant

    public init(tag: TagNumber, isNameCarried: Bool, address: UInt64?, rssi: Int8?, arrival: BootInstant) {
        self.tag = tag
        self.isNameCarried = isNameCarried
        self.address = address
        self.rssi = rssi
        self.arrival = arrival
    }
}

/// Location that a tag states in its own advertisement.
public struct TagLocation: Hashable, Sendable {
    /// WGS 84, degrees.
    public let latitude, longitude: Double
    /// Metres; nil where it is unknown.
    public let horizontalAccuracy: Double?
    /// Tenths of a second since the full hour; nil where it is unknown.
    public let timeInHour: UInt16?

    public init(latitude: Double, longitude: Double, horizontalAccuracy: Double?, timeInHour: UInt16?) {
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
        self.timeInHour = timeInHour
    }
}
