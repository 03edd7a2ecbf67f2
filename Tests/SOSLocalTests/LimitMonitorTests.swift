import GatewayModel
import SOSLocal
import Testing

@Suite struct `A limit` {
    private func monitor(_ rule: LimitRule = House.rule(.high, 131)) -> LimitMonitor {
        LimitMonitor(rule: rule, rearmInterval: .seconds(300))
    }

    @Test(arguments: [(130.9, false), (131, true), (131.1, true)])
    func `is broken at the limit and beyond it, high`(value: Double, isBroken: Bool) {
        var monitor = monitor()
        #expect(monitor.judge(House.reading(value, at: 1)).isEmpty == !isBroken)
    }

    @Test(arguments: [(40.1, false), (40, true), (39, true)])
    func `is broken at the limit and beyond it, low`(value: Double, isBroken: Bool) {
        var monitor = monitor(House.rule(.low, 40))
        #expect(monitor.judge(House.reading(value, at: 1)).isEmpty == !isBroken)
    }

    @Test func `is believed at the third reading in a row`() {
        var monitor = monitor()
        let first = House.reading(140, at: 1)
        let crossing = Crossing(reading: first, rule: monitor.rule)
        #expect(monitor.judge(first) == [.crossed(crossing)])
        #expect(monitor.judge(House.reading(140, at: 1.5)) == [])
        #expect(monitor.judge(House.reading(140, at: 1.9)) == [.confirmed(crossing, at: House.at(1.9))])
    }

    @Test func `is believed at its time when nothing more is heard`() {
        var monitor = monitor()
        let crossing = Crossing(reading: House.reading(140, at: 1), rule: monitor.rule)
        _ = monitor.judge(crossing.reading)
        #expect(monitor.deadline == House.at(3))
        #expect(monitor.tick(at: House.at(2.999)) == [])
        #expect(monitor.tick(at: House.at(3)) == [.confirmed(crossing, at: House.at(3))])
    }

    @Test func `is believed as of its time however late it is asked`() {
        var monitor = monitor()
        let crossing = Crossing(reading: House.reading(140, at: 1), rule: monitor.rule)
        _ = monitor.judge(crossing.reading)
        #expect(monitor.tick(at: House.at(60)) == [.confirmed(crossing, at: House.at(3))])
    }

    @Test func `is forgotten when one reading is clearly back inside`() {
        var monitor = monitor()
        let crossing = Crossing(reading: House.reading(140, at: 1), rule: monitor.rule)
        _ = monitor.judge(crossing.reading)
        #expect(monitor.judge(House.reading(126, at: 2)) == [.recovered(crossing)])
        #expect(monitor.deadline == nil)
    }

    @Test func `is not forgotten between the limit and its hysteresis`() {
        var monitor = monitor()
        _ = monitor.judge(House.reading(140, at: 1))
        #expect(monitor.judge(House.reading(126.1, at: 2)) == [])
        #expect(monitor.tick(at: House.at(3)).count == 1)
    }

    @Test func `that asks for one reading believes the first`() {
        var monitor = monitor(House.rule(.high, 131, readings: 1))
        #expect(monitor.judge(House.reading(140, at: 1)).count == 2)
    }

    @Test func `raises no second alarm while the first is open`() {
        var monitor = monitor(House.rule(.high, 131, readings: 1))
        _ = monitor.judge(House.reading(140, at: 1))
        #expect(monitor.judge(House.reading(100, at: 2)) == [])
        #expect(monitor.judge(House.reading(140, at: 3)) == [])
    }

    @Test func `rests after its alarm was ended, until the value was back inside`() {
        var monitor = monitor(House.rule(.high, 131, readings: 1))
        _ = monitor.judge(House.reading(140, at: 1))
        monitor.alarmEnded(at: House.at(2))
        #expect(monitor.judge(House.reading(140, at: 3)) == [])
        #expect(monitor.judge(House.reading(100, at: 4)) == [])
        #expect(monitor.judge(House.reading(140, at: 5)).count == 2)
    }

    @Test func `does not rest for good: it rearms after its interval`() {
        var monitor = monitor(House.rule(.high, 131, readings: 1))
        _ = monitor.judge(House.reading(140, at: 1))
        monitor.alarmEnded(at: House.at(2))
        #expect(monitor.judge(House.reading(140, at: 301.9)) == [])
        #expect(monitor.judge(House.reading(140, at: 302)).count == 2)
    }

    @Test func `is armed at once when the value was back inside before the alarm ended`() {
        var monitor = monitor(House.rule(.high, 131, readings: 1))
        _ = monitor.judge(House.reading(140, at: 1))
        _ = monitor.judge(House.reading(100, at: 2))
        monitor.alarmEnded(at: House.at(3))
        #expect(monitor.judge(House.reading(140, at: 4)).count == 2)
    }
}
