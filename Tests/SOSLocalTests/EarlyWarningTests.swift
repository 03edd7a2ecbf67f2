import GatewayModel
import SOSLocal
import Testing

@Suite struct `An early warning` {
    private static func plan(_ rule: EarlyWarningRule = EarlyWarningRule()) -> SOSPlan {
        SOSPlan(
            person: House.maria, rules: [], windows: AbortWindows(vitalSign: .milliseconds(2_500)),
            ways: EscalationPlan(channels: [House.mqtt], carers: [House.sms]), earlyWarning: rule,
            rearmInterval: .seconds(300))
    }

    /// A pulse of 2 points, a pressure of 2 and a temperature of 1: five of three parameters, from three devices.
    private func unwell(pulseAt second: Double = 30) -> (SOSMachine, [SOSAction]) {
        var machine = House.machine(Self.plan())
        _ = machine.hear(House.reading(.systolicPressure, 95, at: 10, from: "cuff", sampling: .spot))
        _ = machine.hear(House.reading(.bodyTemperature, 38.5, at: 20, from: "thermometer", sampling: .spot))
        let actions = machine.hear(115, at: second)
        return (machine, actions)
    }

    /// A pulse each ten seconds; the alarms that were raised.
    private func hear(
        _ machine: inout SOSMachine, _ bpm: Double, from start: Int, to end: Int
    ) -> [AlarmNotice] {
        stride(from: start, to: end, by: 10).flatMap { machine.hear(bpm, at: Double($0)).notices }
            .filter { $0.repetition == 0 }
    }

    @Test func `comes when the score has held for a minute, and tells the carers`() throws {
        var (machine, actions) = unwell()
        #expect(actions.isEmpty && machine.nextDeadline == House.at(90))
        let notice = try #require(machine.advance(to: House.at(90)).notices.first)
        #expect(notice.priority == .medium && notice.cause.name == "early-warning-score")
        guard case .earlyWarning(let warning) = notice.cause else { throw NoWarning() }
        #expect(warning.points == 5 && warning.parameters == 4 && warning.limit == 5)
        #expect(warning.reading.arrival == House.moment(30), "the reading that completed it")
        #expect(machine.advance(to: House.at(120)).orders.map(\.channels) == [[House.sms]])
    }

    @Test func `does not come of a score that does not last`() {
        var (machine, _) = unwell()
        _ = machine.hear(72, at: 60)
        #expect(machine.nextDeadline == nil)
        #expect(machine.advance(to: House.at(1_000)).notices.isEmpty)
    }

    @Test func `comes of one parameter that scores 3`() {
        var machine = House.machine(Self.plan())
        _ = machine.hear(135, at: 10)
        #expect(machine.advance(to: House.at(70)).notices.count == 1)
    }

    @Test func `comes once a bout, and again only after minutes below its limit`() {
        var (machine, _) = unwell()
        #expect(hear(&machine, 115, from: 40, to: 200).count == 1)
        _ = machine.handle(.resolve(.theOpenOne, House.act), at: House.at(200))
        // A swing below it and back is the same bout.
        _ = machine.hear(72, at: 210)
        #expect(hear(&machine, 115, from: 220, to: 480).isEmpty)
        #expect(hear(&machine, 72, from: 480, to: 800).isEmpty)
        #expect(hear(&machine, 115, from: 800, to: 1_000).count == 1, "a new bout")
    }

    @Test func `comes again in the same bout when the score rises, or its time is over`() {
        var (machine, _) = unwell()
        _ = hear(&machine, 115, from: 40, to: 100)
        _ = machine.handle(.resolve(.theOpenOne, House.act), at: House.at(100))
        #expect(hear(&machine, 135, from: 110, to: 200).count == 1, "6 points")
        _ = machine.handle(.resolve(.theOpenOne, House.act), at: House.at(200))
        #expect(hear(&machine, 135, from: 210, to: 500).isEmpty)
        #expect(hear(&machine, 135, from: 500, to: 600).count == 1, "five minutes after its end")
    }

    @Test func `looks at nothing that is too old`() {
        // The pressure of 10 s is an hour old from 3610 s on, a pulse five minutes later.
        var (machine, _) = unwell(pulseAt: 3_609)
        #expect(machine.advance(to: House.at(4_000)).notices.isEmpty, "it had to hold for a minute")
        (machine, _) = unwell(pulseAt: 3_540)
        #expect(machine.advance(to: House.at(3_600)).notices.count == 1)
        var late = House.machine(Self.plan())
        _ = late.hear(115, at: 10)
        _ = late.hear(House.reading(.systolicPressure, 95, at: 311, from: "cuff", sampling: .spot))
        _ = late.hear(House.reading(.bodyTemperature, 38.5, at: 312, from: "thermometer", sampling: .spot))
        #expect(late.nextDeadline == nil)
    }

    @Test func `is not judged while the person exercises, nor of what was measured then`() {
        var machine = House.machine(Self.plan())
        _ = machine.hear(135, at: 5)
        _ = machine.handle(.exercise(House.maria, until: House.at(600)), at: House.at(10))
        #expect(hear(&machine, 140, from: 20, to: 590).isEmpty)
        _ = machine.hear(House.reading(.bodyTemperature, 36.6, at: 601, from: "thermometer", sampling: .spot))
        #expect(machine.nextDeadline == nil)
        _ = machine.hear(140, at: 610)
        #expect(machine.advance(to: House.at(670)).notices.count == 1)
    }

    @Test func `that calls help keeps the promise`() {
        let plan = Self.plan(EarlyWarningRule(priority: .high))
        var machine = House.machine(plan)
        _ = machine.hear(135, at: 10)
        #expect(machine.advance(to: House.at(12)).notices.map(\.priority) == [.high])
        #expect(machine.advance(to: House.at(14.5)).orders.count == 1)
        #expect(plan.timelines.allSatisfy { $0.keepsPromise })
    }

    @Test func `survives a restart without being told twice`() throws {
        var (machine, _) = unwell()
        _ = machine.advance(to: House.at(90))
        let alarm = try #require(machine.openAlarms.first)
        _ = machine.handle(.resolve(.theOpenOne, House.act), at: House.at(100))
        #expect(!machine.snapshot.isEmpty)
        var next = SOSMachine(plans: [Self.plan()], installed: House.place, startingAt: House.at(110))
        _ = next.resume(machine.snapshot, after: .known)
        #expect(alarm.priority == .medium)
        _ = next.hear(House.reading(.systolicPressure, 95, at: 120, from: "cuff", sampling: .spot))
        _ = next.hear(House.reading(.bodyTemperature, 38.5, at: 121, from: "thermometer", sampling: .spot))
        #expect(hear(&next, 115, from: 130, to: 390).isEmpty)
        #expect(hear(&next, 115, from: 400, to: 500).count == 1)
    }

    @Test func `of the second scale and oxygen is by the plan`() {
        var machine = House.machine(Self.plan(EarlyWarningRule(usesSecondScale: true, isOnOxygen: true)))
        _ = machine.hear(House.reading(.oxygenSaturation, 90, at: 10))
        #expect(machine.nextDeadline == nil)
        _ = machine.hear(House.reading(.oxygenSaturation, 97, at: 20))
        #expect(machine.nextDeadline == House.at(80))
    }
}

private struct NoWarning: Error {}
