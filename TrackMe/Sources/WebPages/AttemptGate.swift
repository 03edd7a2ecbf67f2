import Accounts
import Crypto
import FoundationEssentials
public import GatewayModel
import Synchronization

/// Limits attempts to sign in and to register.
///
/// Results are shared with the other servers of the database, so that N servers give a stranger no more attempts for a name than
/// one. The attempts in all are those of this server, whose processor they take.
public final class AttemptGate: Sendable {
    /// Result of an attempt.
    public struct Result: Hashable, Sendable {
        /// Digest of the name: a person may have typed something secret there.
        public let key: String
        public let isGood: Bool

        public init(key: String, isGood: Bool) { (self.key, self.isGood) = (key, isGood) }
    }

    private let limiter = Mutex(SignInLimiter())
    private let share: @Sendable (Result) -> Void

    /// - Parameter share: hands a result to the other servers. Must not block.
    public init(share: @escaping @Sendable (Result) -> Void = { _ in }) { self.share = share }

    private static func key(of name: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(name.utf8)).prefix(16)))
    }

    /// Counts an attempt for a name. False where it is refused.
    public func begin(_ name: String, at now: BootInstant) -> Bool {
        limiter.withLock { $0.begin(Self.key(of: name), at: now) }
    }

    /// Records the result of an attempt.
    public func end(_ name: String, isGood: Bool, at now: BootInstant) {
        let result = Result(key: Self.key(of: name), isGood: isGood)
        record(result, at: now)
        share(result)
    }

    /// Records the result of an attempt at another server.
    public func record(_ result: Result, at now: BootInstant) {
        limiter.withLock { $0.end(result.key, isGood: result.isGood, at: now) }
    }
}
