import Alarms
import GatewayModel
import ModelSamples
import RealTime
import SOSLocal
import Testing

/// Alarms that pages are shown, for threads that do not wait for the SOS thread.
@Suite struct `The alarms that are known` {
    private static let start = Moment(
        boot: BootInstant(nanoseconds: 0), wall: WallTime(millisecondsSince1970: 1_790_000_000_000))
    private static let person = PersonID(sample: "maria")

    private static func at(_ seconds: Int64) -> BootInstant {
        BootInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private static func alarm() -> Alarm {
        let signal = WearableSignal(
            id: .random(at: start.wall), person: person, device: .housePage, kind: .sosButton, arrival: start)
        return Alarm(
            cause: .signal(signal), priority: .high, confirmation: start.boot,
            plan: SOSPlan(
                person: person, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
                ways: EscalationPlan(channels: [.mqtt])))
    }

    @Test func `show an ended one for ten minutes, the newest first, and know it for half an hour`() {
        let alarms = OpenAlarms()
        var (first, second) = (Self.alarm(), Self.alarm())
        let act = PersonAct(by: "Maria", means: .screen)
        alarms.note(first)
        alarms.note(second)
        #expect(alarms.count == 2 && alarms.recent(at: Self.at(1)).isEmpty)
        _ = first.abort(act, at: Self.at(10))
        alarms.note(first)
        _ = second.abort(act, at: Self.at(20))
        alarms.note(second)
        // Recorded once more, as after a late acknowledgement.
        alarms.note(first)
        #expect(alarms.count == 0 && !alarms.isAnyOpen(of: Self.person))
        #expect(alarms.recent(at: Self.at(30)).map(\.id) == [second.id, first.id])
        #expect(alarms.recent(at: Self.at(611)).map(\.id) == [second.id])
        #expect(alarms[first.id] != nil)
        #expect(alarms.recent(at: Self.at(1_811)).isEmpty)
        #expect(alarms[first.id] == nil && alarms[second.id] != nil)
    }
}
