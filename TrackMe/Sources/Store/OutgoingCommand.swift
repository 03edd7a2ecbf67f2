public import GatewayModel

/// A signed command to a house, until its receipt.
public struct OutgoingCommand: Hashable, Sendable {
    /// `jti` of the claims.
    public let id: String
    public let gateway: GatewayID
    /// Request that the command is about.
    public let request: RequestID?
    /// Compact JWS.
    public let token: [UInt8]
    public let created: WallTime
    /// The gateway refuses the command from then on.
    public let expires: WallTime
    /// It ends a permission in the house, and is signed anew until the house answers.
    public let isWithdrawal: Bool

    public init(
        id: String, gateway: GatewayID, request: RequestID?, token: [UInt8], created: WallTime,
        expires: WallTime, isWithdrawal: Bool = false
    ) {
        (self.id, self.gateway, self.request, self.token) = (id, gateway, request, token)
        (self.created, self.expires, self.isWithdrawal) = (created, expires, isWithdrawal)
    }
}
