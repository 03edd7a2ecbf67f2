import ContractReading
import Desk
import GatewayModel
import SOSLocal
import Testing

@Suite struct `The forwarding of a call` {
    private static let house = GatewayID("house-12")!
    private static let anna = Dispatcher(user: "anna", name: "Anna")!
    private static let atOnce = ForwardingRule(wait: .zero, includesDrills: false)
    private static let patient = ForwardingRule(wait: .seconds(60), includesDrills: false)

    private static func at(_ second: Int64) -> WallTime {
        WallTime(millisecondsSince1970: 1_772_353_800_000 + second * 1_000)
    }

    private static func message(_ state: String = "confirmed", round: Int = 1, isDrill: Bool = false) throws
        -> EmergencyMessage
    {
        let number = (try #require(EmergencyMessage.State(rawValue: state)).isEnd ? 2_000 : 1_000) + round
        let text = """
            {"alarm": "019caa1b-3c40-7d10-8a01-5f0c3a9e0008", "id": "019caa1b-3c40-7d10-8a01-5f0c3a9e\(number)",
             "person": "maria", "state": "\(state)", "round": \(round), "drill": \(isDrill)}
            """
        return try EmergencyMessage(Array(text.utf8), of: #require(PersonID("maria")))
    }

    private static func call(_ state: String = "confirmed", isDrill: Bool = false) throws -> EmergencyCall {
        EmergencyCall.received(try message(state, isDrill: isDrill), from: house, at: at(0)).call
    }

    private static let silent = CallForwarding.Outcome.handedOver(answerAt: nil)

    private static func failure(_ reason: String = "away", mayHaveArrived: Bool = false)
        -> CallForwarding.Outcome
    {
        .failed(reason: reason, mayHaveArrived: mayHaveArrived)
    }

    private func begun(
        _ forwarding: inout CallForwarding, _ call: EmergencyCall, by rule: ForwardingRule = atOnce,
        at now: WallTime
    ) throws -> CallForwarding.Message {
        let message = forwarding.begin(call, by: rule, at: now)
        return try #require(message)
    }

    @Test func `begins at once with an alert, and tells each change once`() throws {
        var call = try Self.call()
        var forwarding = try #require(CallForwarding(call, by: Self.atOnce, at: Self.at(0)))
        let alert = try begun(&forwarding, call, by: Self.atOnce, at: Self.at(0))
        #expect(alert.kind == .alert)
        #expect(forwarding.standing == .unanswered(since: Self.at(0)))
        #expect(forwarding.ended(1, Self.silent, at: Self.at(1)) == [.forwarded(.alert, number: 1)])
        #expect(forwarding.begin(call, by: Self.atOnce, at: Self.at(1)) == nil)
        #expect(forwarding.next == nil)
        #expect(forwarding.standing == .handedOver(at: Self.at(1)))
        _ = try call.take(by: Self.anna, at: Self.at(2))
        forwarding.changed(call, by: Self.atOnce, at: Self.at(2))
        let update = try begun(&forwarding, call, by: Self.atOnce, at: Self.at(2))
        #expect(update.kind == .update)
        #expect(update.number == 2)
        #expect(update.first == alert.first)
        _ = forwarding.ended(2, Self.silent, at: Self.at(3))
        _ = call.receive(try Self.message("cancelled"), at: Self.at(4))
        forwarding.changed(call, by: Self.atOnce, at: Self.at(4))
        #expect(forwarding.begin(call, by: Self.atOnce, at: Self.at(4))?.kind == .cancel)
        _ = forwarding.ended(3, Self.silent, at: Self.at(5))
        #expect(forwarding.begin(call, by: Self.atOnce, at: Self.at(5)) == nil)
        #expect(forwarding.standing == .withdrawn(at: Self.at(5)))
    }

    @Test func `leaves out early notices, calls that are over and drills`() throws {
        #expect(CallForwarding(try Self.call("pending"), by: Self.atOnce, at: Self.at(0)) == nil)
        #expect(CallForwarding(try Self.call("cancelled"), by: Self.atOnce, at: Self.at(0)) == nil)
        let drill = try Self.call(isDrill: true)
        #expect(CallForwarding(drill, by: Self.atOnce, at: Self.at(0)) == nil)
        let rule = ForwardingRule(wait: .zero, includesDrills: true)
        #expect(CallForwarding(drill, by: rule, at: Self.at(0)) != nil)
    }

    @Test func `waits for a dispatcher, and begins when none has taken the call`() throws {
        var call = try Self.call()
        var forwarding = try #require(CallForwarding(call, by: Self.patient, at: Self.at(0)))
        #expect(forwarding.standing == .waitsForDispatcher(until: Self.at(60)))
        #expect(forwarding.begin(call, by: Self.patient, at: Self.at(59)) == nil)
        // The house calls again: the wait goes on.
        _ = call.receive(try Self.message(round: 2), at: Self.at(30))
        forwarding.changed(call, by: Self.patient, at: Self.at(30))
        #expect(forwarding.next == Self.at(60))
        _ = try call.take(by: Self.anna, at: Self.at(40))
        forwarding.changed(call, by: Self.patient, at: Self.at(40))
        #expect(forwarding.next == nil)
        #expect(forwarding.begin(call, by: Self.patient, at: Self.at(60)) == nil)
        // Given back: nobody has it again.
        _ = try call.release(by: Self.anna, at: Self.at(70))
        forwarding.changed(call, by: Self.patient, at: Self.at(70))
        #expect(forwarding.next == Self.at(130))
        #expect(forwarding.begin(call, by: Self.patient, at: Self.at(130))?.kind == .alert)
    }

    @Test func `repeats a message under its number, with growing waits, until it is answered`() throws {
        let call = try Self.call()
        var forwarding = try #require(CallForwarding(call, by: Self.atOnce, at: Self.at(0)))
        var (second, waits): (Int64, [Int64]) = (0, [])
        var messages: Set<CallForwarding.Message> = []
        for _ in 0..<8 {
            messages.insert(try begun(&forwarding, call, by: Self.atOnce, at: Self.at(second)))
            _ = forwarding.ended(1, Self.failure(), at: Self.at(second))
            let next = try #require(forwarding.next).millisecondsSince1970 / 1_000
            let now = Self.at(second).millisecondsSince1970 / 1_000
            waits.append(next - now)
            second += next - now
        }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30])
        #expect(messages.count == 1)
        guard case .failing(let failure) = forwarding.standing else {
            Issue.record("\(forwarding.standing)")
            return
        }
        #expect(failure.since == Self.at(0))
        #expect(failure.reason == "away")
        // The same reason is one line of the log.
        #expect(forwarding.ended(1, Self.failure(), at: Self.at(second)).isEmpty)
        #expect(forwarding.ended(1, Self.failure("full"), at: Self.at(second)) == [.forwardingFailed("full")])
        #expect(forwarding.ended(1, Self.silent, at: Self.at(second)) == [.forwarded(.alert, number: 1)])
        #expect(forwarding.standing == .handedOver(at: Self.at(second)))
    }

