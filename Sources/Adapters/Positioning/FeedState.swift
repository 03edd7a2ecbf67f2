import GatewayModel

/// Whether fixes come, and since when not: decisions only, told the instant.
struct FeedState: Sendable {
    /// Receivers report once a second; ten missed are no accident. Also how long a receiver that has no
    /// fix may look for one before it is told.
    private static let silenceLimit = Duration.seconds(10)
    static let firstWait = Duration.seconds(1)
    static let longestWait = Duration.seconds(10)

    private enum Told: Equatable {
        case nothing, available
        case unavailable(String)
    }

    private var told = Told.nothing
    private var failures = 0
    private var lastReport: GPSReport?
    private var lastTime: Int64?
    /// The instants from which silence and the lack of a fix are counted.
    private var reportedAt: BootInstant?
    private var fixedAt: BootInstant?

    mutating func connected(at now: BootInstant) {
        reportedAt = now
        fixedAt = now
        lastReport = nil
    }

    /// The time of an epoch that has a fix, at its first report: a repeated report of it is later. A receiver
    /// without a fix tells the time that its own battery kept.
    mutating func newTime(of report: GPSReport) -> Int64? {
        guard report.mode >= 2, let time = report.time, time != lastTime else { return nil }
        lastTime = time
        return time
    }

    /// A report came.
    ///
    /// gpsd 3.22 gives the first epoch up to three times (seen over UDP: mode 2, then mode 3, then that
    /// again with more error estimates). A report without news of an epoch is not told again.
    mutating func reported(_ report: GPSReport, arrival: Moment) -> [PositionEvent] {
        failures = 0
        reportedAt = arrival.boot
        guard let fix = report.fix(arrival: arrival) else { return judge(at: arrival.boot) }
        fixedAt = arrival.boot
        let isDouble = report.time != nil && report == lastReport
        lastReport = report
        guard !isDouble else { return [] }
        defer { told = .available }
        return told == .available ? [.fix(fix)] : [.available, .fix(fix)]
    }

    /// Time has passed.
    mutating func judge(at now: BootInstant) -> [PositionEvent] {
        guard let reportedAt, let fixedAt else { return [] }
        if reportedAt.duration(to: now) >= Self.silenceLimit {
            return unavailable(
                "gpsd is connected and reports nothing; check that it has its receiver: gpspipe -w")
        }
        if fixedAt.duration(to: now) >= Self.silenceLimit {
            return unavailable("the receiver has no fix; it needs a view of the sky")
        }
        return []
    }

    /// The connection could not be made, or is gone.
    /// - Returns: the event to tell, and the pause before the next attempt.
    mutating func disconnected(_ reason: String) -> (events: [PositionEvent], wait: Duration) {
        reportedAt = nil
        fixedAt = nil
        let wait = min(Self.firstWait * (1 << min(failures, 4)), Self.longestWait)
        failures += 1
        return (unavailable(reason), wait)
    }

    /// The peer broke a bound of the protocol: it is tried again rarely, after any reports.
    mutating func misbehaved(_ reason: String) -> (events: [PositionEvent], wait: Duration) {
        (disconnected(reason).events, Self.longestWait)
    }

    private mutating func unavailable(_ reason: String) -> [PositionEvent] {
        guard told != .unavailable(reason) else { return [] }
        told = .unavailable(reason)
        return [.unavailable(reason: reason)]
    }
}
