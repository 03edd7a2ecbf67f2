import ControlContract
import GatewayModel
import SOSLocal
import Samples
import Testing
import Vault

@testable import Commands

@Suite struct `The record of an alarm` {
    @Test func `shows the time line beside the limits`() {
        let lines = AlarmRecord(AlarmSample.accepted(called: 5.5), boot: "a").timeLine
        #expect(lines[1] == "heart-rate-high of maria, priority high, by strap")
        #expect(lines.contains { $0.contains("+5500 ms") && $0.hasSuffix("message given to mqtt") })
        #expect(lines.contains { $0.hasSuffix("3 ms, limit 250 ms: held") })
        #expect(lines.contains { $0.hasSuffix("6000 ms, limit 5000 ms: BROKEN") })
    }

    @Test func `says of a call that no channel got through that its limit is broken`() {
        var alarm = AlarmSample.open()
        _ = alarm.tick(at: Sample.moment(12).boot)
        alarm.dispatched(by: .mqtt, at: Sample.moment(12).boot)
        _ = alarm.resolve(PersonAct(by: "Luca", means: .console), at: Sample.moment(30).boot)
        let lines = AlarmRecord(alarm, boot: "a").timeLine
        #expect(lines.contains { $0.hasSuffix("it never was, limit 5000 ms: BROKEN") })
    }

    @Test func `writes names to a terminal and a spreadsheet as names`() throws {
        var alarm = AlarmSample.open()
        _ = alarm.abort(
            PersonAct(by: "=cmd(),\"\u{1B}[2J\"", means: .console), at: Sample.moment(11).boot)
        let record = AlarmRecord(alarm, boot: "a")
        #expect(record.ending?.inWords == "aborted by =cmd(),\"[2J\"")
        let csv = AlarmExport.csv([record])
        #expect(csv.count == 2)
        #expect(csv[1].contains("\"'=cmd(),\"\"\u{1B}[2J\"\"\""))
        #expect(AlarmExport.columns.count == csv[0].split(separator: ",").count)
    }
}
