import GatewayModel
import ModelSamples
import SOSLocal
import Testing

/// Values of a 1 Hz strap at 10, 11, 12, ... s, unless a test says otherwise.
@Suite struct `A doubtful value` {
    private static func reading(
        _ value: Double, _ doubts: Doubts, at seconds: Double, _ kind: QuantityKind = .heartRate,
        from device: String = "strap", sampling: Reading.Sampling = .stream
    ) -> Reading {
        let like = House.reading(kind, value, at: seconds, from: device, sampling: sampling)
        return Reading(
            id: like.id, person: like.person, device: like.device, quantity: like.quantity,
            contact: like.contact,
            sampling: sampling, arrival: like.arrival, doubts: doubts)
    }

    private static let cuff = House.plan(rules: [
        LimitRule(
            kind: .systolicPressure, side: .high, limit: 220,
            confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)
    ])

    /// Hands over values of a 1 Hz stream from `start` on, then goes on in time to `end`.
    private static func hear(
        _ machine: inout SOSMachine, _ values: [(Double, Doubts)], from start: Double, until end: Double
    ) -> [SOSAction] {
        var actions: [SOSAction] = []
        for (index, value) in values.enumerated() {
            actions += machine.hear(reading(value.0, value.1, at: start + Double(index)))
        }
        while let due = machine.nextDeadline, due <= House.at(end) { actions += machine.advance(to: due) }
        return actions + machine.advance(to: House.at(end))
    }

    @Test(arguments: Doubts.everyWord)
    func `alone calls nobody, for each reason of doubt`(word: String) {
        var machine = House.machine()
        let doubts = Doubts(words: [word])
        let actions = Self.hear(&machine, [(150, doubts), (72, [])], from: 10, until: 200)
        #expect(actions.notices.isEmpty && actions.orders.isEmpty)
        #expect(machine.openAlarms.isEmpty)
    }

    @Test func `of two false beats at 1 Hz asks nobody`() {
        var machine = House.machine()
        let actions = Self.hear(
            &machine, [(72, []), (200, .jump), (200, .jump), (72, []), (72, [])], from: 10, until: 200)
        #expect(actions.notices.isEmpty && actions.orders.isEmpty)
    }

    @Test func `that lasts asks the room at 4 s, tells outside at 4.5 s, and calls as possible after 60 s`() {
        var machine = House.machine()
        let values = Array(repeating: (150.0, Doubts.poorSignal), count: 70)
        var told: [(Double, DispatchStage, AlarmCertainty)] = []
        var asked: [(Double, Bool)] = []
        func note(_ actions: [SOSAction], at second: Double) {
            told += actions.orders.map { (second, $0.stage, $0.certainty) }
            asked += actions.notices.filter { $0.repetition == 0 }.map { (second, $0.isDoubted) }
            for order in actions.orders {
                _ = machine.handle(
                    .channel(House.mqtt, .handedOver(order.alarm, order.stage)), at: House.at(second))
            }
        }
        for tenth in 0..<800 {
            let second = 10 + Double(tenth) / 10
            if tenth % 10 == 0, tenth / 10 < values.count {
                note(machine.hear(Self.reading(150, .poorSignal, at: second)), at: second)
            } else {
                note(machine.advance(to: House.at(second)), at: second)
            }
        }
        #expect(asked.map(\.0) == [14] && asked.map(\.1) == [true])
        #expect(told.prefix(2).map(\.0) == [14.5, 70])
        #expect(told.prefix(2).map(\.1) == [.pending, .confirmed])
        #expect(told.prefix(2).allSatisfy { $0.2 == .possible })
    }

    @Test func `that a person answers calls nobody, and takes the notice back`() {
        var machine = House.machine()
        let actions = Self.hear(
            &machine, Array(repeating: (150, .poorSignal), count: 6), from: 10, until: 15.5)
        #expect(actions.orders.map(\.stage) == [.pending])
        let answer = machine.handle(.abort(.theOpenOne, House.act), at: House.at(20))
        #expect(answer.retractions.count == 1)
        #expect(Self.hear(&machine, [(150, .poorSignal)], from: 21, until: 120).orders.isEmpty)
    }

    @Test func `that comes back takes its question and its notice back by itself`() {
        var machine = House.machine()
        _ = Self.hear(&machine, Array(repeating: (150, .poorSignal), count: 6), from: 10, until: 15.5)
        let back = machine.hear(Self.reading(72, [], at: 16))
        #expect(back.retractions.map(\.ending.act.means) == [.gateway])
        #expect(machine.openAlarms.isEmpty)
        // It is no answer of a person: the next crossing is judged at once.
        #expect(Self.hear(&machine, [(150, []), (150, []), (150, [])], from: 17, until: 19).notices.count == 1)
    }

    @Test func `is confirmed by five more after a jump, within 10 s`() {
        var machine = House.machine()
        let jumps = Array(repeating: (150.0, Doubts.jump), count: 5) + [(150, [])]
        let actions = Self.hear(&machine, jumps, from: 10, until: 15)
        #expect(actions.orders.map(\.stage) == [.pending])
        #expect(actions.notices.map(\.isDoubted) == [true, false])
        let call = Self.hear(&machine, [], from: 15, until: 17.5)
        #expect(call.orders.map(\.stage) == [.confirmed] && call.orders.map(\.certainty) == [.observed])
    }

