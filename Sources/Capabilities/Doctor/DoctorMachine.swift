import ControlContract
import GatewayModel

/// One check at a time, with its report so far. Pure.
struct DoctorMachine: Sendable {
    enum End: Hashable, Sendable {
        /// The process has ended by itself; in words.
        case ended(String)
        /// An alarm was opened, which comes first.
        case alarm
        case failed(String)
    }

    /// About 30 probes of at most 12 s; most end within a second.
    static let limit = Duration.seconds(240)

    private(set) var report = CheckReport()

    /// Errors: a check runs, or an alarm is open.
    mutating func begin(at now: Moment, isAlarmOpen: Bool) throws(ControlError) {
        guard !isAlarmOpen else {
            throw ControlError("an alarm is open, and nothing is tried beside it; end it, then try again")
        }
        guard !report.isRunning else {
            throw ControlError(
                "a check runs already; wait for its end, at most \(Self.limit.components.seconds) s")
        }
        report = CheckReport(started: now.wall.millisecondsSince1970, current: "settings")
    }

    /// Takes the report so far. The start is the gateway's, and the end comes with the end of the process.
    mutating func report(_ new: CheckReport) {
        guard report.isRunning else { return }
        var new = new
        (new.started, new.finished) = (report.started, nil)
        report = new
    }

    mutating func end(_ end: End, at now: WallTime) {
        guard report.isRunning else { return }
        let isWhole = report.done == report.total && report.current == nil && !report.findings.isEmpty
        switch end {
        case .ended(let words):
            if !isWhole, report.problems == 0 { fail("the process \(words) before the check was over") }
        case .alarm: fail("an alarm was opened, and the check was stopped for it; try again after the alarm")
        case .failed(let reason): fail(reason)
        }
        (report.current, report.finished) = (nil, now.millisecondsSince1970)
    }

    private mutating func fail(_ reason: String) {
        report.findings.append(CheckReport.Finding(.problem, part: "check", seen: reason))
    }
}
