import GatewayModel

/// Which reports of a runner's position are newer than what was taken.
///
/// By the clock of each source, where it has one: what is replayed or was kept somewhere on the way comes with an old
/// time and arrives new. And by when it held by this box. A runner has few sources: those that the box was told of.
struct ReportOrder: Hashable, Sendable {
    /// A source whose clock is wrong for a moment must not close the door for a year: a time that lies farther ahead
    /// of this box's is taken for none.
    private static let ahead: Int64 = 600_000

    private var measured: BootInstant?
    private var sourceTimes: [DeviceID: WallTime] = [:]

    func isNewer(_ report: PositionReport) -> Bool {
        if let measured, report.measured.boot <= measured { return false }
        guard let last = report.source.flatMap({ sourceTimes[$0] }), let time = Self.time(of: report) else {
            return true
        }
        return time > last
    }

    mutating func take(_ report: PositionReport) {
        measured = report.measured.boot
        if let source = report.source, let time = Self.time(of: report) { sourceTimes[source] = time }
    }

    private static func time(of report: PositionReport) -> WallTime? {
        report.sourceTime.flatMap {
            $0.millisecondsSince1970 <= report.arrival.wall.millisecondsSince1970 + ahead ? $0 : nil
        }
    }
}
