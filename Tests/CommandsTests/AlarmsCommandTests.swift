import GatewayModel
import ModelSamples
import SOSLocal
import Samples
import Testing
import Vault

@testable import Commands

@Suite struct `The record of an alarm` {
    private static let mqtt = ChannelID(sample: "mqtt")

    /// An alarm of the reading `number`, crossed and believed at that second, with a window of 2 s.
    private func alarm(_ number: Int = 10) -> Alarm {
        let rule = LimitRule(
            kind: .heartRate, side: .high, limit: 131,
            confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)
        let plan = SOSPlan(
            person: Sample.maria, rules: [rule], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [Self.mqtt]))
        let crossing = Crossing(reading: Sample.reading(number, bpm: 150), rule: rule)
        return Alarm(
            cause: .crossing(crossing), priority: .high, confirmation: crossing.instant, plan: plan)
    }

    /// Sounded after 3 ms, called after `called` seconds, handed over and accepted.
    private func accepted(_ number: Int = 10, called: Double = 2) -> Alarm {
        var alarm = alarm(number)
        let start = Double(number)
        alarm.annunciated(at: Sample.moment(start + 0.003).boot)
        _ = alarm.tick(at: Sample.moment(start + called).boot)
        alarm.dispatched(by: Self.mqtt, at: Sample.moment(start + called).boot)
        alarm.handedOver(by: Self.mqtt, .confirmed, at: Sample.moment(start + called + 0.5).boot)
        _ = alarm.accept(
            PersonAct(by: "Operator 7", means: .channel), channel: Self.mqtt,
            at: Sample.moment(start + called + 8).boot)
        return alarm
    }

    @Test func `shows the time line beside the limits`() {
        let lines = AlarmRecord(accepted(called: 5.5), boot: "a").timeLine
        #expect(lines[1] == "heart-rate-high of maria, priority high, by strap")
        #expect(lines.contains { $0.contains("+5500 ms") && $0.hasSuffix("call given to mqtt") })
        #expect(lines.contains { $0.hasSuffix("3 ms, limit 250 ms: held") })
        #expect(lines.contains { $0.hasSuffix("6000 ms, limit 5000 ms: BROKEN") })
    }

    @Test func `says of a call that no channel got through that its limit is broken`() {
        var alarm = alarm()
        _ = alarm.tick(at: Sample.moment(12).boot)
        alarm.dispatched(by: Self.mqtt, at: Sample.moment(12).boot)
        _ = alarm.resolve(PersonAct(by: "Luca", means: .console), at: Sample.moment(30).boot)
        let lines = AlarmRecord(alarm, boot: "a").timeLine
        #expect(lines.contains { $0.hasSuffix("it never was, limit 5000 ms: BROKEN") })
    }

    @Test func `writes names to a terminal and a spreadsheet as names`() throws {
        var alarm = alarm()
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
