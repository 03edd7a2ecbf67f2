public import PageSecurity

/// Hash of the secret of a browser that has signed in. The browser keeps the secret in a cookie of its own, over the end of
/// its sessions and for each of its accounts.
public struct BrowserID: Hashable, Sendable {
    /// Time for which a browser is known to an account after its last sign-in.
    public static let lifetime = Duration.seconds(180 * 86_400)
    /// Browsers that are known to an account. Another one replaces the one with the oldest sign-in.
    public static let mostOfAccount = 50

    public let hash: [UInt8]

    public init(hash: [UInt8]) { self.hash = hash }

    public init(_ token: SessionToken) { self.init(hash: token.id.hash) }
}