    @Test func `does not slow down the values that nothing doubts`() {
        var machine = House.machine()
        let actions = Self.hear(
            &machine, [(150, .poorSignal), (150, []), (151, []), (152, [])], from: 10, until: 14.5)
        // The first that nothing doubts came at 11 s: its call may be as late as 15.5 s, and the notice is out by then.
        #expect(actions.notices.map(\.isDoubted) == [false])
        #expect(actions.orders.map(\.stage) == [.pending])
        #expect(machine.advance(to: House.at(15.5)).orders.map(\.stage) == [.confirmed])
    }

    @Test func `leaves the five seconds to a crossing that nothing doubts`() {
        var machine = House.machine()
        let actions = Self.hear(
            &machine, [(150, []), (150, .poorSignal), (150, .poorSignal)], from: 10, until: 14.5)
        #expect(actions.orders.map(\.stage) == [.confirmed] && actions.orders[0].certainty == .observed)
    }

    @Test func `neither clears a crossing that nothing doubts, nor lets it call alone`() {
        var machine = House.machine()
        _ = Self.hear(&machine, [(150, []), (72, .poorSignal)], from: 10, until: 13.9)
        #expect(machine.openAlarms.isEmpty)
        #expect(machine.advance(to: House.at(14)).notices.map(\.isDoubted) == [true])
    }

    @Test func `is confirmed by another sensor`() {
        var machine = House.machine()
        _ = machine.hear(Self.reading(150, [], at: 9, from: "watch"))
        let actions = Self.hear(
            &machine, Array(repeating: (150, .poorSignal), count: 3), from: 10, until: 12)
        #expect(actions.notices.map(\.isDoubted) == [false])
    }

    @Test(arguments: [WearableSignal.Kind.sosButton, .fall])
    func `is confirmed by a press and by a fall`(kind: WearableSignal.Kind) {
        var machine = House.machine()
        _ = Self.hear(&machine, Array(repeating: (150, .poorSignal), count: 6), from: 10, until: 15)
        let signal = WearableSignal(
            id: House.reading(1, at: 20).id, person: House.maria, device: DeviceID(sample: "tag"), kind: kind,
            arrival: House.moment(20))
        let actions = machine.handle(.signal(signal), at: House.at(20))
        #expect(actions.notices.contains { $0.cause.name == "heart-rate-high" && !$0.isDoubted })
        let calls = machine.advance(to: House.at(22.5)).orders
        #expect(calls.allSatisfy { $0.stage == .confirmed && $0.certainty == .observed } && calls.count == 2)
    }

    @Test func `of a cuff asks to measure again, and the second value counts`() {
        for (second, opens) in [(226.0, true), (131, false)] {
            var machine = House.machine(Self.cuff)
            let first = machine.hear(
                Self.reading(226, .bodyMovement, at: 10, .systolicPressure, from: "cuff", sampling: .spot))
            #expect(first.notices.map(\.isDoubted) == [true])
            #expect(machine.advance(to: House.at(100)).orders.map(\.stage).contains(.confirmed) == false)
            let again = machine.hear(
                Self.reading(second, [], at: 130, .systolicPressure, from: "cuff", sampling: .spot))
            #expect(machine.openAlarms.isEmpty == !opens)
            #expect(again.notices.map(\.isDoubted) == (opens ? [false] : []))
        }
    }

    @Test func `of a cuff that is not used again calls after five minutes`() {
        var machine = House.machine(Self.cuff)
        _ = machine.hear(
            Self.reading(226, .looseCuff, at: 10, .systolicPressure, from: "cuff", sampling: .spot))
        var orders: [DispatchOrder] = []
        while let due = machine.nextDeadline, due <= House.at(310) {
            let actions = machine.advance(to: due)
            orders += actions.orders
            for order in actions.orders {
                _ = machine.handle(.channel(House.mqtt, .handedOver(order.alarm, order.stage)), at: due)
            }
        }
        #expect(
            orders.map(\.stage) == [.pending, .confirmed] && orders.map(\.certainty) == [.possible, .possible])
        #expect(
            orders.map { $0.cause.instant.duration(to: $0.ordered) } == [.milliseconds(4_500), .seconds(300)])
    }

    @Test func `is still in doubt after a restart, with the same deadlines`() {
        var first = House.machine()
        _ = Self.hear(&first, [(150, .poorSignal), (150, .poorSignal)], from: 10, until: 12)
        var second = SOSMachine(plans: [House.plan()], installed: House.place, startingAt: House.at(13))
        _ = second.resume(first.snapshot, after: .known)
        #expect(second.nextDeadline == House.at(14))
        #expect(second.advance(to: House.at(14)).notices.map(\.isDoubted) == [true])
        var third = SOSMachine(plans: [House.plan()], installed: House.place, startingAt: House.at(20))
        _ = third.resume(second.snapshot, after: .known)
        #expect(third.openAlarms.map(\.isDoubted) == [true])
        #expect(third.openAlarms.map(\.windowEnd) == [House.at(70)])
    }

    @Test func `is no part of a score`() {
        let plan = SOSPlan(
            person: House.maria, rules: [], windows: AbortWindows(vitalSign: .milliseconds(2_500)),
            ways: EscalationPlan(channels: [House.mqtt], carers: [House.sms]),
            earlyWarning: EarlyWarningRule())
        for (doubts, warns) in [([], true), (.poorSignal, false)] as [(Doubts, Bool)] {
            var machine = House.machine(plan)
            var notices: [AlarmNotice] = []
            for second in stride(from: 10.0, to: 100, by: 5) {
                notices += machine.hear(Self.reading(150, doubts, at: second)).notices
            }
            #expect(notices.isEmpty == !warns)
        }
    }
}
