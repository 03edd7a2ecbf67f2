import GatewayModel
import SOSLocal
import Testing

/// Crossing at 10 s, confirmation at 12 s, window of 2.5 s: it ends at 14.5 s.
@Suite struct `The abort window` {
    private static let end = House.at(14.5)

    @Test func `holds the dispatch back until its end and no longer`() {
        var machine = House.machine()
        _ = machine.alarmAtTwelve()
        #expect(machine.nextDeadline == Self.end)
        #expect(machine.advance(to: BootInstant(nanoseconds: Self.end.nanoseconds - 1)).isEmpty)
        #expect(machine.advance(to: Self.end).orders.count == 1)
    }

    @Test func `ends the alarm quietly when it is aborted one nanosecond before its end`() {
        var machine = House.machine()
        _ = machine.alarmAtTwelve()
        let before = BootInstant(nanoseconds: Self.end.nanoseconds - 1)
        let actions = machine.handle(.abort(.theOpenOne, House.act), at: before)
        #expect(actions.endings == [.aborted(House.act, at: before, beforeDispatch: true)])
        #expect(actions.orders.isEmpty && actions.retractions.isEmpty)
        #expect(machine.advance(to: House.at(3_600)).orders.isEmpty)
    }

    @Test func `is over at its end: an abort at that instant is a late one`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        let actions = machine.handle(.abort(.theOpenOne, House.act), at: Self.end)
        #expect(actions.orders.map(\.alarm) == [alarm])
        #expect(actions.endings == [.aborted(House.act, at: Self.end, beforeDispatch: false)])
        #expect(actions.retractions.map(\.channels) == [[House.mqtt]])
    }

    @Test func `after it an abort sends a cancellation to every channel that was told`() {
        var machine = House.machine(House.plan(channels: [House.mqtt, House.sms]))
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: Self.end)
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.6))
        _ = machine.advance(to: House.at(44.5))
        let actions = machine.handle(.abort(.alarm(alarm), House.act), at: House.at(50))
        #expect(actions.retractions.map(\.channels) == [[House.mqtt, House.sms]])
        #expect(machine.openAlarms.isEmpty)
    }

    @Test func `cannot be aborted before there is an alarm`() {
        var machine = House.machine()
        _ = machine.hear(150, at: 10)
        #expect(machine.handle(.abort(.theOpenOne, House.act), at: House.at(11)).refusals == [.nothingOpen])
        #expect(machine.advance(to: House.at(12)).notices.count == 1)
    }

    @Test func `that a stop of the gateway cuts short is dispatched at once`() {
        var machine = House.machine()
        let alarm = machine.alarmAtTwelve()
        #expect(machine.handle(.stopping, at: House.at(13)).orders.map(\.alarm) == [alarm])
    }

    @Test func `missed by a late caller still gives the alarm before the dispatch`() {
        var machine = House.machine()
        _ = machine.hear(150, at: 10)
        let actions = machine.advance(to: House.at(60))
        let told = actions.compactMap { action in
            switch action {
            case .annunciate(let notice): "alarm \(notice.repetition)"
            case .dispatch(let order): "call \(order.round)"
            default: nil
            }
        }
        // The second round was due at 44.5 s, and nobody new has to be told again who is still being told.
        #expect(told == ["alarm 0", "call 1", "alarm 1"])
    }
}
