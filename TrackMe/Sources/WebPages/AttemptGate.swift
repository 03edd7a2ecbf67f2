public import Accounts
public import GatewayModel
import Synchronization

/// Limits tries of passwords, codes and registrations.
///
/// Wrong tries are shared with the other servers of the database, so that N servers give a stranger no more tries for a name
/// or from an address than one. The tries in a lane are those of this server, whose processor they take.
public final class AttemptGate: Sendable {
    /// Result of a try, in one of its counts.
    public struct Result: Hashable, Sendable {
        public let count: AttemptCount
        public let isGood: Bool

        public init(_ count: AttemptCount, isGood: Bool) { (self.count, self.isGood) = (count, isGood) }
    }

    private let limiter = Mutex(AttemptLimiter())
    private let share: @Sendable (Result) -> Void

    /// - Parameter share: hands a result to the other servers. Must not block.
    public init(share: @escaping @Sendable (Result) -> Void = { _ in }) { self.share = share }

    /// Returns whether a try would be admitted now.
    public func admits(_ attempt: Attempt, at now: BootInstant) -> Bool {
        limiter.withLock { $0.admits(attempt, at: now) }
    }

    /// Counts a try. False for a refused one, which has no end.
    public func begin(_ attempt: Attempt, at now: BootInstant) -> Bool {
        limiter.withLock { $0.begin(attempt, at: now) }
    }

    /// Records the result of an admitted try.
    public func end(_ attempt: Attempt, isGood: Bool) {
        if isGood { limiter.withLock { $0.succeed(attempt) } }
        for count in attempt.counts where count.kind.isShared(isGood: isGood) {
            share(Result(count, isGood: isGood))
        }
    }

    /// Records the result of a try at another server.
    public func record(_ result: Result, at now: BootInstant) {
        limiter.withLock { $0.record(result.count, isGood: result.isGood, at: now) }
    }
}
