import Foundation
import GatewayModel
import SOSLocal
import Testing

@Suite struct `Exercise` {
    private static let plan = SOSPlan(
        person: House.maria, rules: House.plan().rules, exerciseRules: [House.rule(.high, 170)],
        windows: AbortWindows(vitalSign: .milliseconds(2_500)), ways: EscalationPlan(channels: [House.mqtt]))

    private func machine() -> SOSMachine {
        var machine = House.machine(Self.plan)
        _ = machine.handle(.exercise(House.maria, until: House.at(1_000)), at: House.at(1))
        return machine
    }

    @Test func `is told at its beginning, at its end, and after a restart`() {
        var machine = House.machine()
        let begun = machine.handle(.exercise(House.maria, until: House.at(1_000)), at: House.at(1))
        #expect(begun == [.noteExercise(House.maria, until: House.at(1_000))])
        var next = House.machine()
        #expect(
            next.resume(machine.snapshot, after: .known)
                == [.noteExercise(House.maria, until: House.at(1_000))])
        #expect(machine.advance(to: House.at(999)).isEmpty)
        #expect(machine.advance(to: House.at(1_000)) == [.noteExercise(House.maria, until: nil)])
        #expect(machine.advance(to: House.at(1_001)).isEmpty)
    }

    @Test func `lets the pulse rise to its own limit and no further`() {
        var machine = machine()
        for second in 10..<60 { #expect(machine.hear(150, at: Double(second)).notices.isEmpty) }
        let notices = (60..<63).flatMap { machine.hear(171, at: Double($0)).notices }
        #expect(notices.first?.cause.crossing?.rule.limit == 170)
    }

    @Test func `takes the other limits of its kind away, and none of another kind`() {
        var machine = machine()
        for second in 10..<20 { #expect(machine.hear(38, at: Double(second)).notices.isEmpty) }
        let rules = House.plan().rules + RuleDefaults.rules.filter { $0.kind == .glucose }
        let plan = SOSPlan(
            person: House.maria, rules: rules, exerciseRules: Self.plan.exerciseRules,
            windows: Self.plan.windows,
            ways: Self.plan.ways)
        machine = House.machine(plan)
        _ = machine.handle(.exercise(House.maria, until: House.at(1_000)), at: House.at(1))
        #expect(machine.hear(House.reading(.glucose, 39, at: 10, sampling: .spot)).notices.count == 1)
    }

    @Test func `ends by itself, and the limits at rest hold again`() {
        var machine = machine()
        #expect(machine.nextDeadline == House.at(1_000))
        let notices = (998..<1_010).flatMap { machine.hear(150, at: Double($0)).notices }
        #expect(notices.map(\.confirmation) == [House.at(1_002)])
    }

    @Test func `can be ended before its time`() {
        var machine = machine()
        _ = machine.hear(150, at: 10)
        _ = machine.handle(.exercise(House.maria, until: nil), at: House.at(11))
        #expect(machine.nextDeadline == nil)
        let notices = (12..<16).flatMap { machine.hear(150, at: Double($0)).notices }
        #expect(notices.map(\.cause.instant) == [House.at(12)])
    }

    @Test func `is what a run of their own is, from its start to its end`() {
        var machine = House.machine(Self.plan)
        _ = machine.handle(.ownRun(House.maria, until: House.at(100)), at: House.at(1))
        for second in 10..<99 { #expect(machine.hear(150, at: Double(second)).notices.isEmpty) }
        let notices = (99..<110).flatMap { machine.hear(150, at: Double($0)).notices }
        #expect(notices.map(\.confirmation) == [House.at(102)])
    }

    @Test(arguments: [(said: 50.0, run: 100.0), (said: 100.0, run: 50.0)])
    func `goes on until the later end of a run and of what was said`(_ ends: (said: Double, run: Double)) {
        var machine = House.machine(Self.plan)
        _ = machine.handle(.exercise(House.maria, until: House.at(ends.said)), at: House.at(1))
        _ = machine.handle(.ownRun(House.maria, until: House.at(ends.run)), at: House.at(2))
        for second in 10..<99 { #expect(machine.hear(150, at: Double(second)).notices.isEmpty) }
        #expect((99..<104).flatMap { machine.hear(150, at: Double($0)).notices }.count == 1)
    }

    @Test func `goes on when they leave the run, as long as they said`() {
        var machine = machine()
        _ = machine.handle(.ownRun(House.maria, until: House.at(500)), at: House.at(2))
        _ = machine.handle(.ownRun(House.maria, until: nil), at: House.at(3))
        for second in 10..<99 { #expect(machine.hear(150, at: Double(second)).notices.isEmpty) }
    }

    @Test func `is over in a run that goes on, when they say that they have stopped`() {
        var machine = House.machine(Self.plan)
        _ = machine.handle(.ownRun(House.maria, until: House.at(500)), at: House.at(2))
        _ = machine.handle(.exercise(House.maria, until: nil), at: House.at(3))
        // Told again, because the run takes longer.
        _ = machine.handle(.ownRun(House.maria, until: House.at(600)), at: House.at(4))
        #expect((5..<9).flatMap { machine.hear(150, at: Double($0)).notices }.count == 1)
    }

    @Test func `is known to be over in that run after a restart, and begins with the next`() throws {
        var machine = House.machine(Self.plan)
        _ = machine.handle(.ownRun(House.maria, until: House.at(500)), at: House.at(2))
        _ = machine.handle(.exercise(House.maria, until: nil), at: House.at(3))
        let bytes = try JSONEncoder().encode(machine.snapshot)
        machine = House.machine(Self.plan)
        _ = machine.resume(try JSONDecoder().decode(SOSSnapshot.self, from: bytes), after: .known)
        _ = machine.handle(.ownRun(House.maria, until: House.at(500)), at: House.at(6))
        #expect(machine.nextDeadline == nil)
        for end in [nil, House.at(900)] {
            _ = machine.handle(.ownRun(House.maria, until: end), at: House.at(7))
        }
        #expect(machine.nextDeadline == House.at(900))
    }

    @Test func `in a run goes on over a restart, until it is told that there is none`() {
        var machine = House.machine(Self.plan)
        _ = machine.handle(.ownRun(House.maria, until: House.at(500)), at: House.at(2))
        let kept = machine.snapshot
        machine = House.machine(Self.plan)
        _ = machine.resume(kept, after: .known)
        #expect((6..<10).flatMap { machine.hear(150, at: Double($0)).notices }.isEmpty)
        _ = machine.handle(.ownRun(House.maria, until: nil), at: House.at(10))
        #expect((11..<15).flatMap { machine.hear(150, at: Double($0)).notices }.count == 1)
    }

    @Test func `of somebody unknown is refused`() {
        var machine = machine()
        let actions = machine.handle(.exercise(House.giuseppe, until: House.at(9)), at: House.at(2))
        #expect(actions.refusals == [.unknownPerson(House.giuseppe)])
    }
}
