import GatewayModel
import SOSLocal
import Testing

@Suite struct `A rule by default` {
    @Test func `exists for every vital sign, each limit within its bounds and in order`() {
        #expect(
            RuleDefaults.all.map(\.kind) == [
                .heartRate, .oxygenSaturation, .systolicPressure, .diastolicPressure, .bodyTemperature,
                .glucose,
            ])
        for row in RuleDefaults.all {
            let all = LimitSet(row.limits.mapValues(\.value))
            #expect(LimitBounds.check(all, of: row.kind) == nil, "\(row.kind)")
            #expect(row.limits.values.allSatisfy { !$0.source.isEmpty })
            #expect(row.hysteresis > 0)
        }
    }

    @Test func `calls an ambulance for what is a danger by itself, and tells the carers of the rest`() {
        let rules = RuleDefaults.rules
        func limits(_ kind: QuantityKind, _ priority: AlarmPriority) -> [Double] {
            rules.filter { $0.kind == kind && $0.priority == priority }.map(\.limit)
        }
        #expect(limits(.heartRate, .high) == [40, 131] && limits(.heartRate, .medium) == [])
        #expect(limits(.oxygenSaturation, .high) == [85] && limits(.oxygenSaturation, .medium) == [91])
        #expect(limits(.systolicPressure, .high) == [70, 220])
        #expect(limits(.systolicPressure, .medium) == [90, 180])
        #expect(limits(.diastolicPressure, .high) == [] && limits(.diastolicPressure, .medium) == [120])
        #expect(limits(.bodyTemperature, .high) == [32, 41])
        #expect(limits(.glucose, .high) == [40, 500] && limits(.glucose, .medium) == [53, 300])
        #expect(RuleDefaults.of(.respirationRate) == nil, "no wearable sends it")
    }

    @Test func `keeps the promise beside a window of two and a half seconds`() {
        let plan = House.plan(rules: RuleDefaults.rules)
        #expect(plan.timelines.allSatisfy { $0.keepsPromise })
        #expect(Set(plan.timelines.map(\.name)).count == plan.timelines.count, "no two of one name")
        #expect(plan.timelines.first { $0.name == "glucose-low" }?.reserve == .milliseconds(2_500))
        #expect(plan.timelines.first { $0.name == "heart-rate-high" }?.reserve == .milliseconds(500))
    }

    @Test func `can be moved to every bound, which a plausible reading reaches`() {
        for row in RuleDefaults.all {
            for side in LimitRule.Side.allCases {
                guard let range = LimitBounds.range(of: row.kind, side) else { continue }
                #expect(
                    row.kind.plausible.contains(range.lowerBound)
                        && row.kind.plausible.contains(range.upperBound))
                // Armed again only by what can be measured.
                let inside =
                    side == .low ? range.upperBound + row.hysteresis : range.lowerBound - row.hysteresis
                #expect(row.kind.plausible.contains(inside), "\(row.kind)")
            }
        }
    }
}

@Suite struct `A limit that is moved` {
    private func text(_ limits: [LimitSlot: Double], _ kind: QuantityKind = .heartRate) -> String? {
        LimitBounds.check(LimitSet(limits), of: kind)?.text
    }

    @Test func `stays within its bounds`() {
        #expect(text([.low: 25]) == nil)
        #expect(text([.low: 24.9]) == "saw 24.9, expected a number, 25.0...80.0: choose a value in this range")
        #expect(text([.warningHigh: 220.1])?.hasPrefix("saw 220.1") == true)
        #expect(text([.high: .nan]) != nil)
        #expect(text([.high: 99], .oxygenSaturation)?.contains("expected no high limit") == true)
        #expect(text([.low: 70], .bodyWeight)?.contains("expected no low limit") == true)
    }

    @Test func `leaves room between both sides, the warnings' where there are any`() {
        #expect(text([.low: 80, .high: 100]) == nil)
        #expect(
            text([.low: 80, .high: 99.5])
                == "saw 99.5, 19.5 above low = 80.0, expected at least 20.0 between: lower low or raise high")
        #expect(
            text([.low: 40, .warningLow: 80, .high: 131, .warningHigh: 95])?
                .hasPrefix("saw 95.0, 15.0 above warning_low = 80.0") == true)
    }

    @Test func `warns before the emergency or is refused`() {
        #expect(text([.low: 40, .warningLow: 40.1]) == nil)
        #expect(
            text([.low: 40, .warningLow: 40])
                == "saw 40.0 with low = 40.0, expected the warning above it: raise warning_low, or write "
                + "warnings = false")
        let high = LimitBounds.check(LimitSet([.high: 131, .warningHigh: 140]), of: .heartRate)
        #expect(high?.slot == .warningHigh && high?.other == .high)
    }
}
