import HTTPTransfers
import HelpLine
import ModelSamples
import SOSLocal
import Testing

@testable import AmbulanceService
@testable import GatewayModel

private typealias Sample = AmbulanceSample

/// Which message is attempted when, and what becomes of an answer: told by instants, without a network.
@Suite struct `The desk of the ambulance channel` {
    private static let endpoint = try! Endpoint("https://ambulance.example/calls")

    private func desk(startingAt start: Double = 0) -> HTTPSCallMachine {
        HTTPSCallMachine(endpoint: Self.endpoint, pollInterval: .seconds(3), startingAt: Sample.at(start))
    }

    private func response(
        _ status: Int = 200, _ body: String = "", location: String? = nil
    ) -> HTTPOutcome {
        .response(HTTPResponse(status: status, location: location, body: Array(body.utf8), isTooLarge: false))
    }

    private func retraction() -> HelpMessage { .retraction(Sample.retraction(), of: Sample.profile) }

    @Test func `sends the messages of one alarm one after the other`() {
        var desk = desk()
        let first = desk.give(Sample.call(Sample.order(Sample.crossing, .pending)), at: Sample.at(14))
        let second = desk.give(Sample.call(Sample.order(ordered: 20)), at: Sample.at(20))
        let third = desk.give(retraction(), at: Sample.at(21))
        #expect(first.words == ["dispatched"])
        #expect(first.starts == ["1 call pending first"])
        #expect(second.isEmpty && third.isEmpty)
        let afterFirst = desk.ended(1, response(), at: Sample.at(22))
        #expect(afterFirst.words == ["handedOver", "dispatched"])
        #expect(afterFirst.starts == ["2 call confirmed later"])
        let afterSecond = desk.ended(2, response(500), at: Sample.at(23))
        #expect(afterSecond.starts == ["3 retraction"])
        #expect(!desk.isIdle)
        #expect(desk.ended(3, response(), at: Sample.at(24)).words == ["retracted"])
        #expect(desk.isIdle)
    }

