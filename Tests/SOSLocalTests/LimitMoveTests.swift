import GatewayModel
import SOSLocal
import Testing

@Suite struct `Limits that are moved` {
    private func moved(_ limits: [LimitSlot: Double], _ rules: [LimitRule] = House.plan().rules) -> String {
        do throws(LimitMove.Refusal) {
            return try LimitMove(.heartRate, limits).applied(to: rules).map { "\($0.name) \($0.limit)" }
                .joined(separator: ", ")
        } catch {
            return error.text
        }
    }

    @Test func `are those that are judged, within their bounds and in their order`() {
        #expect(moved([.high: 140]) == "heart-rate-low 40.0, heart-rate-high 140.0")
        #expect(moved([.high: 140, .low: 45]) == "heart-rate-low 45.0, heart-rate-high 140.0")
        #expect(moved([.high: 925]).contains("saw 925.0, expected a number, 90.0...220.0"))
        #expect(moved([.high: 221]).contains("expected a number, 90.0...220.0"))
        #expect(moved([.high: 89]).contains("expected a number, 90.0...220.0"))
        #expect(moved([.high: .nan]).contains("expected a number"))
        #expect(moved([.low: 80, .high: 90]).contains("expected at least"))
        #expect(moved([.warningHigh: 111]).contains("not judged here"))
    }

    @Test func `keep a warning a warning`() throws {
        let rules = RuleDefaults.rules
        let moved = try LimitMove(.glucose, [.warningLow: 72]).applied(to: rules)
        let changed = zip(rules, moved).filter { $0 != $1 }
        #expect(changed.map(\.1.limit) == [72] && changed.map(\.1.priority) == [.medium])
    }

    private func moving(_ machine: inout SOSMachine, to high: Double, at second: Double) -> [SOSAction] {
        let rules = [House.rule(.low, 40), House.rule(.high, high)]
        return machine.handle(.limits(House.maria, rules), at: House.at(second))
    }

    @Test func `hold from the next reading on`() {
        var machine = House.machine()
        #expect(moving(&machine, to: 160, at: 5).isEmpty)
        #expect((10..<20).flatMap { machine.hear(150, at: Double($0)).notices }.isEmpty)
        let notices = (20..<23).flatMap { machine.hear(161, at: Double($0)).notices }
        #expect(notices.map(\.cause.crossing?.rule.limit) == [160])
        #expect(moving(&machine, to: 160, at: 24).refusals.isEmpty)
        let unknown = machine.handle(.limits(House.giuseppe, []), at: House.at(25))
        #expect(unknown.refusals == [.unknownPerson(House.giuseppe)])
    }

    @Test func `do not end an alarm that is open, nor call twice for it`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        _ = moving(&machine, to: 200, at: 13)
        let later = machine.advance(to: House.at(15))
        #expect(later.orders.map(\.alarm) == [alarm])
        _ = moving(&machine, to: 131, at: 16)
        #expect(
            (17..<30).flatMap { machine.hear(170, at: Double($0)).notices }.filter { $0.repetition == 0 }
                .isEmpty)
        #expect(machine.openAlarms.map(\.id) == [alarm])
    }

    @Test func `do not let a crossing be forgotten that nothing has taken back`() {
        var machine = House.machine()
        _ = machine.hear(150, at: 10)
        _ = moving(&machine, to: 140, at: 10.5)
        // The sensor says no more: silence confirms.
        #expect(machine.advance(to: House.at(12)).notices.map(\.cause.instant) == [House.at(10)])
    }

    @Test func `let a crossing go that the new limit takes back`() {
        var machine = House.machine()
        _ = machine.hear(150, at: 10)
        _ = moving(&machine, to: 170, at: 10.5)
        _ = machine.hear(150, at: 11)
        #expect(machine.advance(to: House.at(14)).notices.isEmpty)
    }

    @Test func `are those of exercise while the person exercises, and the moved ones after it`() {
        let plan = SOSPlan(
            person: House.maria, rules: House.plan().rules, exerciseRules: [House.rule(.high, 170)],
            windows: AbortWindows(vitalSign: .milliseconds(2_500)), ways: EscalationPlan(channels: [House.mqtt])
        )
        var machine = House.machine(plan)
        _ = machine.handle(.exercise(House.maria, until: House.at(100)), at: House.at(1))
        _ = moving(&machine, to: 140, at: 2)
        #expect((10..<99).flatMap { machine.hear(150, at: Double($0)).notices }.isEmpty)
        #expect((101..<105).flatMap { machine.hear(150, at: Double($0)).notices }.count == 1)
    }
}
