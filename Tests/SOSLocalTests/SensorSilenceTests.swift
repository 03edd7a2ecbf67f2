import GatewayModel
import ModelSamples
import SOSLocal
import Testing

@Suite struct `A sensor that falls silent` {
    private static func plan(_ rule: SilenceRule? = SilenceRule(limit: .seconds(600))) -> SOSPlan {
        SOSPlan(
            person: House.maria, rules: House.plan().rules,
            windows: AbortWindows(vitalSign: .milliseconds(2_500)),
            ways: EscalationPlan(channels: [House.mqtt]),
            silence: rule)
    }

    @Test func `is told once, when its limit is reached, and again after it was heard`() {
        var machine = House.machine(Self.plan())
        _ = machine.hear(72, at: 10)
        _ = machine.hear(72, at: 11)
        #expect(machine.nextDeadline == House.at(611))
        #expect(machine.advance(to: House.at(610.9)).isEmpty)
        let notice = machine.advance(to: House.at(611)).notices.first
        #expect(notice?.cause.name == "sensor-silent" && notice?.priority == .low)
        #expect(notice?.confirmation == House.at(611))
        #expect(machine.advance(to: House.at(100_000)).notices.isEmpty)

        _ = machine.handle(.resolve(.theOpenOne, House.act), at: House.at(100_001))
        _ = machine.hear(72, at: 100_002)
        #expect(machine.advance(to: House.at(100_602)).notices.count == 1)
    }

    @Test func `is told as of its limit however late it is asked`() {
        var machine = House.machine(Self.plan())
        _ = machine.hear(72, at: 10)
        #expect(machine.advance(to: House.at(5_000)).notices.map(\.confirmation) == [House.at(610)])
    }

    @Test(arguments: [(72.0, SensorContact.lost), (0, .unknown)])
    func `after it said that it was taken off is missed by nobody`(bpm: Double, contact: SensorContact) {
        var machine = House.machine(Self.plan())
        _ = machine.hear(72, at: 10)
        _ = machine.hear(bpm, at: 11, contact: contact)
        #expect(machine.nextDeadline == nil)
        #expect(machine.advance(to: House.at(5_000)).notices.isEmpty)
        _ = machine.hear(72, at: 5_001)
        #expect(machine.nextDeadline == House.at(5_601), "worn again")
    }

    @Test func `is never one that measures when it is used`() {
        var machine = House.machine(Self.plan())
        _ = machine.hear(House.reading(.systolicPressure, 128, at: 10, from: "cuff", sampling: .spot))
        #expect(machine.nextDeadline == nil)
    }

    @Test func `is told of each device by itself`() {
        var machine = House.machine(Self.plan())
        _ = machine.hear(House.reading(.heartRate, 72, at: 10, from: "strap"))
        for second in stride(from: 20.0, through: 700, by: 20) {
            _ = machine.hear(House.reading(.oxygenSaturation, 97, at: second, from: "oximeter"))
        }
        #expect(machine.openAlarms.map(\.cause.device) == [DeviceID(sample: "strap")])
    }

    @Test func `is no alarm where the plan has no rule for it`() {
        var machine = House.machine(Self.plan(nil))
        _ = machine.hear(72, at: 10)
        #expect(machine.nextDeadline == nil)
    }

    @Test func `calls help in time where the plan asks for that`() {
        let plan = Self.plan(SilenceRule(limit: .seconds(60), priority: .high))
        var machine = House.machine(plan)
        _ = machine.hear(72, at: 10)
        #expect(machine.advance(to: House.at(70)).notices.map(\.priority) == [.high])
        #expect(machine.advance(to: House.at(72.5)).orders.count == 1)
        #expect(plan.timelines.first { $0.name == "sensor-silent" }?.keepsPromise == true)
    }
}
