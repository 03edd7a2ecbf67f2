public import GatewayModel
public import PageSecurity

/// One signed-in browser.
public struct Session: Hashable, Sendable {
    /// Time after which no session of any role is valid.
    public static let longestLifetime = lifetime(of: .person)
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

    /// Time after which a user of the role has to sign in again: 30 days for a person. A browser at work is shared and sees
    /// the data of others, so that its session ends after 12 hours, the longest shift.
    public static func lifetime(of role: AccountRole) -> Duration {
        switch role {
        case .person: .seconds(30 * 86_400)
        case .dispatcher, .installer: .seconds(12 * 3_600)
        }
    }

    /// - Parameter role: of the account of the session.
    public func isValid(at now: WallTime, as role: AccountRole) -> Bool {
        now < created.advanced(by: Self.lifetime(of: role))
    }
}
