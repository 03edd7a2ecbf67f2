/// Hash of a password in the encoded form of its algorithm, with its parameters and its salt.
public struct PasswordHash: Hashable, Sendable {
    public let encoded: String

    public init(encoded: String) { self.encoded = encoded }
}

/// Slow hash of passwords. Lanes do not wait for each other.
public protocol PasswordHasher: Sendable {
    /// Hashes a password with a new salt.
    func hash(_ password: Password, in lane: AttemptLane) async throws -> PasswordHash

    /// Returns whether the password has this hash. It takes as long with `nil`, where there is no account.
    func verify(_ password: Password, against hash: PasswordHash?, in lane: AttemptLane) async -> Bool
}