    @Test func `cancels an alert without an answer that may have arrived, and forgets one that has not`() throws
    {
        for mayHaveArrived in [false, true] {
            var call = try Self.call()
            var forwarding = try #require(CallForwarding(call, by: Self.atOnce, at: Self.at(0)))
            _ = forwarding.begin(call, by: Self.atOnce, at: Self.at(0))
            _ = forwarding.ended(1, Self.failure(mayHaveArrived: mayHaveArrived), at: Self.at(1))
            _ = call.receive(try Self.message("cancelled"), at: Self.at(2))
            forwarding.changed(call, by: Self.atOnce, at: Self.at(2))
            let message = forwarding.begin(call, by: Self.atOnce, at: Self.at(2))
            #expect(message?.kind == (mayHaveArrived ? .cancel : nil))
        }
    }

    /// The outcome of an attempt comes after the end of its call.
    @Test func `cancels an alert whose attempt is under way when the call ends`() throws {
        for outcome in [Self.silent, Self.failure(mayHaveArrived: true), Self.failure()] {
            var call = try Self.call()
            var forwarding = try #require(CallForwarding(call, by: Self.atOnce, at: Self.at(0)))
            _ = forwarding.begin(call, by: Self.atOnce, at: Self.at(0))
            _ = call.receive(try Self.message("cancelled"), at: Self.at(2))
            forwarding.changed(call, by: Self.atOnce, at: Self.at(2))
            #expect(forwarding.ended(1, outcome, at: Self.at(3)).isEmpty)
            let message = forwarding.begin(call, by: Self.atOnce, at: Self.at(3))
            #expect(message?.kind == (outcome == Self.failure() ? nil : .cancel), "\(outcome)")
        }
    }

