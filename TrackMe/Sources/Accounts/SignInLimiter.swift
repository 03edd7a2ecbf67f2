public import GatewayModel

/// Limits attempts to sign in or to register, for each name and in all. Pure; memory is bounded.
///
/// Names that nobody has count as well, so that the limit does not tell which names exist.
public struct SignInLimiter: Sendable {
    /// Attempts for one name in `interval` that fail before more are refused: a person who mistypes, no dictionary.
    public static let failuresPerName = 8
    /// Attempts in all in a minute. Each takes 40 ms of one core: this is a tenth of the core.
    public static let attemptsPerMinute = 150
    static let interval = Duration.seconds(900)
    static let mostNames = 10_000

    private var failures: [String: [BootInstant]] = [:]
    private var attempts: [BootInstant] = []

    public init() {}

    /// Counts an attempt. Returns false where it is refused, before any hash is made.
    public mutating func begin(_ user: String, at now: BootInstant) -> Bool {
        attempts.removeAll { $0.advanced(by: .seconds(60)) <= now }
        guard attempts.count < Self.attemptsPerMinute, recent(user, now).count < Self.failuresPerName else {
            return false
        }
        attempts.append(now)
        return true
    }

    /// Records the result of an attempt.
    public mutating func end(_ user: String, isGood: Bool, at now: BootInstant) {
        guard !isGood else {
            failures[user] = nil
            return
        }
        if failures.count >= Self.mostNames, failures[user] == nil {
            failures = failures.filter { $0.value.last.map { $0.advanced(by: Self.interval) > now } ?? false }
            // A flood of invented names: the oldest memory makes room, an attempt costs 40 ms all the same.
            if failures.count >= Self.mostNames { failures.removeAll() }
        }
        failures[user] = recent(user, now) + [now]
    }

    private func recent(_ user: String, _ now: BootInstant) -> [BootInstant] {
        (failures[user] ?? []).filter { $0.advanced(by: Self.interval) > now }.suffix(Self.failuresPerName)
    }
}
