import GatewayModel

/// Decides whether the wall clock is trusted for acts that cannot be undone: the end of a grant whose time seems over,
/// and the deletion of messages that wait under it. Pure.
///
/// The clock is trusted once it has been synchronised for a minute without a step. A step of one second into another
/// year, by a receiver that starts or by hand, then ends nothing.
struct ClockStability: Sendable {
    /// Time without a step: longer than a receiver takes to correct a clock that it has set wrongly.
    static let patience = Duration.seconds(60)
    /// Milliseconds from one look to the next that count as a step. Looks are a second apart; a clock that is slewed
    /// moves by far less in that time (500 ppm, adjtimex(2)), and a smaller step does no harm.
    static let tolerance: Int64 = 1_000

    /// Milliseconds by which the wall clock was ahead of the monotonic clock.
    private var lead: Int64?
    private var steadySince: BootInstant?
    /// Number of steps since the first look.
    private(set) var steps = 0

    /// Returns whether the clock is trusted. Call it every second, so that no step is missed.
    mutating func isTrusted(at now: Moment, isSynchronised: Bool) -> Bool {
        let lead = now.wall.millisecondsSince1970 - now.boot.nanoseconds / 1_000_000
        let isSet = self.lead.map { abs(lead - $0) > Self.tolerance } ?? false
        self.lead = lead
        if isSet { steps += 1 }
        guard isSynchronised else {
            steadySince = nil
            return false
        }
        let since = isSet ? now.boot : steadySince ?? now.boot
        steadySince = since
        return since.duration(to: now.boot) >= Self.patience
    }
}
