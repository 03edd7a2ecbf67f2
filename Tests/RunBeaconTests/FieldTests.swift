import GatewayModel
import RaceSimulation
import RunBeacon
import Testing

@Suite struct `A field that is played on the air` {
    @Test func `has no passing that cannot be told from what is heard`() {
        for plan in Field.Plan.all {
            let field = Field(plan)
            var detector = PassageDetector()
            var passages: [Passage] = []
            for heard in field.heard {
                let arrival = Self.instant(heard.time)
                passages += detector.elapse(to: arrival)
                let hit = TagHit(tag: TagNumber(UInt32(heard.runner)), rssi: heard.rssi, arrival: arrival)
                if let passage = detector.hear(hit) { passages.append(passage) }
            }
            passages += detector.elapse(to: Self.instant(1_000))
            let isFound = { (truth: Field.Truth) in
                passages.contains {
                    $0.tag == TagNumber(UInt32(truth.runner))
                        && abs(Self.instant(truth.nearest).duration(to: $0.nearest)) < .seconds(15)
                }
            }
            let missed = field.truths.filter { !isFound($0) }
            #expect(missed.isEmpty, "\(plan.scenario.name)")
            #expect(passages.count == field.truths.count, "\(plan.scenario.name)")
        }
    }

    @Test func `hears nothing more of who gives up`() {
        let field = Field(.small)
        let last = field.plan.scenario.runners - 1
        #expect(field.truths.filter { $0.runner == last }.map(\.order) == [1])
        #expect(field.truths.filter { $0.runner == 0 }.map(\.order) == [1, 2])
    }

    private static func instant(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: 60_000_000_000 + Int64(seconds * 1e9))
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
