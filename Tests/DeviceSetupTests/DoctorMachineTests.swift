import ControlContract
import GatewayModel
import Testing

@testable import Doctor

/// Checks on demand, by reports and ends.
@Suite struct `A check on demand` {
    private static let now = Moment(
        boot: BootInstant(nanoseconds: 9_000), wall: WallTime(millisecondsSince1970: 1_790_000_000_000))
    private static let broken = CheckReport.Finding(.problem, part: "gpsd", seen: "no answer")
    private var machine = DoctorMachine()

    @Test mutating func `runs once at a time, and never beside an alarm`() throws {
        #expect(throws: ControlError.self) { try machine.begin(at: Self.now, isAlarmOpen: true) }
        try machine.begin(at: Self.now, isAlarmOpen: false)
        #expect(machine.report.isRunning)
        #expect(throws: ControlError.self) { try machine.begin(at: Self.now, isAlarmOpen: false) }
    }

    @Test mutating func `shows the report as it grows, and its end with the end of the process alone`() throws {
        try machine.begin(at: Self.now, isAlarmOpen: false)
        machine.report(CheckReport(started: 1, current: "gpsd", done: 1, total: 2))
        #expect(
            machine.report.current == "gpsd" && machine.report.started == Self.now.wall.millisecondsSince1970)
        machine.report(CheckReport(started: 1, finished: 2, done: 2, total: 2, findings: [Self.broken]))
        #expect(machine.report.isRunning)
        machine.end(.ended("ended with exit code 69"), at: Self.now.wall)
        #expect(!machine.report.isRunning && machine.report.findings == [Self.broken])
        machine.report(CheckReport(done: 9, total: 9))
        #expect(machine.report.done == 2, "a late line changes nothing")
    }

    @Test(arguments: [
        (DoctorMachine.End.ended("was ended by signal 11"), "signal 11"), (.alarm, "alarm"),
        (.failed("the check did not end"), "did not end"),
    ])
    func `that did not come to its end is a problem, never a success`(end: DoctorMachine.End, word: String)
        throws
    {
        var machine = DoctorMachine()
        try machine.begin(at: Self.now, isAlarmOpen: false)
        machine.report(
            CheckReport(
                current: "gpsd", done: 1, total: 2,
                findings: [CheckReport.Finding(.ok, part: "settings", seen: "right")]))
        machine.end(end, at: Self.now.wall)
        #expect(machine.report.problems == 1 && machine.report.finished != nil)
        #expect(machine.report.findings.last?.seen.contains(word) == true)
    }
}
