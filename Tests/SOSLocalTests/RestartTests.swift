import Foundation
import GatewayModel
import SOSLocal
import Testing

/// T6: a gateway that dies inside a window comes back with the same deadlines; if it cannot know how long it
/// was away, it dispatches.
@Suite struct `A restart` {
    /// What is left after the disk: everything that is kept goes through its stored form.
    private func stored(_ machine: SOSMachine, movedBy shift: Duration = .zero) throws -> SOSSnapshot {
        let bytes = try JSONEncoder().encode(machine.snapshot)
        let decoder = JSONDecoder()
        decoder.userInfo[try #require(BootInstant.shift)] = shift
        return try decoder.decode(SOSSnapshot.self, from: bytes)
    }

    private func restarted(
        _ machine: SOSMachine, at seconds: Double, after absence: Absence = .known,
        _ plan: SOSPlan = House.plan()
    ) throws -> (SOSMachine, [SOSAction]) {
        let now = House.at(seconds)
        let shift = absence == .known ? .zero : machine.snapshot.taken.duration(to: now)
        var next = SOSMachine(plans: [plan], installed: House.place, startingAt: now)
        let actions = next.resume(try stored(machine, movedBy: shift), after: absence)
        return (next, actions)
    }

    @Test func `in the window keeps its end`() throws {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        var (next, actions) = try restarted(machine, at: 13.5)
        #expect(actions.notices.map(\.alarm) == [alarm])
        #expect(actions.notices.map(\.repetition) == [1])
        #expect(actions.orders.isEmpty)
        #expect(next.nextDeadline == House.at(14.5))
        #expect(next.advance(to: House.at(14.5)).orders.map(\.alarm) == [alarm])
    }

    @Test func `that comes back after the window's end dispatches at once`() throws {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        let (_, actions) = try restarted(machine, at: 40)
        #expect(actions.orders.map(\.alarm) == [alarm])
    }

    @Test func `of the machine does not wait for a window, since nobody knows the time between`() throws {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        let (next, actions) = try restarted(machine, at: 3, after: .unknown)
        #expect(actions.notices.map(\.alarm) == [alarm])
        #expect(actions.orders.map(\.alarm) == [alarm])
        #expect(next.openAlarms.map(\.call) == [.trying])
        #expect(next.openAlarms.map(\.timeline.restarts) == [1])
    }

    @Test func `before a crossing was believed keeps its confirmation`() throws {
        var machine = House.machine()
        let crossing = machine.hear(150, at: 10)
        #expect(crossing.notices.isEmpty)
        var (next, actions) = try restarted(machine, at: 11)
        #expect(actions.notices.isEmpty)
        let believed = next.advance(to: House.at(12))
        #expect(believed.notices.map(\.confirmation) == [House.at(12)])
        #expect(next.advance(to: House.at(14.5)).orders.count == 1)
        (next, actions) = try restarted(machine, at: 1, after: .unknown)
        #expect(actions.notices.count == 1)
        #expect(actions.orders.count == 1)
    }

    @Test func `after the dispatch orders again what no machine has acknowledged`() throws {
        var machine = House.machine(House.plan(channels: [House.mqtt, House.sms]))
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        let plan = House.plan(channels: [House.mqtt, House.sms])
        let (_, lost) = try restarted(machine, at: 15, after: .known, plan)
        #expect(lost.orders.map(\.channels) == [[House.mqtt], [House.sms]])
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        var (next, arrived) = try restarted(machine, at: 15, after: .known, plan)
        #expect(arrived.orders.isEmpty, "it has arrived; the next round repeats it")
        #expect(next.advance(to: House.at(44.5)).orders.map(\.channels) == [[House.mqtt, House.sms]])
    }

    @Test func `does not forget who has still to hear that it is over`() throws {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(20))
        var (next, actions) = try restarted(machine, at: 21)
        #expect(actions.retractions.map(\.channels) == [[House.mqtt]])
        #expect(actions.notices.isEmpty)
        _ = next.handle(.channel(House.mqtt, .retracted(alarm)), at: House.at(22))
        #expect(next.snapshot.watches.allSatisfy { $0.alarms.isEmpty })
    }

    @Test func `with nothing open has nothing to keep`() throws {
        var machine = House.machine()
        #expect(machine.snapshot.isEmpty)
        _ = machine.alarmAtTwelve()
        #expect(!machine.snapshot.isEmpty)
        _ = machine.hear(80, at: 12.5)
        _ = machine.handle(.abort(.theOpenOne, House.act), at: House.at(13))
        #expect(machine.snapshot.isEmpty)
    }
}
