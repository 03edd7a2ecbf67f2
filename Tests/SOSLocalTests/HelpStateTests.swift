import GatewayModel
import HelpState
import ModelSamples
import SOSLocal
import Testing

/// T11: every sentence about help is made from this value, and it is never ahead of the facts.
@Suite struct `The state of help` {
    private static let facts = HelpFacts(
        mayCall: true,
        recipients: [House.mqtt: HelpRecipient(.desk), House.sms: HelpRecipient(name: "Anna", .carers)])
    private static let both = House.plan(window: .seconds(2), channels: [House.mqtt, House.sms])

    private func state(
        _ machine: SOSMachine, at seconds: Double, _ facts: HelpFacts = facts
    ) throws -> HelpState {
        HelpState(of: try #require(machine.openAlarms.first), facts, at: House.at(seconds))
    }

    private func wall(_ seconds: Double) -> WallTime { House.moment(seconds).wall }

    /// An alarm at 12 s whose window ends at 14 s.
    /// A window of a minute, with an early notice.
    private static let noticed = SOSPlan(
        person: House.maria, rules: [House.rule(.high, 131)],
        windows: AbortWindows(vitalSign: .seconds(60)),
        hasEarlyNotice: true, ways: EscalationPlan(channels: [House.mqtt]))

    private func begun() -> (SOSMachine, AlarmID) {
        var machine = House.machine(Self.both)
        let alarm = machine.alarmAtTwelve()
        return (machine, alarm)
    }

    @Test func `goes from the window over the call to its arrival, with recipient and time`() throws {
        var (machine, alarm) = begun()
        #expect(try state(machine, at: 12.5) == .willBeCalled(at: wall(14), knowing: []))
        _ = machine.advance(to: House.at(14))
        #expect(try state(machine, at: 14.1) == .beingCalled(since: wall(14), [HelpRecipient(.desk)]))
        _ = machine.handle(.channel(House.sms, .handedOver(alarm, .confirmed)), at: House.at(14.4))
        _ = machine.advance(to: House.at(16))
        #expect(
            try state(machine, at: 16) == .cannotBeCalled(.unanswered),
            "Anna's line was not told, its word counts not")
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(17))
        _ = machine.handle(.channel(House.sms, .handedOver(alarm, .confirmed)), at: House.at(18))
        let anna = HelpState.Informed(HelpRecipient(name: "Anna", .carers), at: wall(18))
        let desk = HelpState.Informed(HelpRecipient(.desk), at: wall(17))
        #expect(try state(machine, at: 18) == .reached([desk, anna]))
    }

    @Test func `never says of an early notice that it has arrived before a machine outside acknowledges it`()
        throws
    {
        var machine = House.machine(Self.noticed)
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        #expect(try state(machine, at: 15) == .willBeCalled(at: wall(72), knowing: []))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .pending)), at: House.at(15))
        let desk = HelpState.Informed(HelpRecipient(.desk), at: wall(15))
        #expect(try state(machine, at: 16) == .willBeCalled(at: wall(72), knowing: [desk]))
        _ = machine.advance(to: House.at(72))
        // The notice is no call.
        #expect(try state(machine, at: 72.1) == .beingCalled(since: wall(72), [HelpRecipient(.desk)]))
    }

    @Test
    func `says already in the window, and after it, that nobody is called where the terms are not accepted`()
        throws
    {
        var (machine, _) = begun()
        let refused = HelpFacts(mayCall: false)
        #expect(try state(machine, at: 12.5, refused) == .nobodyIsCalled(.termsNotAccepted))
        _ = machine.advance(to: House.at(14))
        #expect(try state(machine, at: 14.1, refused) == .nobodyIsCalled(.termsNotAccepted))
        let over = machine.handle(.abort(.theOpenOne, House.act), at: House.at(20))
        let alarm = try #require(over.endingNotices.first?.state)
        #expect(HelpState(of: alarm, refused, at: House.at(20)) == .over(by: "Maria", at: wall(20), .nobody))
    }

    @Test func `says already in the window, and after it, that nobody can be called where every way is dead`()
        throws
    {
        var (machine, _) = begun()
        let dead = HelpFacts(mayCall: true, dead: [House.mqtt, House.sms])
        for channel in [House.mqtt, House.sms] {
            _ = machine.handle(.channelState(channel, isLive: false), at: House.at(12.1))
        }
        #expect(try state(machine, at: 12.5, dead) == .cannotBeCalled(.waysDead))
        _ = machine.advance(to: House.at(14))
        #expect(try state(machine, at: 14, dead) == .cannotBeCalled(.waysDead))
        let one = HelpFacts(mayCall: true, dead: [House.mqtt])
        #expect(try state(machine, at: 12.5, one) != .cannotBeCalled(.waysDead))
    }

    @Test
    func
        `says nothing in the window against ways that had no time to come up, and never that it calls by them`()
        throws
    {
        var (machine, _) = begun()
        for channel in [House.mqtt, House.sms] {
            _ = machine.handle(.channelState(channel, isLive: false), at: House.at(12.1))
        }
        let begun = HelpFacts(mayCall: true, dead: [House.mqtt, House.sms], untried: [House.mqtt])
        #expect(try state(machine, at: 12.5, begun) == .willBeCalled(at: wall(14), knowing: []))
        _ = machine.advance(to: House.at(14))
        #expect(try state(machine, at: 14, begun) == .cannotBeCalled(.waysDead))
    }

    @Test func `of an alarm without channels is that nobody is told`() throws {
        var machine = House.machine(House.plan(channels: []))
        _ = machine.alarmAtTwelve()
        #expect(try state(machine, at: 12.5) == .nobodyIsCalled(.nobodyToTell))
    }

    @Test func `names the helper with the call until a person ends it`() throws {
        var (machine, alarm) = begun()
        _ = machine.advance(to: House.at(14))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.1))
        let anna = PersonAct(by: "Anna", means: .page)
        let taken = machine.handle(.accept(alarm, anna), at: House.at(20))
        let held = try #require(taken.endingNotices.first?.state)
        #expect(HelpState(of: held, Self.facts, at: House.at(4_000)) == .taken(by: "Anna", at: wall(20)))
        let ended = machine.handle(.resolve(.alarm(alarm), anna), at: House.at(60))
        let closed = try #require(ended.lastRecord)
        #expect(
            HelpState(of: closed, Self.facts, at: House.at(60)) == .over(by: "Anna", at: wall(60), .beingTold))
        _ = machine.handle(.channel(House.mqtt, .retracted(alarm)), at: House.at(61))
    }

    @Test func `after a cancel says first that those called are being told, and then that they know`() throws {
        var (machine, alarm) = begun()
        _ = machine.advance(to: House.at(14))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .confirmed)), at: House.at(14.1))
        let over = try #require(machine.handle(.abort(.theOpenOne, House.act), at: House.at(20)).lastRecord)
        #expect(
            HelpState(of: over, Self.facts, at: House.at(20)) == .over(by: "Maria", at: wall(20), .beingTold))
        let told = machine.handle(.channel(House.mqtt, .retracted(alarm)), at: House.at(21))
        let known = try #require(told.lastRecord)
        #expect(
            HelpState(of: known, Self.facts, at: House.at(21)) == .over(by: "Maria", at: wall(20), .informed))
    }

    @Test func `after a cancel says that nobody was reached where no machine had a message`() throws {
        var (machine, _) = begun()
        _ = machine.advance(to: House.at(14))
        let over = try #require(machine.handle(.abort(.theOpenOne, House.act), at: House.at(20)).lastRecord)
        #expect(
            HelpState(of: over, Self.facts, at: House.at(20)) == .over(by: "Maria", at: wall(20), .unreached))
    }

    @Test func `after a cancel in the window says of those with an early notice that they are told`() throws {
        var machine = House.machine(Self.noticed)
        let alarm = machine.alarmAtTwelve()
        _ = machine.advance(to: House.at(14.5))
        _ = machine.handle(.channel(House.mqtt, .handedOver(alarm, .pending)), at: House.at(15))
        let over = try #require(machine.handle(.abort(.theOpenOne, House.act), at: House.at(16)).lastRecord)
        #expect(
            HelpState(of: over, Self.facts, at: House.at(16))
                == .over(by: "Maria", at: wall(16), .noticeBeingTold))
        let told = machine.handle(.channel(House.mqtt, .retracted(alarm)), at: House.at(17))
        let known = try #require(told.lastRecord)
        #expect(
            HelpState(of: known, Self.facts, at: House.at(17))
                == .over(by: "Maria", at: wall(16), .noticeInformed))
    }

    @Test func `is ready for a watched person only with the terms and a living way`() {
        let live = HelpFacts(mayCall: true, dead: [House.mqtt])
        #expect(HelpReadiness([House.mqtt, House.sms], live) == .ready)
        #expect(HelpReadiness([House.mqtt], live) == .cannotBeCalled(.waysDead))
        #expect(HelpReadiness([], live) == .nobodyIsCalled(.nobodyToTell))
        #expect(HelpReadiness([House.sms], HelpFacts(mayCall: false)) == .nobodyIsCalled(.termsNotAccepted))
    }
}

extension [SOSAction] {
    fileprivate var endingNotices: [AlarmNotice] {
        compactMap { if case .noteEnding(let notice, _, _) = $0 { notice } else { nil } }
    }
    fileprivate var lastRecord: Alarm? {
        compactMap { if case .record(let alarm) = $0 { alarm } else { nil } }.last
    }
}
