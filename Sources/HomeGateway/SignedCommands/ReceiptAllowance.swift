import GatewayModel

/// How many receipts may be sent that nobody is owed, as no command was taken: a bucket that fills slowly. Pure.
struct ReceiptAllowance: Hashable, Sendable {
    /// As many as somebody who tries things out makes in an afternoon's hour.
    static let most = 20
    /// Then one a minute: 500 kB a day at the most, all kept.
    static let interval = Duration.seconds(60)

    private var left = ReceiptAllowance.most
    private var filled: BootInstant?

    /// Whether one may be sent now; it counts as sent then.
    mutating func take(at now: BootInstant) -> Bool {
        if let filled, filled <= now {
            let intervals = filled.duration(to: now).wholeMilliseconds / Self.interval.wholeMilliseconds
            left = min(Self.most, left + Int(min(intervals, Int64(Self.most))))
            if intervals > 0 { self.filled = filled.advanced(by: Self.interval * Int(intervals)) }
        }
        if left == Self.most { filled = now }
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
