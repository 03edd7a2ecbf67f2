import CAP
import GatewayModel
import HTTPTransfers
import HelpLine
import SOSLocal

/// State machine of the calls to one ambulance service: it decides when to attempt a message and how to take an
/// answer. Each method gets the instant.
///
/// The messages of one alarm go one after the other, those of several alarms side by side.
struct HTTPSCallMachine {
    enum Step: Sendable {
        case start(Int, CallWork)
        /// Nobody asks for its outcome any more.
        case cancel(Int)
        case report(ChannelEvent)
        case noticed(NoticeMessage, NoticeOutcome)
        case ignored(AlarmID, reason: String)
        case tested(ChannelTest)
    }

    /// 2 h: as long as an unanswered alarm may reasonably wait for a person at the service. Rounds go on.
    static let pollLimit = Duration.seconds(7_200)

    /// Purpose of a request under way.
    enum Purpose {
        case message(AlarmID)
        case poll(AlarmID)
        case notice(NoticeMessage)
        case test
    }

    let endpoint: Endpoint
    let pollInterval: Duration
    let start: BootInstant
    var lines: [AlarmID: CallLine] = [:]
    var underWay: [Int: Purpose] = [:]
    private(set) var last = 0

    init(endpoint: Endpoint, pollInterval: Duration, startingAt start: BootInstant) {
        self.endpoint = endpoint
        self.pollInterval = pollInterval
        self.start = start
    }

    /// When `tick` has something to do.
    var deadline: BootInstant? { lines.values.compactMap { $0.poll?.deadline }.min() }

    /// Whether all that was given has been attempted.
    var isIdle: Bool { lines.values.allSatisfy { $0.current == nil && $0.waiting.isEmpty } }

    mutating func give(_ message: HelpMessage, at now: BootInstant) -> [Step] {
        // An alarm without a message for this time is over; the table does not grow for good.
        lines = lines.filter { !$0.value.isForgotten(at: now) }
        let alarm = message.alarm
        var line = lines[alarm] ?? CallLine(start: start, now)
        line.used = now
        line.waiting.append(message)
        lines[alarm] = line
        var steps: [Step] = []
        if case .retraction = message { steps += endPoll(of: alarm) }
        return steps + next(of: alarm)
    }

    mutating func test() -> [Step] {
        [begin(.test, .test)]
    }

    /// A notice has a transfer of its own, beside those of all calls.
    mutating func give(_ notice: NoticeMessage) -> [Step] {
        [begin(.notice(notice), .notice(notice))]
    }

    mutating func begin(_ work: CallWork, _ purpose: Purpose) -> Step {
        last += 1
        underWay[last] = purpose
        return .start(last, work)
    }

    /// The next message of an alarm, unless one is under way.
    private mutating func next(of alarm: AlarmID) -> [Step] {
        guard let line = lines[alarm], line.current == nil, let message = line.waiting.first else { return [] }
        lines[alarm]?.waiting.removeFirst()
        lines[alarm]?.current = message
        switch message {
        case .call(let order, let profile):
            let work = CallWork.call(order, of: profile, line.history.place(of: order))
            return [.report(.dispatched(alarm)), begin(work, .message(alarm))]
        case .retraction(let retraction, let profile):
            return [begin(.retraction(retraction, of: profile), .message(alarm))]
        }
    }

    mutating func ended(_ number: Int, _ outcome: HTTPOutcome, at now: BootInstant) -> [Step] {
        switch underWay.removeValue(forKey: number) {
        case .message(let alarm): return ended(alarm, outcome, at: now)
        case .poll(let alarm): return polled(alarm, outcome, at: now)
        case .notice(let notice): return [.noticed(notice, noticed(outcome))]
        case .test: return [.tested(Self.test(outcome, endpoint))]
        case nil: return []
        }
    }

    /// The answer of a service to a notice accepts nothing.
    private func noticed(_ outcome: HTTPOutcome) -> NoticeOutcome {
        switch outcome {
        case .failure(let reason, _): .failed(reason: reason)
        case .response(let response) where response.isSuccess: .handedOver
        case .response(let response): .failed(reason: response.failure(of: endpoint))
        }
    }

    private mutating func ended(_ alarm: AlarmID, _ outcome: HTTPOutcome, at now: BootInstant) -> [Step] {
        guard let message = lines[alarm]?.current else { return [] }
        lines[alarm]?.current = nil
        lines[alarm]?.used = now
        let steps =
            switch message {
            case .call(let order, _): called(order, outcome, at: now)
            case .retraction(let retraction, _): retracted(retraction, outcome)
            }
        return steps + next(of: alarm)
    }

    private mutating func called(_ order: DispatchOrder, _ outcome: HTTPOutcome, at now: BootInstant) -> [Step]
    {
        let alarm = order.alarm
        switch outcome {
        case .failure(let reason, let mayHaveArrived):
            if mayHaveArrived { lines[alarm]?.history.mayHaveArrived(order) }
            return [.report(.failed(alarm, order.stage, reason: reason))]
        case .response(let response) where !response.isSuccess:
            return [.report(.failed(alarm, order.stage, reason: response.failure(of: endpoint)))]
        case .response(let response):
            let answer = Answer(response, to: alarm.description, isDrill: order.isDrill)
            if case .refused(let reason) = answer {
                return [.report(.failed(alarm, order.stage, reason: "\(endpoint.host): \(reason)"))]
            }
            lines[alarm]?.history.mayHaveArrived(order)
            let handedOver = Step.report(.handedOver(alarm, order.stage))
            if case .accepted(let by) = answer {
                return [handedOver] + endPoll(of: alarm) + [.report(.accepted(alarm, of: order.person, by: by))]
            }
            var steps = [handedOver]
            if case .ignored(let reason) = answer { steps.append(.ignored(alarm, reason: reason)) }
            return steps + beginPoll(of: order, response, at: now)
        }
    }

