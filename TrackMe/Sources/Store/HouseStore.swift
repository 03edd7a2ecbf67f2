public import GatewayModel

/// A gateway that this server serves.
public struct House: Hashable, Sendable {
    public let gateway: GatewayID
    /// Public key of the gateway as a JWK, with its thumbprint as the `kid`.
    public let key: String
    public let added: WallTime

    public init(gateway: GatewayID, key: String, added: WallTime) {
        (self.gateway, self.key, self.added) = (gateway, key, added)
    }
}

/// Houses that this server serves. Messages of others are set aside.
public protocol HouseStore: Sendable {
    /// Adds a house, or replaces its key.
    func register(_ house: House) async throws
    func house(_ gateway: GatewayID) async throws -> House?
    /// Sorted by ID.
    func houses() async throws -> [House]
}
