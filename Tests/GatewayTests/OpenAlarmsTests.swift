import GatewayModel
import HelpState
import ModelSamples
import RealTime
import SOSLocal
import Samples
import Testing

@testable import Alarms

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

    @Test func `show an accepted one for an hour, as long as nobody has ended it`() {
        let alarms = OpenAlarms()
        let channel = ChannelID.mqtt
        let anna = PersonAct(by: "Anna", means: .channel)
        var (held, ended) = (Self.alarm(), Self.alarm())
        for alarm in [held, ended] { alarms.note(alarm) }
        for offset in [Int64(5), 6] {
            _ = held.tick(at: Self.at(offset))
            _ = ended.tick(at: Self.at(offset))
        }
        _ = held.accept(anna, channel: channel, othersWait: false, at: Self.at(10))
        _ = ended.accept(anna, channel: channel, othersWait: false, at: Self.at(20))
        _ = ended.resolve(PersonAct(by: "Maria", means: .screen), at: Self.at(30))
        for alarm in [held, ended] { alarms.note(alarm) }
        #expect(alarms.recent(at: Self.at(40)).map(\.id) == [ended.id, held.id])
        #expect(alarms.recent(at: Self.at(3_000)).map(\.id) == [held.id])
        #expect(alarms.recent(at: Self.at(3_611)).isEmpty)
    }

    @Test func `show an accepted one after a restart, for the rest of its hour`() throws {
        let plan = SOSPlan(
            person: Sample.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [.mqtt]))
        var machine = SOSMachine(
            plans: [plan], installed: InstalledPlace(address: "x", coordinates: nil),
            startingAt: Sample.moment(0).boot)
        let signal = WearableSignal(
            id: Sample.id(1), person: Sample.maria, device: DeviceID(sample: "tag"), kind: .fall,
            arrival: Sample.moment(1))
        _ = machine.handle(.signal(signal), at: Sample.moment(1).boot)
        _ = machine.advance(to: Sample.moment(10).boot)
        let alarm = try #require(machine.openAlarms.first?.id)
        for word in [
            ChannelEvent.handedOver(alarm, .confirmed), .accepted(alarm, of: Sample.maria, by: "Anna"),
        ] {
            _ = machine.handle(.channel(.mqtt, word), at: Sample.moment(20).boot)
        }
        // Longer than it can be taken back.
        _ = machine.advance(to: Sample.moment(3_000).boot)
        let restored = OpenAlarms()
        restored.restore(machine.snapshot)
        #expect(restored.count == 0)
        let shown = try #require(restored.recent(at: Sample.moment(3_001).boot).first)
        #expect(shown.id == alarm)
        let help = HelpState(of: shown, HelpFacts(mayCall: true), at: Sample.moment(3_001).boot)
        #expect(help == .taken(by: "Anna", at: Sample.moment(20).wall))
        _ = machine.advance(to: Sample.moment(3_621).boot)
        #expect(machine.snapshot.isEmpty, "after its hour nothing of it is kept")
    }

    @Test func `show an ended one for ten minutes, the newest first, and know it for an hour`() {
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
        #expect(alarms.recent(at: Self.at(3_611)).isEmpty)
        #expect(alarms[first.id] == nil && alarms[second.id] != nil)
    }
}
