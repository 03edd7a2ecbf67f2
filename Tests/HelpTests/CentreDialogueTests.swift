import GatewayModel
import HelpLine
import SOSLocal
import Testing

@testable import CareCentre

/// Without SIP and without a clock.
@Suite struct `The dialogue with a care centre` {
    private typealias Action = CentreDialogue.Action

    private let dialogue = Talk()
    private let call: SCAIPRequestContext
    private let second: SCAIPRequestContext
    private let retraction: SCAIPRequestContext

    init() {
        let order = SCAIPSample.order()
        call = SCAIPRequestContext(.call(order, of: SCAIPSample.profile), from: SCAIPSample.controller)
        second = SCAIPRequestContext(
            .call(SCAIPSample.order(round: 2), of: SCAIPSample.profile), from: SCAIPSample.controller)
        retraction = SCAIPRequestContext(
            .retraction(SCAIPSample.retraction(), of: SCAIPSample.profile), from: SCAIPSample.controller)
    }

    private func at(_ seconds: Double) -> BootInstant { SCAIPSample.at(seconds) }

    private func answer(_ context: SCAIPRequestContext, _ status: Int = 0, heartbeatStep: Int? = nil)
        -> SCAIPResponse
    {
        SCAIPResponse(
            reference: context.reference, status: .init(status), text: nil, heartbeatStep: heartbeatStep)
    }

    private var pulse: SCAIPRequest {
        SCAIPRequest(heartbeat: SCAIPReference(heartbeat: 1), from: SCAIPSample.controller)
    }

    private var alarm: AlarmID { SCAIPSample.crossing().alarm }
    private var handedOver: Action { .report(.handedOver(alarm, .confirmed)) }
    private var accepted: Action { .report(.accepted(alarm, of: nil, by: "the centre")) }

    /// The reasons of failures among the actions.
    private func failures(_ actions: [Action]) -> [String] {
        actions.compactMap { if case .report(.failed(_, _, let reason)) = $0 { reason } else { nil } }
    }

    @Test func `sends at once, and counts the centre's ok as handed over and accepted`() {
        #expect(dialogue.give(call, at: at(0)) == [.report(.dispatched(alarm)), .send(call)])
        let actions = dialogue.sipAnswered(
            call.reference, status: 200, phrase: "OK", answer: answer(call), at: at(0.1))
        #expect(actions == [handedOver, accepted])
        #expect(!dialogue.isBusy)
        #expect(dialogue.deadline == nil)
        // Its answer came twice: nothing more.
        let again = dialogue.answered(answer(call), at: at(0.2))
        #expect(again.isEmpty)
    }

    @Test func `sends a notice beside a call, and takes its answer as no acceptance`() {
        #expect(dialogue.give(call, at: at(0)).count == 2)
        let message = NoticeSample.began(SCAIPSample.profile)
        let notice = SCAIPRequestContext(message, from: SCAIPSample.controller)
        #expect(dialogue.give(notice, at: at(0.1)) == [.send(notice)])
        let actions = dialogue.sipAnswered(
            notice.reference, status: 200, phrase: "OK", answer: answer(notice), at: at(0.2))
        #expect(actions == [.noticed(message, .handedOver)])
        #expect(dialogue.isBusy, "the call is still out")
        #expect(dialogue.give(notice, at: at(1)) == [.send(notice)])
        let refused = dialogue.sipAnswered(
            notice.reference, status: 403, phrase: "Forbidden", answer: nil, at: at(1.1))
        guard case .noticed(message, .failed)? = refused.first, refused.count == 1 else {
            Issue.record("a refused notice is not handed over: \(refused)")
            return
        }
    }

    @Test func `writes a notice as a technical alarm of low priority`() {
        let codes: [(PersonNotice.Topic, String, String)] = [
            (.battery, "0016", "0015"), (.mains, "0085", "0086"), (.supervision, "0073", "0075"),
            (.help, "0065", "0070"), (.other, "0065", "0070"),
        ]
        for (topic, began, ended) in codes {
            let first = SCAIPRequest(
                notice: NoticeSample.began(SCAIPSample.profile, topic), from: SCAIPSample.controller)
            let last = SCAIPRequest(
                notice: NoticeSample.ended(SCAIPSample.profile, topic), from: SCAIPSample.controller)
            #expect(first.xml.contains("<stc>\(began)</stc>") && last.xml.contains("<stc>\(ended)</stc>"))
            #expect(first.xml.contains("<stt>NO EMERGENCY: notice</stt>"), "\(first.xml)")
            #expect(first.xml.contains("<pri>3</pri>") && first.xml.contains("<ite>Nobody is watching over "))
            #expect(first.reference != last.reference && first.reference.description.count == 13)
        }
    }

    @Test func `counts SIP's ok alone as handed over, and an answer later as accepted`() {
        _ = dialogue.give(call, at: at(0))
        let first = dialogue.sipAnswered(
            call.reference, status: 202, phrase: "Accepted", answer: nil, at: at(1))
        #expect(first.isEmpty)
        #expect(dialogue.deadline == at(3))
        #expect(dialogue.tick(at: at(3), heartbeat: pulse) == [handedOver])
        #expect(dialogue.answered(answer(call), at: at(20)) == [accepted])
    }

