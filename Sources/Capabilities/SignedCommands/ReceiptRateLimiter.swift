import GatewayModel

/// Limits the rate of receipts for messages that were not accepted as commands: a token bucket. Pure.
struct ReceiptRateLimiter: Hashable, Sendable {
    /// Capacity of the bucket: as many as a person makes who tries things out for an hour.
    static let capacity = 20
    /// Time until the bucket gains one token: 500 kB a day at most, all kept.
    static let refillInterval = Duration.seconds(60)

    private var tokens = ReceiptRateLimiter.capacity
    private var refilled: BootInstant?

    /// Returns whether a receipt may be sent now, which takes a token.
    mutating func takeToken(at now: BootInstant) -> Bool {
        if let refilled, refilled <= now {
            let intervals =
                refilled.duration(to: now).wholeMilliseconds / Self.refillInterval.wholeMilliseconds
            tokens = min(Self.capacity, tokens + Int(min(intervals, Int64(Self.capacity))))
            if intervals > 0 { self.refilled = refilled.advanced(by: Self.refillInterval * Int(intervals)) }
        }
        if tokens == Self.capacity { refilled = now }
        guard tokens > 0 else { return false }
        tokens -= 1
        return true
    }
}
