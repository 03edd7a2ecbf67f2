public import GatewayModel

/// Tokens under which houses call the desk over HTTPS. A store keeps their hashes alone.
public protocol HouseTokenStore: Sendable {
    func gateway(ofTokenWith hash: [UInt8]) async throws -> GatewayID?
    /// Replaces the token of a house; nil ends it.
    func set(_ hash: [UInt8]?, of gateway: GatewayID) async throws
}