    @Test func `believes an answer that overtakes SIP's own`() {
        _ = dialogue.give(call, at: at(0))
        #expect(dialogue.answered(answer(call), at: at(0.1)) == [handedOver, accepted])
        let sip = dialogue.sipAnswered(call.reference, status: 200, phrase: "OK", answer: nil, at: at(0.2))
        #expect(sip.isEmpty)
    }

    /// A machine that answers an early notice must not end the alarm before the window has.
    @Test func `never takes an early notice for accepted`() {
        let notice = SCAIPRequestContext(
            .call(SCAIPSample.order(stage: .pending), of: SCAIPSample.profile), from: SCAIPSample.controller)
        _ = dialogue.give(notice, at: at(0))
        #expect(dialogue.answered(answer(notice), at: at(0.1)) == [.report(.handedOver(alarm, .pending))])
    }

    @Test func `takes no answer for accepted where the settings say that a machine gives it`() {
        let dialogue = Talk(isAnswerAcceptance: false)
        _ = dialogue.give(call, at: at(0))
        #expect(dialogue.answered(answer(call), at: at(0.1)) == [handedOver])
    }

    @Test(arguments: [
        (4, "on hold"), (6, "busy"), (2, "format"), (3, "controller id"), (7, "missing"), (42, "42"),
    ])
    func `fails with the centre's reason`(status: Int, word: String) {
        _ = dialogue.give(call, at: at(0))
        let actions = dialogue.answered(answer(call, status), at: at(0.1))
        #expect(failures(actions).count == 1 && failures(actions)[0].contains(word), "\(actions)")
        // The next try has the same reference and may succeed.
        #expect(dialogue.give(call, at: at(5)).contains(.send(call)))
        #expect(dialogue.answered(answer(call), at: at(5.1)) == [handedOver, accepted])
    }

    @Test func `fails when nobody answers within the limit, and looks for a new way`() {
        _ = dialogue.give(call, at: at(0))
        #expect(dialogue.deadline == at(10))
        #expect(dialogue.tick(at: at(9.9), heartbeat: pulse).isEmpty)
        let actions = dialogue.tick(at: at(10), heartbeat: pulse)
        #expect(actions.contains(.renewWay) && actions.contains(.abandon(call.reference)))
        #expect(failures(actions).count == 1)
        // The centre had it after all: that counts.
        #expect(dialogue.answered(answer(call), at: at(11)) == [accepted])
    }

