public import GatewayModel
public import PageSecurity

/// Secret of the operator for one user, who chooses the password of an account by it.
public struct Invitation: Sendable {
    /// A weekend, and a day.
    private static let lifetime = Duration.seconds(3 * 86_400)

    public let secret: RandomSecret
    public let end: WallTime

    /// Makes a secret.
    public init(at now: WallTime) {
        (secret, end) = (RandomSecret(), now.advanced(by: Self.lifetime))
    }
}
