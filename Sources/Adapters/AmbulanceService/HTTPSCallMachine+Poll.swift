import GatewayModel
import SOSLocal

/// Asking for a person's answer where the service has said that it will be.
extension HTTPSCallMachine {
    /// RFC 9110 sections 15.3.2 and 15.3.3: where the call's own state can be seen.
    mutating func beginPoll(
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

    mutating func endPoll(of alarm: AlarmID) -> [Step] {
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

    mutating func polled(_ alarm: AlarmID, _ outcome: HTTPOutcome, at now: BootInstant) -> [Step] {
        guard var poll = lines[alarm]?.poll else { return [] }
        poll.underWay = nil
        poll.next = now.advanced(by: pollInterval)
        let complaint: String?
        switch outcome {
        case .failure(let reason, _): complaint = reason
        case .response(let response) where !response.isSuccess: complaint = response.failure(of: poll.address)
        case .response(let response):
            switch Answer(response, to: alarm, isDrill: poll.isDrill) {
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