    @Test func `does not stop the service for a call that somebody has accepted`() throws {
        var call = try Self.call()
        var forwarding = try #require(CallForwarding(call, by: Self.atOnce, at: Self.at(0)))
        _ = forwarding.begin(call, by: Self.atOnce, at: Self.at(0))
        _ = forwarding.ended(1, .accepted(by: "Operator 7"), at: Self.at(1))
        _ = try call.take(by: Self.anna, at: Self.at(2))
        _ = call.receive(try Self.message("accepted"), at: Self.at(3))
        forwarding.changed(call, by: Self.atOnce, at: Self.at(3))
        #expect(forwarding.begin(call, by: Self.atOnce, at: Self.at(3))?.kind == .update)
        _ = forwarding.ended(2, Self.silent, at: Self.at(4))
        _ = try call.close(by: Self.anna, .helpSent, note: "", at: Self.at(5))
        forwarding.changed(call, by: Self.atOnce, at: Self.at(5))
        #expect(forwarding.begin(call, by: Self.atOnce, at: Self.at(5))?.kind == .update)
        guard case .accepted(let acceptance) = forwarding.standing else {
            Issue.record("\(forwarding.standing)")
            return
        }
        #expect(acceptance.by == "Operator 7")
    }

    @Test func `spares a person who has the call the repetitions of the house`() throws {
        var call = try Self.call()
        var forwarding = try #require(CallForwarding(call, by: Self.atOnce, at: Self.at(0)))
        _ = forwarding.begin(call, by: Self.atOnce, at: Self.at(0))
        _ = forwarding.ended(1, .handedOver(answerAt: "https://calls.example/1"), at: Self.at(1))
        #expect(forwarding.answerPlace?.until == Self.at(7_201))
        #expect(forwarding.accepted(by: "Operator 7", at: Self.at(2)) == [.acceptedOutside(by: "Operator 7")])
        #expect(forwarding.accepted(by: "Operator 8", at: Self.at(3)).isEmpty)
        #expect(forwarding.answerPlace == nil)
        _ = call.receive(try Self.message(round: 2), at: Self.at(30))
        forwarding.changed(call, by: Self.atOnce, at: Self.at(30))
        #expect(forwarding.begin(call, by: Self.atOnce, at: Self.at(30)) == nil)
    }

    @Test func `opens another case when the house calls after the desk has closed the call`() throws {
        var call = try Self.call()
        var forwarding = try #require(CallForwarding(call, by: Self.atOnce, at: Self.at(0)))
        _ = forwarding.begin(call, by: Self.atOnce, at: Self.at(0))
        _ = forwarding.ended(1, Self.silent, at: Self.at(1))
        _ = try call.take(by: Self.anna, at: Self.at(2))
        _ = try call.close(by: Self.anna, .falseAlarm, note: "", at: Self.at(3))
        forwarding.changed(call, by: Self.atOnce, at: Self.at(3))
        #expect(forwarding.begin(call, by: Self.atOnce, at: Self.at(3))?.kind == .cancel)
        _ = call.receive(try Self.message(round: 2), at: Self.at(30))
        forwarding.changed(call, by: Self.atOnce, at: Self.at(30))
        _ = forwarding.ended(2, Self.silent, at: Self.at(31))
        let alert = try begun(&forwarding, call, by: Self.atOnce, at: Self.at(31))
        #expect(alert.kind == .alert)
        #expect(alert.number == 3)
        #expect(alert.first.number == 3)
    }

    @Test func `gives a message up after a day`() throws {
        let call = try Self.call()
        var forwarding = try #require(CallForwarding(call, by: Self.atOnce, at: Self.at(0)))
        _ = forwarding.begin(call, by: Self.atOnce, at: Self.at(0))
        _ = forwarding.ended(1, Self.failure(), at: Self.at(86_399))
        #expect(forwarding.next != nil)
        #expect(forwarding.ended(1, Self.failure(), at: Self.at(86_400)) == [.forwardingGivenUp("away")])
        #expect(forwarding.next == nil)
        #expect(forwarding.standing == .none)
    }
}
