import GatewayModel
import HelpLine
import SOSLocal
import Synchronization

/// State machine of the conversation with the centre: it decides when to send a message and how to take an
/// answer.
///
/// One message of an alarm is out at a time, so they arrive in their order; alarms do not wait for each
/// other. A message is done when the centre's `<mrs>` is there, when SIP has taken it and no answer came
/// for `answerGrace`, or when the attempt's limit is over.
struct CentreDialogue {
    enum Action: Hashable, Sendable {
        case send(SCAIPRequestContext)
        /// SIP need not follow its outcome any more.
        case abandon(SCAIPReference)
        /// The way there seems broken: take a new one for the next message.
        case renewWay
        case report(ChannelEvent)
        case noticed(NoticeMessage, NoticeOutcome)
        case tested(ChannelTest)
        case note(SCAIPNote)
    }

    struct Rules: Sendable {
        var attemptLimit: Duration
        /// For heartbeats; nil where the centre wants none.
        var heartbeatInterval: Duration?
        /// Heartbeat interval of each `hbi` of this centre.
        var heartbeatSteps: [Int: Duration]
        /// Whether `snu` 0 to a confirmed call means that the centre looks after it.
        var isAnswerAcceptance: Bool
        var centre: String
    }

    /// A message that is out, or that was and may still be answered.
    struct Exchange {
        enum State: Hashable {
            /// SIP has not answered.
            case trying(until: BootInstant)
            /// SIP has taken it; the centre has not answered.
            case taken(until: BootInstant)
            /// Its outcome is told. `isAnswered`: the centre has said ok, nothing more is expected.
            case told(isAnswered: Bool)
        }

        let context: SCAIPRequestContext
        var state: State
        let limit: BootInstant

        var isOut: Bool { if case .told = state { false } else { true } }

        var deadline: BootInstant? {
            switch state {
            case .trying(let end), .taken(let end): end
            case .told: nil
            }
        }
    }

    let rules: Rules
    /// The newest message of each alarm, and the heartbeat that is out.
    var exchanges: [SCAIPReference: Exchange] = [:]
    private var waiting: [AlarmID: [SCAIPRequestContext]] = [:]
    /// Alarms in the order in which they were last spoken of; the oldest are forgotten first.
    private var recent: [AlarmID] = []
    private var heartbeat: Heartbeat
    private(set) var isStopping = false

    /// How long an answer may follow the taking, before the message counts as handed over: answers come
    /// within a second where they come; below the 5 s after which the next channel is told too.
    private static let answerGrace = Duration.seconds(2)
    /// How many alarms' answers are still known when they come late. A house has a few open at once.
    static let memory = 64

    init(rules: Rules, at now: BootInstant) {
        self.rules = rules
        heartbeat = Heartbeat(interval: rules.heartbeatInterval, start: now)
    }

    /// When something is due without anything having come.
    var deadline: BootInstant? {
        let ends = exchanges.values.compactMap(\.deadline)
        return (ends + [isStopping ? nil : heartbeat.due].compactMap { $0 }).min()
    }

    /// Whether a call or a retraction has not been attempted to its end.
    var isBusy: Bool {
        !waiting.isEmpty || exchanges.values.contains { $0.isOut && $0.context.alarm != nil }
    }

    // MARK: Messages of the gateway

    mutating func give(_ context: SCAIPRequestContext, at now: BootInstant) -> [Action] {
        guard let alarm = context.alarm else { return begin(context, at: now) }
        guard isOut(alarm) else { return begin(context, at: now) }
        waiting[alarm, default: []].append(context)
        return []
    }

    /// No more heartbeats, and nobody's answer is waited for longer than SIP's own.
    mutating func stop(at now: BootInstant) -> [Action] {
        isStopping = true
        return exchanges.values.filter { if case .taken = $0.state { true } else { false } }
            .flatMap { close($0.context.reference, at: now) }
    }

    // MARK: Answers

    /// SIP's final response to a message, with the content of its body, if any.
    mutating func sipAnswered(
        _ reference: SCAIPReference, status: Int, phrase: String, answer: SCAIPResponse?, at now: BootInstant
    ) -> [Action] {
        guard var exchange = exchanges[reference], case .trying = exchange.state else {
            // The centre's own message was faster than its SIP.
            return answer.map { answered($0, at: now) } ?? []
        }
        guard (200..<300).contains(status) else {
            return finish(exchange, failure: refusal(status, phrase), at: now)
        }
        let grace = exchange.context.purpose == .heartbeat ? exchange.limit : now.advanced(by: Self.answerGrace)
        exchange.state = .taken(until: min(grace, exchange.limit))
        exchanges[reference] = exchange
        let fromBody = answer.map { answered($0, at: now) } ?? []
        guard isStopping, case .taken = exchanges[reference]?.state else { return fromBody }
        return fromBody + close(reference, at: now)
    }

    /// SIP could not bring it there: nobody answered, or nobody could be reached.
    mutating func sipFailed(_ reference: SCAIPReference, _ reason: String, at now: BootInstant) -> [Action] {
        guard let exchange = exchanges[reference], exchange.isOut else { return [] }
        return [.renewWay] + finish(exchange, failure: reason, at: now)
    }

