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

/// Outbox of commands. A command stays until its receipt or its end.
public protocol CommandStore: Sendable {
    /// Commands whose next attempt is due, oldest first.
    func due(at now: WallTime, most: Int) async throws -> [OutgoingCommand]
    /// Records that the broker has it. It is due again at `next`, unless its receipt comes.
    func markSent(_ id: String, next: WallTime) async throws
    /// Gives up commands that have ended without a receipt, but withdrawals; a link that waited for one has failed.
    func expireCommands(at now: WallTime) async throws
    /// Withdrawals that have ended without a receipt, oldest first.
    func endedWithdrawals(at now: WallTime, most: Int) async throws -> [OutgoingCommand]
    /// Puts another command in the place of one that is still without a receipt, in one commit.
    func replace(
        _ id: String, at now: WallTime, make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws
    /// Commands without a receipt.
    func openCommandCount() async throws -> Int
}
