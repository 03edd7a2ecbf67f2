import GatewayModel

/// Whether the wall clock can be right at all: a box without a battery for its clock starts in 1970, or at the time at
/// which it was switched off. Pure.
struct ClockSetting: Hashable, Sendable {
    /// How often the time is written down while it is believed.
    static let recordEvery = Duration.seconds(600)
    /// Milliseconds that a clock may be set back by without having been unset.
    private static let tolerance: Int64 = 60_000

    private let built: WallTime
    private var latest: WallTime?
    private var recordedAt: BootInstant?

    /// - Parameters:
    ///   - built: when the program was built.
    ///   - latest: the last time that was believed in an earlier run.
    init(built: WallTime, latest: WallTime?) {
        (self.built, self.latest) = (built, latest)
    }

    /// - Parameters:
    ///   - isSynchronised: the kernel says that somebody keeps the clock right.
    /// - Returns: whether the time is neither before the program was built nor, unless somebody keeps the clock right,
    ///   before a time that is over.
    func isSet(at wall: WallTime, isSynchronised: Bool) -> Bool {
        guard wall >= built else { return false }
        guard !isSynchronised, let latest else { return true }
        return wall.millisecondsSince1970 + Self.tolerance >= latest.millisecondsSince1970
    }

    /// The time to be written down, now and then; nil where there is none.
    ///
    /// - Parameter isTrusted: whether the clock is believed: it has been synchronised for a while.
    mutating func record(at now: Moment, isTrusted: Bool) -> WallTime? {
        guard isTrusted, now.wall >= built,
            recordedAt.map({ $0.duration(to: now.boot) >= Self.recordEvery }) ?? true
        else { return nil }
        (latest, recordedAt) = (now.wall, now.boot)
        return now.wall
    }
}
