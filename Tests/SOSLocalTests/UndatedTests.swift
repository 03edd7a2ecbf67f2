import Foundation
import GatewayModel
import SOSLocal
import Testing

/// A cuff with a clock that was never set: its lone value is of now, several in a row are its memory.
@Suite struct `A value without a time to be trusted` {
    private static let plan = House.plan(rules: RuleDefaults.rules)

    private func pressure(
        _ value: Double, at seconds: Double, _ currency: Reading.Currency = .undated,
        from device: String = "cuff", kind: QuantityKind = .systolicPressure
    ) -> Reading {
        let like = House.reading(kind, value, at: seconds, from: device, sampling: .spot)
        return Reading(
            id: like.id, person: like.person, device: like.device, quantity: like.quantity,
            contact: .unknown, currency: currency, sampling: .spot, arrival: like.arrival)
    }

    private func isRecord(_ action: SOSAction) -> Bool {
        if case .noteUnjudged(_, .history) = action { true } else { false }
    }

    @Test func `that comes alone is judged a second later, and counted from its arrival`() {
        var machine = House.machine(Self.plan)
        #expect(machine.hear(pressure(220, at: 10)).isEmpty)
        #expect(machine.nextDeadline == House.at(11))
        #expect(machine.advance(to: House.at(10.999)).isEmpty)
        let raised = machine.advance(to: House.at(11)).notices
        #expect(raised.map(\.cause.instant) == [House.at(10)])
        #expect(raised.map(\.confirmation) == [House.at(11)])
        #expect(raised.map(\.windowEnd) == [House.at(13.5)])
        #expect(machine.advance(to: House.at(13.5)).orders.count == 1)
    }

