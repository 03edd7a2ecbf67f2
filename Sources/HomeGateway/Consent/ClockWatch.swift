import GatewayModel

/// Whether the wall clock is believed where that cannot be undone: in ending a grant whose time seems over, and in
/// deleting what waits under it. Pure.
///
/// It is, once it has been synchronised for a minute and nobody has set it meanwhile. One second in another year, by a
/// receiver that begins or by hand, then ends nothing.
struct ClockWatch: Sendable {
    /// Longer than what sets a clock wrongly takes to set it right again.
    static let patience = Duration.seconds(60)
    /// Milliseconds from one look to the next that count as set. Looks are a second apart; a clock that is steered
    /// moves by less than one of these in it (500 ppm, adjtimex(2)), and one that is stepped by less harms nobody.
    static let tolerance: Int64 = 1_000

    /// Milliseconds by which the wall clock was ahead of the one that nobody sets.
    private var lead: Int64?
    private var steadySince: BootInstant?
    /// How often it was set since the first look.
    private(set) var steps = 0

    /// To be called now and then, too, when nobody asks.
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
