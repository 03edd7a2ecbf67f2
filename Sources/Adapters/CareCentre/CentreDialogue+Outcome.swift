import GatewayModel
import HelpLine
import SOSLocal

/// How an exchange begins and ends.
extension CentreDialogue {
    func isOut(_ alarm: AlarmID) -> Bool {
        exchanges.values.contains { $0.errand.alarm == alarm && $0.isOut }
    }

    mutating func begin(_ errand: Errand, at now: BootInstant) -> [Action] {
        if let alarm = errand.alarm { remember(alarm) }
        let limit = now.advanced(by: rules.attemptLimit)
        exchanges[errand.reference] = Exchange(errand: errand, state: .trying(until: limit), limit: limit)
        let dispatched: [Action] =
            if case .call(let alarm, _) = errand.purpose { [.report(.dispatched(alarm))] } else { [] }
        return dispatched + [.send(errand)]
    }

    /// The time for it is over.
    mutating func close(_ reference: SCAIPReference, at now: BootInstant) -> [Action] {
        guard let exchange = exchanges[reference] else { return [] }
        switch exchange.state {
        case .trying:
            let reason =
                "\(rules.centre) did not answer within \(rules.attemptLimit.components.seconds) s; check its "
                + "address, port and transport, and that the network lets SIP through"
            return [.abandon(reference), .renewWay] + finish(exchange, failure: reason, at: now)
        case .taken:
            return exchange.errand.purpose == .heartbeat
                ? finish(exchange, failure: silence, at: now) : finish(exchange, answer: nil, at: now)
        case .told: return []
        }
    }

    /// - Parameter answer: ok, or nil where SIP took the message and no answer came so far.
    mutating func finish(_ exchange: Exchange, answer: SCAIPResponse?, at now: BootInstant) -> [Action] {
        exchanges[exchange.errand.reference]?.state = .told(isAnswered: answer != nil)
        let outcome: [Action]
        switch exchange.errand.purpose {
        case .call(let alarm, let stage):
            outcome =
                [.report(.handedOver(alarm, stage))] + (answer.map { acceptance(exchange, $0) } ?? [])
        case .retraction(let alarm):
            outcome = [.report(.retracted(alarm))]
        case .heartbeat:
            exchanges[exchange.errand.reference] = nil
            outcome = [.tested(.works(detail: "\(rules.centre) answers heartbeats"))]
        }
        return outcome + next(after: exchange, at: now)
    }

    mutating func finish(_ exchange: Exchange, failure reason: String, at now: BootInstant) -> [Action] {
        // Kept: an ok that comes after all still counts, for the centre has the call then.
        exchanges[exchange.errand.reference]?.state = .told(isAnswered: false)
        let outcome: Action
        switch exchange.errand.purpose {
        case .call(let alarm, let stage): outcome = .report(.failed(alarm, stage, reason: reason))
        case .retraction(let alarm): outcome = .report(.retractionFailed(alarm, reason: reason))
        case .heartbeat:
            exchanges[exchange.errand.reference] = nil
            outcome = .tested(.fails(reason: reason))
        }
        return [outcome] + next(after: exchange, at: now)
    }

    /// Only a confirmed call can be accepted: an early notice that a machine answers must not end the alarm
    /// before its window has.
    func acceptance(_ exchange: Exchange, _ answer: SCAIPResponse) -> [Action] {
        guard rules.isAnswerAcceptance, case .call(let alarm, .confirmed) = exchange.errand.purpose
        else { return [] }
        return [.report(.accepted(alarm, of: nil, by: rules.centre))]
    }

    func refusal(_ status: Int, _ phrase: String) -> String {
        let advice =
            switch status {
            case 401, 407: "check the account's user and password"
            case 403, 404: "check the account, the centre's address and the controller id with the centre"
            case 408, 480, 500...599: "it is tried again"
            case 415: "it does not take application/scaip+xml at this address; check the address"
            default: "ask the centre"
            }
        return "\(rules.centre) refused the message: \(status) \(phrase); expected 200 or 202; \(advice)"
    }

    func refusal(_ answer: SCAIPResponse) -> String {
        let words = answer.text.map { " ('\($0)')" } ?? ""
        return "\(rules.centre) answered \(answer.status.number)\(words): \(answer.status.reason)"
    }

    private var silence: String {
        "\(rules.centre) took the heartbeat but sent no answer within "
            + "\(rules.attemptLimit.components.seconds) s; expected an <mrs>, in its SIP answer or as a MESSAGE; "
            + "ask the centre whether it knows this controller id and can reach this box"
    }

    private mutating func next(after exchange: Exchange, at now: BootInstant) -> [Action] {
        guard let alarm = exchange.errand.alarm, let errand = takeWaiting(alarm) else { return [] }
        return begin(errand, at: now)
    }
}
