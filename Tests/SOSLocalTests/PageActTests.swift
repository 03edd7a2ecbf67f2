import GatewayModel
import SOSLocal
import Testing

/// Acts of persons on the pages of the house.
@Suite struct `An act on a page` {
    private static let page = PersonAct(by: "Anna", means: .page)

    private func call(at seconds: Double, by name: String = "Anna") -> SOSEvent {
        let reading = House.reading(70, at: seconds)
        return .callHelp(
            WearableSignal(
                id: reading.id, person: House.maria, device: .housePage, kind: .sosButton,
                arrival: reading.arrival, by: name), PersonAct(by: name, means: .page))
    }

    @Test func `that calls help calls at once, with the alarm in the house before it`() {
        var machine = House.machine(House.plan(window: .seconds(4)))
        let raised = machine.handle(call(at: 10), at: House.at(10))
        #expect(raised.notices.map(\.cause.name) == ["sos-button"])
        #expect(raised.notices.first?.windowEnd == nil, "a window is for alarms that the house raised itself")
        #expect(raised.orders.map(\.stage) == [.confirmed])
        #expect(machine.openAlarms.first?.hurried?.by == Self.page)
        #expect(machine.advance(to: House.at(15)).orders.allSatisfy { $0.round == 1 })
    }

    @Test func `that asks for help in the window of an emergency ends the window, once`() throws {
        var machine = House.machine(House.plan(window: .seconds(4)))
        for second in [10.0, 10.1, 10.2] { _ = machine.hear(150, at: second) }
        #expect(machine.openAlarms.count == 1)
        let hurried = machine.handle(call(at: 11), at: House.at(11))
        #expect(hurried.orders.count == 1 && hurried.notices.isEmpty)
        #expect(machine.openAlarms.first?.hurried?.by == PersonAct(by: "Anna", means: .page))
        #expect(machine.handle(call(at: 11.5), at: House.at(11.5)).orders.isEmpty)
        #expect(machine.openAlarms.count == 1)
        #expect(machine.advance(to: House.at(14.5)).orders.allSatisfy { $0.round == 1 })
    }

    @Test func `that asks for help during a drill begins the emergency and ends the drill`() {
        var machine = House.machine()
        let moment = House.moment(10)
        let drill = Drill(
            id: House.reading(70, at: 10).id, person: House.maria, act: Self.page, arrival: moment)
        _ = machine.handle(.drill(drill), at: House.at(10))
        _ = machine.handle(call(at: 11), at: House.at(11))
        #expect(machine.openAlarms.map(\.cause.name) == ["sos-button"])
    }

    @Test func `calls help after all when the alarm before it was cancelled`() {
        var machine = House.machine()
        _ = machine.handle(call(at: 10), at: House.at(10))
        _ = machine.handle(.abort(.theOpenOne, Self.page), at: House.at(11))
        let after = machine.handle(call(at: 12), at: House.at(12))
        #expect(after.notices.count == 1 && after.orders.count == 1)
    }

    @Test func `for somebody who is not watched is refused`() {
        var machine = House.machine()
        let reading = House.reading(70, at: 1)
        let stranger = WearableSignal(
            id: reading.id, person: House.giuseppe, device: .housePage, kind: .sosButton,
            arrival: reading.arrival)
        let actions = machine.handle(.callHelp(stranger, Self.page), at: House.at(1))
        #expect(actions == [.refuse(.unknownPerson(House.giuseppe))])
    }

    @Test func `takes the call once help was called, and tells everyone who was`() throws {
        var machine = House.machine()
        for second in [10.0, 10.1, 10.2] { _ = machine.hear(150, at: second) }
        let alarm = try #require(machine.openAlarms.first?.id)
        let early = machine.handle(.accept(alarm, Self.page), at: House.at(10.5))
        #expect(early == [.refuse(.notDispatchedYet)], "nobody can accept a call that was not made")
        _ = machine.advance(to: House.at(12.5))
        let actions = machine.handle(.accept(alarm, Self.page), at: House.at(13))
        let ended = actions.compactMap { if case .noteEnding(_, let ending, _) = $0 { ending } else { nil } }
        #expect(ended == [.accepted(Self.page, channel: .pages, at: House.at(13))])
        let told = actions.compactMap { if case .retract(let word) = $0 { word.channels } else { nil } }
        #expect(told == [[House.mqtt]])
        #expect(machine.advance(to: House.at(100)).orders.isEmpty)
    }

    @Test func `is refused where the person's plan does not name its means`() throws {
        var machine = House.machine(
            SOSPlan(
                person: House.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
                ways: EscalationPlan(channels: [House.mqtt]), mayEnd: [.button]))
        _ = machine.handle(call(at: 10), at: House.at(10))
        let alarm = try #require(machine.openAlarms.first?.id)
        _ = machine.advance(to: House.at(13))
        let refusal = SOSAction.refuse(.notAllowed(.page))
        #expect(machine.handle(.accept(alarm, Self.page), at: House.at(14)) == [refusal])
        #expect(machine.handle(.abort(.alarm(alarm), Self.page), at: House.at(14)) == [refusal])
    }

    @Test func `ends an alarm that somebody has accepted, once`() throws {
        var machine = House.machine()
        _ = machine.handle(call(at: 10), at: House.at(10))
        let alarm = try #require(machine.openAlarms.first?.id)
        _ = machine.handle(.accept(alarm, Self.page), at: House.at(13))
        let closed = machine.handle(.resolve(.alarm(alarm), Self.page), at: House.at(60))
        #expect(closed.contains { if case .noteClosing(_, Self.page) = $0 { true } else { false } })
        #expect(closed.retractions.isEmpty, "those who were told hear nothing new")
        let again = machine.handle(.resolve(.alarm(alarm), Self.page), at: House.at(61))
        #expect(again.contains { if case .refuse(.alreadyEnded) = $0 { true } else { false } })
    }
}
