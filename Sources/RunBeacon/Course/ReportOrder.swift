import GatewayModel

/// Which reports of a runner's position are newer than what was taken.
///
/// By the source's own clock, where it has one and the report before had the same source: what is replayed or was kept
/// somewhere on the way comes with an old time and arrives new. Else by when it held by this box.
struct ReportOrder: Hashable, Sendable {
    /// A source whose clock is wrong for a moment must not close the door for a year: a time that lies farther ahead
    /// of this box's is taken for none.
    private static let ahead: Int64 = 600_000

    private var measured: BootInstant?
    private var sourceTime: WallTime?
    private var source: DeviceID?

    func isNewer(_ report: PositionReport) -> Bool {
        if let measured, report.measured.boot <= measured { return false }
        guard report.source == source, let sourceTime, let time = Self.time(of: report) else { return true }
        return time > sourceTime
    }

    mutating func take(_ report: PositionReport) {
        measured = report.measured.boot
        let time = Self.time(of: report)
        sourceTime = report.source == source ? time ?? sourceTime : time
        source = report.source
    }

    private static func time(of report: PositionReport) -> WallTime? {
        report.sourceTime.flatMap {
            $0.millisecondsSince1970 <= report.arrival.wall.millisecondsSince1970 + ahead ? $0 : nil
        }
    }
}