    private func retracted(_ retraction: Retraction, _ outcome: HTTPOutcome) -> [Step] {
        let alarm = retraction.alarm
        switch outcome {
        case .failure(let reason, _): return [.report(.retractionFailed(alarm, reason: reason))]
        case .response(let response) where !response.isSuccess:
            return [.report(.retractionFailed(alarm, reason: response.failure(of: endpoint)))]
        case .response(let response):
            let answer = Answer(response, to: alarm.description, isDrill: retraction.isDrill)
            guard case .refused(let reason) = answer else { return [.report(.retracted(alarm))] }
            return [.report(.retractionFailed(alarm, reason: "\(endpoint.host): \(reason)"))]
        }
    }

    private static func test(_ outcome: HTTPOutcome, _ endpoint: Endpoint) -> ChannelTest {
        switch outcome {
        case .failure(let reason, _): .fails(reason: reason)
        case .response(let response) where response.isSuccess:
            .works(detail: "\(endpoint.host) answers with HTTP \(response.status)")
        case .response(let response): .fails(reason: response.failure(of: endpoint))
        }
    }

    /// No more polls; messages that were given are still attempted.
    mutating func stop() -> [Step] {
        lines.keys.flatMap { endPoll(of: $0) }
    }

    /// The time to end is over: messages that are under way or wait have failed.
    mutating func abandon() -> [Step] {
        let reason = "the gateway was stopped before the service had answered"
        var steps: [Step] = []
        for line in lines.values {
            for message in (line.current.map { [$0] } ?? []) + line.waiting {
                steps.append(.report(message.failed(because: reason)))
            }
        }
        for case .notice(let notice) in underWay.values {
            steps.append(.noticed(notice, .failed(reason: NoticeOutcome.stopped)))
        }
        lines = [:]
        underWay = [:]
        return steps
    }
}

/// Asking for a person's answer where the service has said that it will be.
extension HTTPSCallMachine {
    /// RFC 9110 sections 15.3.2 and 15.3.3: where the call's own state can be seen.
    private mutating func beginPoll(
        of order: DispatchOrder, _ response: HTTPResponse, at now: BootInstant
    ) -> [Step] {
        guard response.status == 201 || response.status == 202, let location = response.location,
            lines[order.alarm]?.isRetracting == false
        else { return [] }
        guard let address = endpoint.following(location: location) else {
            return [
                .ignored(
                    order.alarm,
                    reason:
                        "a Location that is not at \(endpoint.scheme)://\(endpoint.host) port \(endpoint.port); "
                        + "nobody is asked there")
            ]
        }
        let steps = endPoll(of: order.alarm)
        lines[order.alarm]?.poll = CallPoll(
            address: address, person: order.person, isDrill: order.isDrill,
            next: now.advanced(by: pollInterval),
            end: now.advanced(by: Self.pollLimit))
        return steps
    }

    private mutating func endPoll(of alarm: AlarmID) -> [Step] {
        guard let poll = lines[alarm]?.poll else { return [] }
        lines[alarm]?.poll = nil
        guard let number = poll.underWay else { return [] }
        underWay[number] = nil
        return [.cancel(number)]
    }

    mutating func tick(at now: BootInstant) -> [Step] {
        var steps: [Step] = []
        for (alarm, line) in lines {
            guard let poll = line.poll, let deadline = poll.deadline, deadline <= now else { continue }
            guard now < poll.end else {
                steps += endPoll(of: alarm)
                continue
            }
            let step = begin(.poll(poll.address), .poll(alarm))
            lines[alarm]?.poll?.underWay = last
            steps.append(step)
        }
        return steps
    }

    private mutating func polled(_ alarm: AlarmID, _ outcome: HTTPOutcome, at now: BootInstant)
        -> [Step]
    {
        guard var poll = lines[alarm]?.poll else { return [] }
        poll.underWay = nil
        poll.next = now.advanced(by: pollInterval)
        let complaint: String?
        switch outcome {
        case .failure(let reason, _): complaint = reason
        case .response(let response) where !response.isSuccess: complaint = response.failure(of: poll.address)
        case .response(let response):
            switch Answer(response, to: alarm.description, isDrill: poll.isDrill) {
            case .accepted(let by):
                lines[alarm]?.poll = nil
                return [.report(.accepted(alarm, of: poll.person, by: by))]
            case .silent: complaint = nil
            case .refused(let reason), .ignored(let reason): complaint = reason
            }
        }
        // Told when it changes, not every few seconds.
        let isNews = complaint != poll.complaint
        poll.complaint = complaint
        lines[alarm]?.poll = poll
        guard isNews, let complaint else { return [] }
        return [.ignored(alarm, reason: "asked for an answer: \(complaint)")]
    }
}
