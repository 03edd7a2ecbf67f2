public import GatewayModel

/// Where help is sent, and how sure that is (T9). It always says which of the three it is.
public enum AlarmLocation: Hashable, Sendable {
    /// A fix no older than `freshness`.
    case fix(Fix)
    /// The last fix there was, and how old it is now.
    case lastKnown(Fix, age: Duration)
    /// Where the box was installed.
    case installed(InstalledPlace)

    /// 30 s: a runner moves some 100 m in it, the accuracy a crew on foot can search.
    public static let freshness = Duration.seconds(30)

    /// The best that is known at `now`.
    ///
    /// A future fix (its instant after `now`) counts as fresh: both are of the same clock, so it can
    /// only be one that arrived while the alarm was being judged.
    public static func best(of fix: Fix?, installed: InstalledPlace, at now: BootInstant) -> AlarmLocation {
        guard let fix else { return .installed(installed) }
        let age = fix.arrival.boot.duration(to: now)
        return age <= freshness ? .fix(fix) : .lastKnown(fix, age: age)
    }
}
