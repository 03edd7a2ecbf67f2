public import GatewayModel
public import SOSLocal

/// One emergency of one house: the alarm's ID is unique in its house, and a house must not touch the alarm of another.
public struct CallID: Hashable, Codable, Sendable {
    public let gateway: GatewayID
    public let alarm: AlarmID

    public init(gateway: GatewayID, alarm: AlarmID) {
        (self.gateway, self.alarm) = (gateway, alarm)
    }
}

/// A person at the desk.
public struct Dispatcher: Hashable, Codable, Sendable {
    /// User name of the account.
    public let user: String
    /// Name that the house hears: 1 to 200 characters of one line.
    public let name: String

    /// Nil if the name cannot be signed into an acceptance.
    public init?(user: String, name: String) {
        guard !user.isEmpty, PlainText.holds(name, 1...200) else { return nil }
        (self.user, self.name) = (user, name)
    }

    public static func == (left: Dispatcher, right: Dispatcher) -> Bool { left.user == right.user }

    public func hash(into hasher: inout Hasher) { hasher.combine(user) }
}
