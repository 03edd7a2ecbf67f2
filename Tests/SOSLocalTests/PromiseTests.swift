import GatewayModel
import SOSLocal
import SeededRandom
import Testing

@Suite struct `The promise` {
    @Test func `is kept by a plan up to its last millisecond and no further`() {
        let kept = House.plan(window: .milliseconds(2_500)).timelines
        #expect(kept.allSatisfy { $0.keepsPromise })
        #expect(kept.filter { $0.rule != nil }.map(\.firstWordWithReserve) == [.seconds(5), .seconds(5)])
        let broken = House.plan(window: .milliseconds(2_501)).timelines
        #expect(!broken.contains { $0.rule != nil && $0.keepsPromise })
    }

    @Test func `counts no confirmation time for a rule that asks for one reading`() {
        let plan = House.plan(window: .milliseconds(4_500), rules: [House.rule(.high, 131, readings: 1)])
        #expect(Set(plan.timelines.map(\.firstWordWithReserve)) == [.seconds(5)])
    }

    /// Ten minutes of random readings, fixes, presses and reports, a hundred times over. In all of them alarms and
    /// dispatches come by their limits, nothing is dispatched that was aborted in time, and an alarm ends once.
    @Test(arguments: 0..<100)
    func `holds in every random ten minutes`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = House.machine(House.plan(channels: [House.mqtt, House.sms]))
        var ledger = Ledger()
        var now = 0.0
        while now < 600 {
            let next = now + Double.random(in: 0.001...1.4, using: &random)
            // The caller's duty: never sleep past the machine's own deadline.
            while let deadline = machine.nextDeadline, deadline <= House.at(next) {
                ledger.note(machine.advance(to: deadline), at: deadline)
            }
            now = next
            let event = Self.event(at: now, open: machine.openAlarms, using: &random)
            ledger.note(machine.handle(event, at: House.at(now)), at: House.at(now))
        }
        #expect(ledger.violations == [])
    }

    private static func event(
        at now: Double, open: [Alarm], using random: inout SeededGenerator
    ) -> SOSEvent {
        let alarm = open.randomElement(using: &random)?.id
        switch (Int.random(in: 0..<20, using: &random), alarm) {
        case (0, _): return .fix(House.fix(at: now))
        case (1, let alarm?): return .abort(.alarm(alarm), House.act)
        case (2, let alarm?):
            return .channel(House.mqtt, .accepted(alarm, of: House.maria, by: House.operatorAct.by))
        case (3, let alarm?): return .channel(House.mqtt, .handedOver(alarm, .confirmed))
        case (4, let alarm?): return .channel(House.sms, .failed(alarm, .confirmed, reason: "no modem"))
        case (5, let alarm?): return .resolve(.alarm(alarm), House.act)
        default:
            // Long stretches on either side of the limits, so that confirmations happen.
            let isWild = Int(now / 20).isMultiple(of: 2)
            let bpm =
                isWild
                ? Double.random(in: 128...160, using: &random) : Double.random(in: 34...90, using: &random)
            return .reading(House.reading(bpm, at: now))
        }
    }

    /// The observed events of each alarm, and every rule that it broke.
    private struct Ledger {
        var crossings: [AlarmID: BootInstant] = [:]
        var confirmations: [AlarmID: BootInstant] = [:]
        var ended: Set<AlarmID> = []
        var violations: [String] = []

        mutating func note(_ actions: [SOSAction], at now: BootInstant) {
            for action in actions { note(action, at: now) }
        }

        private mutating func note(_ action: SOSAction, at now: BootInstant) {
            switch action {
            case .annunciate(let notice):
                if notice.repetition == 0 {
                    check(confirmations.updateValue(now, forKey: notice.alarm) == nil, "alarmed twice")
                    check(notice.cause.instant.duration(to: now) <= .seconds(2), "confirmed late")
                }
                check(!ended.contains(notice.alarm), "alarmed after its end")
            case .dispatch(let order):
                check(!ended.contains(order.alarm), "dispatched after its end")
                check(confirmations[order.alarm] != nil, "dispatched without an alarm")
                let delay = order.cause.instant.duration(to: now)
                check(
                    order.ordered != order.firstOrdered || delay <= Promise.dispatchLimit - Promise.reserve,
                    "dispatched late")
            case .noteEnding(let notice, _, _):
                check(ended.insert(notice.alarm).inserted, "ended twice")
            default: break
            }
        }

        private mutating func check(_ holds: Bool, _ violation: String) {
            if !holds { violations.append(violation) }
        }
    }
}