    @Test func `does not let one alarm wait for another`() {
        var desk = desk()
        let other = AlarmCause.signal(
            WearableSignal(
                id: Sample.id.derived("other"), person: Sample.maria, device: DeviceID(sample: "pendant"),
                kind: .fall, arrival: Sample.moment(10)))
        _ = desk.give(Sample.call(), at: Sample.at(14))
        #expect(
            desk.give(Sample.call(Sample.order(other)), at: Sample.at(14)).starts == ["2 call confirmed first"])
    }

    @Test func `repeats the first message as it was, and makes updates of the others`() {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        _ = desk.ended(1, .failure(reason: "cut", mayHaveArrived: true), at: Sample.at(15))
        let again = desk.give(Sample.call(Sample.order(ordered: 20)), at: Sample.at(20))
        #expect(again.starts == ["2 call confirmed first"])
        _ = desk.ended(2, response(), at: Sample.at(21))
        let round = desk.give(Sample.call(Sample.order(round: 2, ordered: 45)), at: Sample.at(45))
        #expect(round.starts == ["3 call confirmed later"])
    }

    @Test func `tells as the first what has certainly not arrived before`() {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        _ = desk.ended(1, .failure(reason: "refused", mayHaveArrived: false), at: Sample.at(15))
        let round = desk.give(Sample.call(Sample.order(round: 2, ordered: 45)), at: Sample.at(45))
        #expect(round.starts == ["2 call confirmed first"])
    }

    @Test func `takes for an update what an earlier run may have begun`() {
        var desk = desk(startingAt: 30)
        let round = desk.give(Sample.call(Sample.order(round: 2, ordered: 45)), at: Sample.at(45))
        #expect(round.starts == ["1 call confirmed later"])
    }

    @Test(arguments: [408, 425, 429, 500, 503, 401, 403, 404, 400, 422, 301, 413, 418])
    func `says of a refusal what has to be done`(_ status: Int) {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        let steps = desk.ended(1, response(status, #"{"accepted": {"by": "x"}}"#), at: Sample.at(15))
        #expect(steps.words == ["failed"])
        let reason = steps.reasons[0]
        #expect(reason.contains("HTTP \(status)") && reason.contains("ambulance.example"))
        let remedies = [
            401: "token", 403: "token", 404: "check url", 400: "format", 422: "format", 301: "final address",
            413: "64 KiB", 418: "ask the service",
        ]
        if let remedy = remedies[status] { #expect(reason.contains(remedy)) }
    }

    @Test func `asks where the service says, until a person has answered`() {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        #expect(desk.deadline == nil)
        let handed = desk.ended(1, response(202, location: "/calls/1"), at: Sample.at(15))
        #expect(handed.words == ["handedOver"])
        #expect(desk.deadline == Sample.at(18))
        #expect(desk.tick(at: Sample.at(17)).isEmpty)
        #expect(desk.tick(at: Sample.at(18)).starts == ["2 poll https://ambulance.example/calls/1"])
        #expect(desk.deadline == nil, "one question at a time")
        #expect(desk.ended(2, response(200, #"{"accepted": null}"#), at: Sample.at(19)).isEmpty)
        #expect(desk.deadline == Sample.at(22))
        _ = desk.tick(at: Sample.at(22))
        let accepted = desk.ended(3, response(200, #"{"accepted": {"by": "Operator 7"}}"#), at: Sample.at(23))
        #expect(accepted.words == ["accepted by Operator 7"])
        #expect(desk.deadline == nil)
    }

    @Test func `stops asking when the call is taken back, also in the middle of a question`() {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        _ = desk.ended(1, response(201, location: "1"), at: Sample.at(15))
        _ = desk.tick(at: Sample.at(18))
        let steps = desk.give(retraction(), at: Sample.at(19))
        #expect(steps.cancels == [2])
        #expect(steps.starts == ["3 retraction"])
        #expect(desk.ended(2, response(200, #"{"accepted": {"by": "x"}}"#), at: Sample.at(20)).isEmpty)
        #expect(desk.deadline == nil)
    }

    @Test func `does not begin to ask about a call that is being taken back`() {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        _ = desk.give(retraction(), at: Sample.at(15))
        _ = desk.ended(1, response(202, location: "/calls/1"), at: Sample.at(16))
        #expect(desk.deadline == nil)
    }

    @Test func `asks for two hours and no longer`() {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        _ = desk.ended(1, response(202, location: "/calls/1"), at: Sample.at(15))
        var asked = 0
        while let due = desk.deadline {
            let starts = desk.tick(at: due).starts
            asked += starts.count
            for start in starts {
                _ = desk.ended(Int(start.split(separator: " ")[0])!, response(503), at: due)
            }
        }
        #expect(asked == 2_399, "every 3 s in 7200 s, the end not counted")
    }

    @Test(
        arguments: [
            "https://elsewhere.example/1", "http://ambulance.example/1", "https://ambulance.example:444/1",
            "https://x@ambulance.example/1", "//elsewhere.example/1", "file:///etc/passwd",
            "https://ambulance.example:x/", " ",
        ])
    func `asks at no other origin`(_ location: String) {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        let steps = desk.ended(1, response(202, location: location), at: Sample.at(15))
        #expect(steps.words == ["handedOver"])
        #expect(steps.ignored.count == 1)
        #expect(desk.deadline == nil)
    }

    @Test func `complains of an unusable answer once, not every few seconds`() {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        _ = desk.ended(1, response(202, location: "/calls/1"), at: Sample.at(15))
        var complaints: [Int] = []
        for (number, outcome) in [response(500), response(500), response(200, "x"), response(200)].enumerated()
        {
            _ = desk.tick(at: Sample.at(Double(18 + 10 * number)))
            complaints.append(
                desk.ended(2 + number, outcome, at: Sample.at(Double(18 + 10 * number))).ignored.count)
        }
        #expect(complaints == [1, 0, 1, 0])
    }

    @Test func `takes an acceptance of a later answer after the machine has refused an earlier one`() {
        var desk = desk()
        let accepting = response(200, #"{"accepted": {"by": "Operator 7"}}"#)
        _ = desk.give(Sample.call(Sample.order(Sample.crossing, .pending)), at: Sample.at(14))
        #expect(desk.ended(1, accepting, at: Sample.at(15)).words == ["handedOver", "accepted by Operator 7"])
        _ = desk.give(Sample.call(Sample.order(ordered: 20)), at: Sample.at(20))
        #expect(desk.ended(2, accepting, at: Sample.at(21)).words == ["handedOver", "accepted by Operator 7"])
    }

    @Test func `says at its end what was not answered`() {
        var desk = desk()
        _ = desk.give(Sample.call(), at: Sample.at(14))
        _ = desk.give(retraction(), at: Sample.at(15))
        #expect(desk.abandon().words.sorted() == ["failed", "retractionFailed"])
        #expect(desk.isIdle)
    }

    @Test func `tells what a test gave`() {
        var desk = desk()
        func result(_ outcome: HTTPOutcome) -> ChannelTest? {
            guard case .start(let number, .test) = desk.test()[0],
                case .tested(let test) = desk.ended(number, outcome, at: Sample.at(1))[0]
            else { return nil }
            return test
        }
        #expect(result(response(204)) == .works(detail: "ambulance.example answers with HTTP 204"))
        #expect(result(.failure(reason: "no route", mayHaveArrived: false)) == .fails(reason: "no route"))
        guard case .fails(let reason) = result(response(401)) else {
            Issue.record("a refused test is no working way")
            return
        }
        #expect(reason.contains("check the token"))
    }
}

extension `The desk of the ambulance channel` {
    @Test func `sends a notice beside the calls, and takes no answer to it as an acceptance`() {
        var desk = desk()
        _ = desk.give(Sample.call(Sample.order(ordered: 20)), at: Sample.at(20))
        let notice = NoticeSample.began(Sample.profile)
        #expect(desk.give(notice).starts == ["2 notice began"])
        let answer = desk.ended(2, response(200, #"{"accepted": {"by": "A machine"}}"#), at: Sample.at(21))
        #expect(answer.count == 1 && answer.words.isEmpty && answer.outcomes == [.handedOver])
        #expect(!desk.isIdle, "the call is still under way")
        _ = desk.give(notice)
        guard case .failed(let reason) = desk.ended(3, response(401), at: Sample.at(22)).outcomes.first else {
            Issue.record("a refused notice is not handed over")
            return
        }
        #expect(reason.contains("check the token"))
        _ = desk.give(notice)
        #expect(desk.abandon().outcomes == [.failed(reason: NoticeOutcome.stopped)])
    }
}

extension [HTTPSCallMachine.Step] {
    fileprivate var outcomes: [NoticeOutcome] {
        compactMap { if case .noticed(_, let outcome) = $0 { outcome } else { nil } }
    }

    fileprivate var starts: [String] {
        compactMap { step in
            guard case .start(let number, let work) = step else { return nil }
            switch work {
            case .call(let order, _, let place): return "\(number) call \(order.stage) \(place)"
            case .retraction: return "\(number) retraction"
            case .poll(let endpoint): return "\(number) poll \(endpoint.url)"
            case .notice(let message): return "\(number) notice \(message.notice.phase)"
            case .test: return "\(number) test"
            }
        }
    }

    fileprivate var words: [String] {
        compactMap { if case .report(let word) = $0 { word.plain } else { nil } }
    }

    fileprivate var reasons: [String] {
        compactMap { if case .report(.failed(_, _, let reason)) = $0 { reason } else { nil } }
    }

    fileprivate var cancels: [Int] { compactMap { if case .cancel(let number) = $0 { number } else { nil } } }
    fileprivate var ignored: [String] {
        compactMap { if case .ignored(_, let reason) = $0 { reason } else { nil } }
    }
}

extension ChannelEvent {
    /// The word without its alarm.
    var plain: String {
        switch self {
        case .dispatched: "dispatched"
        case .handedOver: "handedOver"
        case .failed: "failed"
        case .accepted(_, _, let by, _): "accepted by \(by)"
        case .retracted: "retracted"
        case .retractionFailed: "retractionFailed"
        }
    }
}
