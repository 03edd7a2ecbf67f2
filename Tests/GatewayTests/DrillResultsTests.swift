import ControlContract
import GatewayModel
import HomeGateway
import ModelSamples
import Samples
import Testing
import Vault

@testable import Alarms
@testable import Hub
@testable import SOSLocal

@Suite struct `The book of drills` {
    private static let mqtt = ChannelID(sample: "mqtt")
    private static let act = PersonAct(by: "Anna", means: .commandLine)

    private let plan = SOSPlan(
        person: Sample.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
        ways: EscalationPlan(channels: [Self.mqtt]))

    private func alarm(_ number: Int, isDrill: Bool = true, of person: PersonID = Sample.maria) -> Alarm {
        let start = Sample.moment(Double(number))
        let cause: AlarmCause =
            isDrill
            ? .drill(Drill(id: Sample.id(number), person: person, act: Self.act, arrival: start))
            : .signal(
                WearableSignal(
                    id: Sample.id(number), person: person, device: DeviceID(sample: "button"),
                    kind: .sosButton, arrival: start))
        return Alarm(cause: cause, priority: .high, confirmation: start.boot, plan: plan)
    }

    /// Returns its results of `alarm` after each change of the open alarms.
    private func results(_ alarms: [Alarm]) -> [DrillResults.Result] {
        let book = DrillResults()
        let open = OpenAlarms()
        for alarm in alarms {
            open.note(alarm)
            book.note(alarm, besides: open)
        }
        return book.take()
    }

    private func accepted(_ number: Int) -> Alarm {
        var alarm = alarm(number)
        let seconds = Double(number)
        _ = alarm.tick(at: Sample.moment(seconds + 2).boot)
        _ = alarm.accept(Self.act, channel: Self.mqtt, at: Sample.moment(seconds + 9).boot)
        return alarm
    }

    private func lapsed(_ number: Int) -> Alarm {
        var alarm = alarm(number)
        for round in 0..<4 { _ = alarm.tick(at: Sample.moment(Double(number + 2 + 30 * round)).boot) }
        return alarm
    }

    @Test func `says of an accepted one after how long, once`() {
        let results = results([alarm(10), accepted(10), accepted(10)])
        #expect(results == [DrillResults.Result(person: Sample.maria, answeredAfter: .seconds(9))])
        #expect(results.first?.change.holds == false)
    }

    @Test func `says of one that lapsed that nobody answered`() {
        #expect(lapsed(10).ending?.word == "lapsed")
        let results = results([alarm(10), lapsed(10)])
        #expect(results.map(\.answeredAfter) == [nil])
        #expect(results.first?.change.holds == true)
    }

    @Test func `says nothing of one that was cancelled, or that an emergency overtook`() {
        var cancelled = alarm(10)
        _ = cancelled.abort(Self.act, at: Sample.moment(11).boot)
        #expect(results([cancelled]).isEmpty)
        var overtaken = alarm(10)
        _ = overtaken.end(.lapsed(at: Sample.moment(11).boot), at: Sample.moment(11).boot)
        #expect(results([alarm(10), alarm(11, isDrill: false), overtaken]).isEmpty)
        let paolo = PersonID(sample: "paolo")
        #expect(results([alarm(10), alarm(11, isDrill: false, of: paolo), overtaken]).isEmpty)
        // One that was open before did not end it.
        #expect(results([alarm(9, isDrill: false, of: paolo), alarm(10), lapsed(10)]).count == 1)
    }

    @Test func `finds in the record whose last drill nobody answered`() {
        func records(_ alarms: [Alarm]) -> [AlarmRecord] { alarms.map { AlarmRecord($0, boot: "a") } }
        #expect(DrillResults.failed(in: records([lapsed(200), accepted(10)])) == ["maria"])
        #expect(DrillResults.failed(in: records([accepted(200), lapsed(10)])).isEmpty)
        // An emergency while it ran.
        #expect(DrillResults.failed(in: records([alarm(40, isDrill: false), lapsed(10)])).isEmpty)
        #expect(DrillResults.failed(in: records([alarm(400, isDrill: false), lapsed(10)])) == ["maria"])
    }
}
