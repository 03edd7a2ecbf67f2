import ControlContract
import GatewayModel
import HomeGateway
import ModelSamples
import Samples
import Testing

@testable import Alarms
@testable import Hub
@testable import SOSLocal

@Suite struct `The count of cancelled alarms` {
    private static let act = PersonAct(by: "Anna", means: .commandLine)

    private let plan = SOSPlan(
        person: Sample.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
        ways: EscalationPlan(channels: []))

    private func alarm(
        _ number: Int, by device: String = "strap", isDrill: Bool = false, isCancelled: Bool = true
    ) -> Alarm {
        let start = Sample.moment(Double(number))
        let cause: AlarmCause =
            isDrill
            ? .drill(Drill(id: Sample.id(number), person: Sample.maria, act: Self.act, arrival: start))
            : .signal(
                WearableSignal(
                    id: Sample.id(number), person: Sample.maria, device: DeviceID(sample: device), kind: .fall,
                    arrival: start))
        var alarm = Alarm(cause: cause, priority: .high, confirmation: start.boot, plan: plan)
        let end = Sample.moment(Double(number) + 1).boot
        _ = isCancelled ? alarm.abort(Self.act, at: end) : alarm.resolve(Self.act, at: end)
        return alarm
    }

    private func month(_ seconds: Double) -> String {
        String(Sample.moment(seconds).wall.inHouse.prefix(7))
    }

    @Test func `is by month, cause and device, once an alarm, without drills and real alarms`() {
        let counts = CancelledAlarmCounts()
        for alarm in [
            alarm(1), alarm(1), alarm(2), alarm(3, by: "belt"), alarm(4, isDrill: true),
            alarm(5, isCancelled: false),
        ] { counts.note(alarm) }
        let now = Sample.moment(10).wall
        #expect(
            counts.counts(at: now) == [
                CancelledAlarms(person: "maria", month: month(1), rule: "fall", device: "strap", count: 2),
                CancelledAlarms(person: "maria", month: month(1), rule: "fall", device: "belt", count: 1),
            ])
        #expect(
            counts.lines(at: now) == [
                "alarms of maria cancelled in \(month(1)): 3 (fall by strap 2, fall by belt 1)"
            ])
    }

    @Test func `goes on from the records of earlier runs, and forgets old months and an erased person`() {
        let counts = CancelledAlarmCounts()
        counts.load([1, 2].map { AlarmRecord(alarm($0), boot: "a") })
        counts.note(alarm(2))
        #expect(counts.counts(at: Sample.moment(10).wall).map(\.count) == [2])
        #expect(counts.counts(at: Sample.moment(100 * 86_400).wall) == [])
        counts.note(alarm(3))
        counts.forget(Sample.maria)
        #expect(counts.counts(at: Sample.moment(10).wall) == [])
    }
}