    @Test func `that is not dangerous raises nothing`() {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(128, at: 10))
        #expect(machine.advance(to: House.at(11)).isEmpty)
        #expect(machine.nextDeadline == nil)
    }

    @Test func `and another right after it are records, and so is each that follows`() {
        var machine = House.machine(Self.plan)
        #expect(machine.hear(pressure(220, at: 10)).isEmpty)
        #expect(machine.hear(pressure(225, at: 10.9)).map(isRecord) == [true, true])
        #expect(machine.hear(pressure(230, at: 11.8)).map(isRecord) == [true])
        #expect(machine.nextDeadline == nil)
        // A second of rest later it is a new measurement.
        _ = machine.hear(pressure(220, at: 12.8))
        #expect(machine.advance(to: House.at(13.8)).notices.count == 1)
    }

    @Test func `a second after another is of now, as the other was`() {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(220, at: 10))
        #expect(machine.hear(pressure(221, at: 11)).notices.map(\.cause.instant) == [House.at(10)])
    }

    /// The time of the second value shows that the cuff empties its memory.
    @Test(arguments: [Reading.Currency.history, .live])
    func `is a record where one with a time comes right after it`(currency: Reading.Currency) {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(220, at: 10))
        let second = machine.hear(pressure(128, at: 10.2, currency))
        #expect(isRecord(second[0]))
        #expect(machine.advance(to: House.at(60)).notices.isEmpty)
    }

    @Test func `is a record right after one that its time says to be a record`() {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(128, at: 10, .history))
        #expect(machine.hear(pressure(220, at: 10.2)).map(isRecord) == [true])
        #expect(machine.advance(to: House.at(60)).notices.isEmpty)
    }

    @Test func `is not put off by another kind of the same measurement, nor by another device`() {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(220, at: 10))
        _ = machine.hear(pressure(90, at: 10, kind: .diastolicPressure))
        _ = machine.hear(pressure(130, at: 10.5, from: "other"))
        _ = machine.hear(pressure(131, at: 10.6, .live, from: "third"))
        #expect(machine.advance(to: House.at(11)).notices.map(\.cause.name) == ["systolic-pressure-high"])
    }

    @Test func `that the sensor disowns is not judged`() {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(0, at: 10))
        guard case .noteUnjudged(_, .implausible)? = machine.advance(to: House.at(11)).first else {
            Issue.record("0 mmHg was judged")
            return
        }
    }

    @Test func `shortens the window where that is how help is called in time`() {
        let rule = LimitRule(
            kind: .systolicPressure, side: .high, limit: 200,
            confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)
        var machine = House.machine(House.plan(window: .milliseconds(4_500), rules: [rule]))
        _ = machine.hear(pressure(220, at: 10))
        #expect(machine.advance(to: House.at(11)).notices.map(\.windowEnd) == [House.at(14.5)])
        #expect(machine.advance(to: House.at(14.5)).orders.count == 1)
        // With its own time it has all of the window.
        let live = machine.handle(.resolve(.theOpenOne, House.act), at: House.at(15))
        #expect(live.endings.count == 1)
        let next = machine.hear(pressure(240, at: 400, .live)).notices
        #expect(next.map(\.windowEnd) == [House.at(404.5)])
    }

    @Test func `leaves an early notice and its longer window as they are`() {
        let plan = SOSPlan(
            person: House.maria, rules: RuleDefaults.rules, windows: AbortWindows(vitalSign: .seconds(8)),
            hasEarlyNotice: true, ways: EscalationPlan(channels: [House.mqtt]))
        var machine = House.machine(plan)
        _ = machine.hear(pressure(220, at: 10))
        #expect(machine.advance(to: House.at(11)).notices.map(\.windowEnd) == [House.at(19)])
        #expect(machine.advance(to: House.at(14.5)).orders.map(\.stage) == [.pending])
    }

    // MARK: Over a restart

    private func restarted(
        _ machine: SOSMachine, at seconds: Double, after absence: Absence = .known
    ) throws -> (SOSMachine, [SOSAction]) {
        #expect(!machine.snapshot.isEmpty)
        let decoder = JSONDecoder()
        let now = House.at(seconds)
        let shift = absence == .known ? .zero : machine.snapshot.taken.duration(to: now)
        decoder.userInfo[try #require(BootInstant.shift)] = shift
        let kept = try decoder.decode(SOSSnapshot.self, from: try JSONEncoder().encode(machine.snapshot))
        var next = SOSMachine(plans: [Self.plan], installed: House.place, startingAt: now)
        let actions = next.resume(kept, after: absence)
        return (next, actions)
    }

    @Test func `is judged after a restart, at the instant at which it was due`() throws {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(220, at: 10))
        var (next, actions) = try restarted(machine, at: 10.5)
        #expect(actions.isEmpty && next.nextDeadline == House.at(11))
        #expect(next.advance(to: House.at(11)).notices.map(\.confirmation) == [House.at(11)])
        (next, actions) = try restarted(machine, at: 20)
        #expect(actions.notices.count == 1 && actions.orders.count == 1)
    }

    @Test func `is a record where the next one comes after a restart`() throws {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(220, at: 10))
        var (next, _) = try restarted(machine, at: 10.5)
        #expect(next.hear(pressure(225, at: 10.6)).map(isRecord) == [true, true])
        #expect(next.snapshot.isEmpty)
    }

    @Test func `is judged at once where nobody knows how long the gateway was away`() throws {
        var machine = House.machine(Self.plan)
        _ = machine.hear(pressure(220, at: 10))
        let (_, actions) = try restarted(machine, at: 3, after: .unknown)
        #expect(actions.notices.map(\.confirmation) == [House.at(3)])
        #expect(actions.orders.count == 1)
    }

    @Test func `of an older gateway, which held none, is no hindrance to its snapshot`() throws {
        var machine = House.machine()
        _ = machine.alarmAtTwelve()
        let bytes = try JSONEncoder().encode(machine.snapshot)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("undated"))
        #expect(try JSONDecoder().decode(SOSSnapshot.self, from: bytes) == machine.snapshot)
    }
}
