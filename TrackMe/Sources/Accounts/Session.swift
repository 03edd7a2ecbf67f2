public import GatewayModel

/// One signed-in browser.
public struct Session: Hashable, Sendable {
    /// Time after which a person has to sign in again.
    public static let lifetime = Duration.seconds(30 * 86_400)
    /// Characters of the browser's own description that are kept, for the list of sessions.
    public static let agentLength = 120

    public let id: SessionID
    public let account: AccountID
    public let created: WallTime
    public let agent: String

    public init(id: SessionID, account: AccountID, created: WallTime, agent: String) {
        (self.id, self.account, self.created) = (id, account, created)
        self.agent = String(agent.prefix(Self.agentLength))
    }

    public func isValid(at now: WallTime) -> Bool {
        now < created.advanced(by: Self.lifetime)
    }
}