    /// The centre's `<mrs>`, in a message of its own or in SIP's answer.
    mutating func answered(_ answer: SCAIPResponse, at now: BootInstant) -> [Action] {
        guard let exchange = exchanges[answer.reference] else {
            return [.note(.ignoredAnswer(answer.reference, answer.status))]
        }
        if let step = answer.heartbeatStep, let interval = rules.heartbeatSteps[step] {
            heartbeat.wanted(every: interval, at: now)
        }
        guard answer.status == .ok else {
            guard exchange.isOut else { return [.note(.lateRefusal(answer.reference, answer.status))] }
            return finish(exchange, failure: refusal(answer), at: now)
        }
        switch exchange.state {
        case .told(isAnswered: true): return []
        case .told(isAnswered: false):
            exchanges[answer.reference]?.state = .told(isAnswered: true)
            return acceptance(exchange, answer)
        case .trying, .taken: return finish(exchange, answer: answer, at: now)
        }
    }

    /// - Parameter request: makes the heartbeat that may be due.
    mutating func tick(at now: BootInstant, heartbeat request: @autoclosure () -> SCAIPRequest) -> [Action] {
        var actions: [Action] = []
        let due = exchanges.values.filter { $0.deadline.map { $0 <= now } ?? false }
        for exchange in due.sorted(by: { $0.limit < $1.limit }) {
            actions += close(exchange.context.reference, at: now)
        }
        if !isStopping, heartbeat.isDue(at: now) {
            actions += test(request(), at: now)
        }
        return actions
    }

    /// A heartbeat now, unless one is out.
    mutating func test(_ request: @autoclosure () -> SCAIPRequest, at now: BootInstant) -> [Action] {
        heartbeat.sent(at: now)
        let isOut = exchanges.values.contains { $0.context.purpose == .heartbeat }
        return isOut ? [] : begin(SCAIPRequestContext(purpose: .heartbeat, request: request()), at: now)
    }

    // MARK: Memory

    private mutating func takeWaiting(_ alarm: AlarmID) -> SCAIPRequestContext? {
        guard var queue = waiting[alarm], !queue.isEmpty else { return nil }
        let first = queue.removeFirst()
        waiting[alarm] = queue.isEmpty ? nil : queue
        return first
    }

    /// Only the newest message of an alarm is answered; earlier messages are old.
    private mutating func remember(_ alarm: AlarmID) {
        recent.removeAll { $0 == alarm }
        recent.append(alarm)
        exchanges = exchanges.filter { $0.value.context.alarm != alarm }
        while recent.count > Self.memory, let oldest = recent.first(where: { !isOut($0) }) {
            recent.removeAll { $0 == oldest }
            exchanges = exchanges.filter { $0.value.context.alarm != oldest }
        }
    }
}

/// How an exchange begins and ends.
extension CentreDialogue {
    private func isOut(_ alarm: AlarmID) -> Bool {
        exchanges.values.contains { $0.context.alarm == alarm && $0.isOut }
    }

    mutating func begin(_ context: SCAIPRequestContext, at now: BootInstant) -> [Action] {
        if let alarm = context.alarm { remember(alarm) }
        let limit = now.advanced(by: rules.attemptLimit)
        exchanges[context.reference] = Exchange(context: context, state: .trying(until: limit), limit: limit)
        let dispatched: [Action] =
            if case .call(let alarm, _) = context.purpose { [.report(.dispatched(alarm))] } else { [] }
        return dispatched + [.send(context)]
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
            return exchange.context.purpose == .heartbeat
                ? finish(exchange, failure: silence, at: now) : finish(exchange, answer: nil, at: now)
        case .told: return []
        }
    }

    /// - Parameter answer: ok, or nil where SIP took the message and no answer came so far.
    private mutating func finish(_ exchange: Exchange, answer: SCAIPResponse?, at now: BootInstant) -> [Action]
    {
        exchanges[exchange.context.reference]?.state = .told(isAnswered: answer != nil)
        let outcome: [Action]
        switch exchange.context.purpose {
        case .call(let alarm, let stage):
            outcome =
                [.report(.handedOver(alarm, stage))] + (answer.map { acceptance(exchange, $0) } ?? [])
        case .retraction(let alarm):
            outcome = [.report(.retracted(alarm))]
        case .notice(let notice):
            exchanges[exchange.context.reference] = nil
            outcome = [.noticed(notice, .handedOver)]
        case .heartbeat:
            exchanges[exchange.context.reference] = nil
            outcome = [.tested(.works(detail: "\(rules.centre) answers heartbeats"))]
        }
        return outcome + next(after: exchange, at: now)
    }

    private mutating func finish(_ exchange: Exchange, failure reason: String, at now: BootInstant) -> [Action]
    {
        // Kept: an ok that comes after all still counts, for the centre has the call then.
        exchanges[exchange.context.reference]?.state = .told(isAnswered: false)
        let outcome: Action
        switch exchange.context.purpose {
        case .call(let alarm, let stage): outcome = .report(.failed(alarm, stage, reason: reason))
        case .retraction(let alarm): outcome = .report(.retractionFailed(alarm, reason: reason))
        case .notice(let notice):
            exchanges[exchange.context.reference] = nil
            outcome = .noticed(notice, .failed(reason: reason))
        case .heartbeat:
            exchanges[exchange.context.reference] = nil
            outcome = .tested(.fails(reason: reason))
        }
        return [outcome] + next(after: exchange, at: now)
    }

    /// Only a confirmed call can be accepted: an early notice that a machine answers must not end the alarm
    /// before its window has.
    private func acceptance(_ exchange: Exchange, _ answer: SCAIPResponse) -> [Action] {
        guard rules.isAnswerAcceptance, case .call(let alarm, .confirmed) = exchange.context.purpose
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
        guard let alarm = exchange.context.alarm, let context = takeWaiting(alarm) else { return [] }
        return begin(context, at: now)
    }
}

/// Outcome of a thread's body, for the waiter of the thread.
final class Outcome: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    func set(_ body: () throws -> Void) {
        do { try body() } catch { failure.withLock { $0 = error } }
    }

    func get() throws {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
