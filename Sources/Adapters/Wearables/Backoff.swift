/// Growing pauses between tries: `first`, then twice as long each time, up to `limit`.
struct Backoff: Hashable, Sendable {
    let first: Duration
    let limit: Duration
    /// Tries that failed in a row.
    private(set) var failures = 0

    init(first: Duration, limit: Duration) {
        self.first = first
        self.limit = limit
    }

    /// A connection to a wearable: after the fifth try a minute is as good as half of one, and the radio
    /// is free for the others meanwhile (back-off of the BlueZ facts: 1, 2, 4, 8 s).
    static let connect = Backoff(first: .seconds(1), limit: .seconds(60))
    /// A step on a link that is up: soon, since the person is unwatched, but not in a busy loop.
    static let subscribe = Backoff(first: .seconds(1), limit: .seconds(8))
    /// A link that was given up because its stream was silent: it is there, so it may not stay away long
    /// (a strap that is put on again), and trying costs the others little.
    static let silence = Backoff(first: .seconds(1), limit: .seconds(15))
    /// StartDiscovery: a refused one costs bluetoothd nothing.
    static let discovery = Backoff(first: .seconds(1), limit: .seconds(30))
    /// The bus and bluetoothd themselves: a local socket, cheap to try, and everything waits for it.
    static let service = Backoff(first: .milliseconds(500), limit: .seconds(5))

    /// The pause after one more failure, shortened by up to a quarter, so that what failed together is
    /// not tried together again.
    mutating func next(using jitter: inout Jitter) -> Duration {
        let doublings = min(failures, 16)
        failures += 1
        return min(first * (1 << doublings), limit) * (1 - jitter.next() / 4)
    }

    /// The longest pause at once, for failures that time alone does not heal.
    mutating func longest() -> Duration {
        failures += 1
        return limit
    }

    mutating func reset() { failures = 0 }
}

/// Numbers for spreading retries: no secret, and repeatable from a seed in tests.
struct Jitter: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// In 0..<1. SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Double(mixed >> 11) / Double(1 << 53)
    }
}
