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

/// The chart of NEWS2 (Royal College of Physicians, 2017): both ends of each band.
@Suite struct `The early warning score` {
    private func points(
        _ kind: QuantityKind, _ value: Double, isOnOxygen: Bool = false, usesSecondScale: Bool = false
    ) -> Int {
        let score = EarlyWarningScore(
            EarlyWarningScore.Observations(
                values: [kind: value], isOnOxygen: isOnOxygen, usesSecondScale: usesSecondScale))
        return score.points - (isOnOxygen ? 2 : 0)
    }

    @Test(arguments: [
        (3.0, 3), (8, 3), (9, 1), (11, 1), (12, 0), (20, 0), (21, 2), (24, 2), (25, 3), (60, 3),
    ])
    func `of respiration`(value: Double, expected: Int) {
        #expect(points(.respirationRate, value) == expected)
    }

    @Test(arguments: [(50.0, 3), (91, 3), (92, 2), (93, 2), (94, 1), (95, 1), (96, 0), (100, 0)])
    func `of oxygen saturation, scale 1, with oxygen or without`(value: Double, expected: Int) {
        #expect(points(.oxygenSaturation, value) == expected)
        #expect(points(.oxygenSaturation, value, isOnOxygen: true) == expected)
    }

    @Test(arguments: [
        (83.0, 3, 3), (84, 2, 2), (85, 2, 2), (86, 1, 1), (87, 1, 1), (88, 0, 0), (92, 0, 0), (93, 0, 1),
        (94, 0, 1), (95, 0, 2), (96, 0, 2), (97, 0, 3), (100, 0, 3),
    ])
    func `of oxygen saturation, scale 2, on air and on oxygen`(value: Double, onAir: Int, onOxygen: Int) {
        #expect(points(.oxygenSaturation, value, usesSecondScale: true) == onAir)
        #expect(points(.oxygenSaturation, value, isOnOxygen: true, usesSecondScale: true) == onOxygen)
    }

    @Test(arguments: [
        (40.0, 3), (90, 3), (91, 2), (100, 2), (101, 1), (110, 1), (111, 0), (219, 0), (220, 3), (280, 3),
    ])
    func `of systolic pressure`(value: Double, expected: Int) {
        #expect(points(.systolicPressure, value) == expected)
    }

    @Test(arguments: [
        (20.0, 3), (40, 3), (41, 1), (50, 1), (51, 0), (90, 0), (91, 1), (110, 1), (111, 2), (130, 2), (131, 3),
    ])
    func `of the pulse`(value: Double, expected: Int) {
        #expect(points(.heartRate, value) == expected)
    }

    @Test(arguments: [
        (28.0, 3), (35, 3), (35.04, 3), (35.05, 1), (35.1, 1), (36, 1), (36.1, 0), (38, 0), (38.1, 1), (39, 1),
        (39.1, 2), (44, 2),
    ])
    func `of the temperature, charted in tenths`(value: Double, expected: Int) {
        #expect(points(.bodyTemperature, value) == expected)
    }

    @Test func `adds up what is known, two for oxygen, and says how much that is`() {
        let score = EarlyWarningScore(
            EarlyWarningScore.Observations(
                values: [.heartRate: 115, .systolicPressure: 105, .bodyTemperature: 38.5, .glucose: 20],
                isOnOxygen: true))
        #expect(score.points == 2 + 1 + 1 + 2)
        #expect(score.parameters == 4 && !score.hasThree)
        let nothing = EarlyWarningScore(EarlyWarningScore.Observations(values: [:]))
        #expect(nothing.points == 0 && nothing.parameters == 1 && !nothing.warns(from: 5))
    }

    @Test func `warns from its limit on, and of one parameter that scores 3`() {
        func warns(_ values: [QuantityKind: Double]) -> Bool {
            EarlyWarningScore(EarlyWarningScore.Observations(values: values)).warns(from: 5)
        }
        #expect(!warns([.heartRate: 115, .systolicPressure: 95]))
        #expect(warns([.heartRate: 115, .systolicPressure: 95, .bodyTemperature: 38.5]))
        #expect(warns([.heartRate: 131]))
    }
}
