public import GatewayModel

/// Tells repeated shaking from a single knock, out of a sensor's "it moves" events.
///
/// A sensor says that it vibrates again and again while it is shaken, and once or twice when it is
/// bumped into. Shaking is seen when events fell into most of the last seconds, each second counting
/// once, so that a sensor that repeats an event quickly is not believed sooner.
///
/// The figures are a choice, not a clinical finding: a generalised seizure goes on for tens of seconds,
/// brushing teeth pauses. They belong in front of whoever sets a house up.
public struct ShakingDetector: Hashable, Sendable {
    /// Looked back this far.
    public static let period = Duration.seconds(10)
    /// Of the seconds in the period, at least this many must have shaken.
    public static let shakenSeconds = 8
    /// After shaking was seen, the same bout is not told again for as long.
    public static let restAfter = Duration.seconds(60)

    /// The seconds since boot in which the sensor moved, oldest first; at most the period's.
    private var seconds: [Int64] = []
    private var restUntil: BootInstant?

    public init() {}

    /// The sensor moves.
    /// - Returns: whether this makes it shaking, once a bout.
    public mutating func moved(at now: BootInstant) -> Bool {
        let second = now.nanoseconds / 1_000_000_000
        let oldest = second - Self.period.components.seconds
        seconds.removeAll { $0 <= oldest || $0 > second }
        if seconds.last != second { seconds.append(second) }
        guard seconds.count >= Self.shakenSeconds, now >= restUntil ?? now else { return false }
        restUntil = now.advanced(by: Self.restAfter)
        return true
    }
}