    @Test func `fails at a refusal of SIP, with what to do`() {
        _ = dialogue.give(call, at: at(0))
        let actions = dialogue.sipAnswered(
            call.reference, status: 403, phrase: "Forbidden", answer: nil, at: at(1))
        #expect(
            failures(actions).first?.contains("403 Forbidden; expected 200 or 202; check the account") == true)
    }

    @Test func `ignores an answer to an old round and to nothing`() {
        _ = dialogue.give(call, at: at(0))
        _ = dialogue.sipAnswered(call.reference, status: 202, phrase: "", answer: nil, at: at(0))
        _ = dialogue.tick(at: at(3), heartbeat: pulse)
        _ = dialogue.give(second, at: at(30))
        #expect(dialogue.answered(answer(call), at: at(30.1)) == [.note(.ignoredAnswer(call.reference, .ok))])
        let stranger = SCAIPReference("0000")!
        let strange = SCAIPResponse(reference: stranger, status: .ok, text: nil, heartbeatStep: nil)
        #expect(dialogue.answered(strange, at: at(30.1)) == [.note(.ignoredAnswer(stranger, .ok))])
        #expect(dialogue.answered(answer(second), at: at(30.2)) == [handedOver, accepted])
    }

    @Test func `tells a refusal that comes after the taking, and changes nothing by it`() {
        _ = dialogue.give(call, at: at(0))
        _ = dialogue.sipAnswered(call.reference, status: 202, phrase: "", answer: nil, at: at(0))
        _ = dialogue.tick(at: at(2), heartbeat: pulse)
        #expect(dialogue.answered(answer(call, 6), at: at(4)) == [.note(.lateRefusal(call.reference, .busy))])
    }

    @Test func `keeps the words of one alarm in order, and lets no alarm wait for another`() {
        _ = dialogue.give(call, at: at(0))
        #expect(dialogue.give(retraction, at: at(1)).isEmpty)
        let other = SCAIPRequestContext(
            .call(SCAIPSample.order(SCAIPSample.signal(.fall)), of: SCAIPSample.profile),
            from: SCAIPSample.controller)
        #expect(dialogue.give(other, at: at(1)).contains(.send(other)))
        let actions = dialogue.answered(answer(call), at: at(2))
        #expect(actions == [handedOver, accepted, .send(retraction)])
        #expect(dialogue.answered(answer(retraction), at: at(3)) == [.report(.retracted(alarm))])
        // What it answered before is old now.
        #expect(dialogue.answered(answer(call), at: at(4)) == [.note(.ignoredAnswer(call.reference, .ok))])
    }

    @Test func `forgets the oldest of many alarms, and none that is out`() {
        let causes = (1...CentreDialogue.memory + 1).map { SCAIPSample.crossing(number: $0) }
        let errands = causes.map {
            SCAIPRequestContext(
                .call(SCAIPSample.order($0), of: SCAIPSample.profile), from: SCAIPSample.controller)
        }
        _ = dialogue.give(errands[0], at: at(0))
        for context in errands.dropFirst() {
            _ = dialogue.give(context, at: at(0))
            _ = dialogue.sipAnswered(context.reference, status: 403, phrase: "", answer: nil, at: at(0))
        }
        #expect(dialogue.exchanges.count == CentreDialogue.memory)
        #expect(dialogue.exchanges[errands[0].reference] != nil)
        #expect(dialogue.exchanges[errands[1].reference] == nil)
    }

    @Test func `sends heartbeats from the start on, as often as the centre wants`() {
        let dialogue = Talk(heartbeat: .seconds(600), steps: [3: .seconds(60)])
        let sent = SCAIPRequestContext(purpose: .heartbeat, request: pulse)
        #expect(dialogue.deadline == at(0))
        #expect(dialogue.tick(at: at(0), heartbeat: pulse) == [.send(sent)])
        #expect(
            dialogue.answered(answer(sent), at: at(1)) == [
                .tested(.works(detail: "the centre answers heartbeats"))
            ])
        #expect(dialogue.deadline == at(600))
        #expect(dialogue.tick(at: at(600), heartbeat: pulse) == [.send(sent)])
        _ = dialogue.answered(answer(sent, heartbeatStep: 3), at: at(601))
        #expect(dialogue.deadline == at(661))
        // A step that the settings do not explain changes nothing.
        _ = dialogue.tick(at: at(661), heartbeat: pulse)
        _ = dialogue.answered(answer(sent, heartbeatStep: 1), at: at(662))
        #expect(dialogue.deadline == at(721))
    }

    /// SIP's ok proves only that a server in between lives.
    @Test func `takes a heartbeat that only SIP answers for a failed one`() {
        let dialogue = Talk(heartbeat: .seconds(600))
        _ = dialogue.tick(at: at(0), heartbeat: pulse)
        _ = dialogue.sipAnswered(pulse.reference, status: 202, phrase: "", answer: nil, at: at(1))
        let actions = dialogue.tick(at: at(10), heartbeat: pulse)
        guard case .tested(.fails(let reason)) = actions.first else {
            return #expect(Bool(false), "\(actions)")
        }
        #expect(reason.contains("expected an <mrs>"))
    }

    @Test func `tests with one heartbeat at a time`() {
        #expect(dialogue.test(pulse, at: at(0)).count == 1)
        #expect(dialogue.test(pulse, at: at(1)).isEmpty)
    }

    @Test func `waits at a stop for SIP's answer and no longer`() {
        _ = dialogue.give(call, at: at(0))
        #expect(dialogue.stop(at: at(1)).isEmpty)
        #expect(dialogue.isBusy)
        #expect(
            dialogue.sipAnswered(call.reference, status: 202, phrase: "", answer: nil, at: at(1.1))
                == [handedOver])
        #expect(!dialogue.isBusy)
    }
}

/// A dialogue that `#expect` can call: its macro takes no mutating calls.
private final class Talk {
    private var dialogue: CentreDialogue

    init(heartbeat: Duration? = nil, steps: [Int: Duration] = [:], isAnswerAcceptance: Bool = true) {
        dialogue = CentreDialogue(
            rules: CentreDialogue.Rules(
                attemptLimit: .seconds(10), heartbeatInterval: heartbeat, heartbeatSteps: steps,
                isAnswerAcceptance: isAnswerAcceptance, centre: "the centre"), at: SCAIPSample.at(0))
    }

    var deadline: BootInstant? { dialogue.deadline }
    var isBusy: Bool { dialogue.isBusy }
    var exchanges: [SCAIPReference: CentreDialogue.Exchange] { dialogue.exchanges }

    func give(_ context: SCAIPRequestContext, at now: BootInstant) -> [CentreDialogue.Action] {
        dialogue.give(context, at: now)
    }

    func sipAnswered(
        _ reference: SCAIPReference, status: Int, phrase: String, answer: SCAIPResponse?, at now: BootInstant
    ) -> [CentreDialogue.Action] {
        dialogue.sipAnswered(reference, status: status, phrase: phrase, answer: answer, at: now)
    }

    func answered(_ answer: SCAIPResponse, at now: BootInstant) -> [CentreDialogue.Action] {
        dialogue.answered(answer, at: now)
    }

    func tick(at now: BootInstant, heartbeat: SCAIPRequest) -> [CentreDialogue.Action] {
        dialogue.tick(at: now, heartbeat: heartbeat)
    }

    func test(_ request: SCAIPRequest, at now: BootInstant) -> [CentreDialogue.Action] {
        dialogue.test(request, at: now)
    }

    func stop(at now: BootInstant) -> [CentreDialogue.Action] { dialogue.stop(at: now) }
}
