/// Growing pauses between tries: `first`, then twice as long each time, up to `limit`.
public struct Backoff: Hashable, Sendable {
    public let first: Duration
    public let limit: Duration
    /// Tries that failed in a row.
    public private(set) var failures = 0

    public init(first: Duration, limit: Duration) {
        self.first = first
        self.limit = limit
    }

    /// The pause after one more failure, shortened by up to a quarter, so that what failed together is
    /// not tried together again.
    public mutating func next(using jitter: inout Jitter) -> Duration {
        let doublings = min(failures, 16)
        failures += 1
        return min(first * (1 << doublings), limit) * (1 - jitter.next() / 4)
    }

    /// The longest pause at once, for failures that time alone does not heal.
    public mutating func longest() -> Duration {
        failures += 1
        return limit
    }

    public mutating func reset() { failures = 0 }
}

/// Numbers for spreading retries: no secret, and repeatable from a seed in tests.
public struct Jitter: Sendable {
    private var numbers: DerivedNumbers

    public init(seed: UInt64) { numbers = DerivedNumbers(seed: seed) }

    /// In 0..<1.
    public mutating func next() -> Double { Double(numbers.next() >> 11) / Double(1 << 53) }
}
