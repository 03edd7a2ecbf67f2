import GatewayModel
import SOSLocal
import Testing

@Suite struct `A value near a limit` {
    private let plan = SOSPlan(
        person: House.maria,
        rules: House.plan().rules + RuleDefaults.rules.filter { $0.kind == .oxygenSaturation },
        exerciseRules: [House.rule(.high, 170)], windows: AbortWindows(vitalSign: .milliseconds(2_500)),
        ways: EscalationPlan(channels: [House.mqtt]))

    @Test func `lies within two times the hysteresis of it, or beyond`() throws {
        for rule in RuleDefaults.rules {
            let outwards: Double = rule.side == .low ? -1 : 1
            let edge = rule.limit - outwards * 2 * rule.hysteresis
            #expect(rule.isNear(rule.limit) && rule.isNear(rule.limit + outwards), "\(rule.name)")
            #expect(rule.isNear(edge), "\(rule.name)")
            #expect(!rule.isNear(edge - outwards * 0.01), "\(rule.name)")
        }
    }

    @Test func `is looked for among the limits of its kind, at rest and in exercise`() {
        #expect(!plan.isNearLimit(Quantity(.oxygenSaturation, 97)))
        #expect(plan.isNearLimit(Quantity(.oxygenSaturation, 95)))
        #expect(!plan.isNearLimit(Quantity(.heartRate, 72)))
        #expect(plan.isNearLimit(Quantity(.heartRate, 165)))
        #expect(!plan.isNearLimit(Quantity(.bodyWeight, 5)))
    }
}
