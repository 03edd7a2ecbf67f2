import Audio
import GatewayModel
import HelpLine
import SOSLocal

/// State machine of the calls: it decides the next number, which words are spoken, and which reports the alarm
/// machine gets.
///
/// There is one line, so one call at a time. The recipients of an alarm are called in their order, pass after pass,
/// until one of them accepts or the alarm is over. An answered call is handed over: a machine may have answered it. Only
/// a pressed key accepts. A recipient that has answered and not accepted is owed the end of the alarm.
struct TelephoneMachine {
    enum Step: Hashable, Sendable {
        case dial(Int, PhoneNumber)
        /// Words that a call will soon need.
        case prepare(Utterance)
        case speak(Int, Utterance, isRepeated: Bool)
        case hangUp(Int)
        case report(ChannelEvent)
        case note(CallNote)
    }

    struct Rules: Sendable {
        let recipients: [PhoneNumber]
        /// From dialling until the other side has to answer.
        var ring: Duration
        /// Between two passes.
        var pause: Duration
        /// From dialling until the route has to show that it works on the call.
        var reach: Duration
        var takesKeys: Bool
    }

    /// An answered call without a key: the words about four times. A voicemail is full then.
    static let talk = Duration.seconds(60)
    /// With keys that repeat the words.
    static let longestTalk = Duration.seconds(180)
    /// For thanks, and for the end of an alarm.
    static let closing = Duration.seconds(25)
    /// After a fault of the route, which is looked at sooner than a telephone without an answer.
    static let routePause = Duration.seconds(15)

    /// The call that is on the line.
    private struct Current {
        enum State: Hashable { case dialling, ringing, talking, closing }

        let number: Int
        let alarm: AlarmID
        let recipient: PhoneNumber
        /// It tells the end of the alarm.
        var isOver: Bool
        var state = State.dialling
        let dialled: BootInstant
        var answered: BootInstant?
        var deadline: BootInstant
    }

    private let rules: Rules
    private let start: BootInstant
    private var tasks: [AlarmID: CallTask] = [:]
    /// In turn.
    private var order: [AlarmID] = []
    private var current: Current?
    private var last = 0

    init(_ rules: Rules, startingAt start: BootInstant) {
        self.rules = rules
        self.start = start
    }

    /// Whether each message has been attempted.
    var isIdle: Bool { current == nil && tasks.values.allSatisfy { $0.left.isEmpty } }

    var deadline: BootInstant? {
        if let current { return current.deadline }
        return tasks.values.compactMap(\.nextPass).min()
    }

    // MARK: Messages

    mutating func give(_ message: HelpMessage, _ script: CallScript, at now: BootInstant) -> [Step] {
        tasks = tasks.filter { !$0.value.isForgotten(at: now) || $0.key == current?.alarm }
        order = order.filter { tasks[$0] != nil }
        let alarm = message.alarm
        if !order.contains(alarm) { order.append(alarm) }
        switch message {
        case .call(let dispatch, _): return call(dispatch, message, script, at: now)
        case .retraction(let retraction, _): return retract(retraction, message, script, at: now)
        }
    }

    private mutating func call(
        _ dispatch: DispatchOrder, _ message: HelpMessage, _ script: CallScript, at now: BootInstant
    ) -> [Step] {
        let alarm = dispatch.alarm
        var task = tasks[alarm] ?? CallTask(message, script, at: now)
        let isNewStage = tasks[alarm] == nil || task.stage != dispatch.stage
        task.take(message, script, at: now)
        var steps: [Step] = [.report(.dispatched(alarm)), .prepare(script.words)]
        if let thanks = script.thanks { steps.append(.prepare(thanks)) }
        if isNewStage {
            task.answeredStage = nil
            task.begin(rules.recipients)
        } else {
            if task.answeredStage == dispatch.stage {
                // It has been heard; the passes go on by themselves.
                task.isHandedOver = true
                steps.append(.report(message.arrived))
            }
            let isOnLine = current.map { $0.alarm == alarm && $0.state != .closing } ?? false
            if !isOnLine, task.left.isEmpty, task.nextPass == nil || task.isRouteAtFault {
                task.begin(rules.recipients)
            }
        }
        tasks[alarm] = task
        if let call = current, call.alarm == alarm, !call.isOver {
            steps += renew(call, at: now, isNewStage: isNewStage)
        } else if let call = current, call.isOver, call.state != .closing, dispatch.stage == .confirmed {
            // A call for help goes before the end of another one.
            tasks[call.alarm]?.left.insert(call.recipient, at: 0)
            tasks[call.alarm]?.told.insert(call.recipient)
            current = nil
            steps.append(.hangUp(call.number))
        }
        return steps + next(at: now)
    }

    /// The words of a call that is on the line have changed.
    private mutating func renew(_ call: Current, at now: BootInstant, isNewStage: Bool) -> [Step] {
        guard isNewStage, let task = tasks[call.alarm] else { return [] }
        tasks[call.alarm]?.left.removeAll { $0 == call.recipient }
        guard call.state == .talking else { return [] }
        current?.deadline = now.advanced(by: Self.talk)
        return [.speak(call.number, task.script.words, isRepeated: true)]
            + answered(call.alarm, by: call.recipient)
    }

    private mutating func retract(
        _ retraction: Retraction, _ message: HelpMessage, _ script: CallScript, at now: BootInstant
    ) -> [Step] {
        let alarm = retraction.alarm
        var task = tasks[alarm] ?? CallTask(message, script, at: now)
        // The calls of an alarm that is older than this run of the gateway are not known: all get its end.
        if tasks[alarm] == nil, retraction.firstOrdered < start { task.told = Set(rules.recipients) }
        task.take(message, script, at: now)
        task.told = task.told.filter { name($0, message.profile) != retraction.ending.act.by }
        task.left = rules.recipients.filter(task.told.contains)
        task.failures = [:]
        task.nextPass = nil
        tasks[alarm] = task
        var steps: [Step] = task.left.isEmpty ? [] : [.prepare(script.words)]
        if let call = current, call.alarm == alarm {
            tasks[alarm]?.left.removeAll { $0 == call.recipient }
            switch call.state {
            case .dialling where !call.isOver, .ringing where !call.isOver:
                current = nil
                // A recipient that has answered before is called again for the end.
                if task.told.contains(call.recipient) { tasks[alarm]?.left.append(call.recipient) }
                steps.append(.hangUp(call.number))
            case .talking where !call.isOver:
                tasks[alarm]?.told.remove(call.recipient)
                current?.isOver = true
                current?.deadline = now.advanced(by: Self.closing)
                steps.append(.speak(call.number, script.words, isRepeated: true))
            case .dialling, .ringing, .talking, .closing: break
            }
        }
        return steps + settle(alarm) + next(at: now)
    }

    // MARK: Calls

    mutating func event(_ number: Int, _ event: CallEvent, at now: BootInstant) -> [Step] {
        guard let call = current, call.number == number, let task = tasks[call.alarm] else { return [] }
        switch event {
        case .progress:
            guard call.state == .dialling else { return [] }
            current?.state = .ringing
            current?.deadline = call.dialled.advanced(by: rules.ring)
            return []
        case .answered:
            guard call.state == .dialling || call.state == .ringing else { return [] }
            current?.state = .talking
            current?.answered = now
            current?.deadline = now.advanced(by: call.isOver ? Self.closing : Self.talk)
            let words = Step.speak(number, task.script.words, isRepeated: true)
            if call.isOver {
                tasks[call.alarm]?.told.remove(call.recipient)
                return [words]
            }
            return [words] + answered(call.alarm, by: call.recipient)
        case .key(let key): return pressed(key, call, task, at: now)
        case .said:
            guard call.state == .closing else { return [] }
            return [.hangUp(number)] + ended(call, nil, at: now)
        case .ended(let end): return ended(call, failure(end, call), at: now)
        }
    }

    private mutating func answered(_ alarm: AlarmID, by recipient: PhoneNumber) -> [Step] {
        guard var task = tasks[alarm], case .call(let order, _) = task.message else { return [] }
        task.told.insert(recipient)
        task.hasAnswered = true
        task.answeredStage = order.stage
        let isNews = !task.isHandedOver
        task.isHandedOver = true
        tasks[alarm] = task
        return isNews ? [.report(task.message.arrived)] : []
    }

    private mutating func pressed(
        _ key: Character, _ call: Current, _ task: CallTask, at now: BootInstant
    ) -> [Step] {
        guard call.state == .talking else { return [] }
        if call.isOver { return [.hangUp(call.number)] + ended(call, nil, at: now) }
        guard key == "1", let thanks = task.script.thanks else {
            let limit = (call.answered ?? now).advanced(by: Self.longestTalk)
            current?.deadline = min(now.advanced(by: Self.talk), limit)
            return [.speak(call.number, task.script.words, isRepeated: true)]
        }
        current?.state = .closing
        current?.deadline = now.advanced(by: Self.closing)
        // This person knows; and nobody else is called while the house decides.
        tasks[call.alarm]?.accepted()
        tasks[call.alarm]?.told.remove(call.recipient)
        let profile = task.message.profile
        let word = ChannelEvent.accepted(
            call.alarm, of: profile.id, by: name(call.recipient, profile), othersWait: true)
        return [
            .speak(call.number, thanks, isRepeated: false), .note(.accepted(call.alarm, place(call.recipient))),
            .report(word),
        ]
    }

    /// The call is over, or was not answered in its time.
    /// - Parameter failure: nil where it was answered.
    private mutating func ended(_ call: Current, _ failure: CallFailure?, at now: BootInstant) -> [Step] {
        current = nil
        guard var task = tasks[call.alarm] else { return next(at: now) }
        task.used = now
        if let failure, call.answered == nil {
            task.failures[call.recipient] = failure.reason
            task.isRouteAtFault = failure.scope == .route
            // The others of this pass would fare no better.
            if failure.scope == .route { task.left = [] }
        }
        tasks[call.alarm] = task
        // Another alarm has its turn.
        order = order.filter { $0 != call.alarm } + [call.alarm]
        return settle(call.alarm, at: now) + next(at: now)
    }

    private func failure(_ end: CallEnd, _ call: Current) -> CallFailure? {
        switch end {
        case .busy: .number("the line was busy")
        case .declined: .number("the call was declined")
        case .noAnswer: .number("nobody answered")
        case .hungUp: call.answered == nil ? .number("the call was not answered") : nil
        case .failed(let failure): failure
        }
    }

    /// Closes a pass that has come to its end.
    private mutating func settle(_ alarm: AlarmID, at now: BootInstant? = nil) -> [Step] {
        guard var task = tasks[alarm], task.left.isEmpty, current?.alarm != alarm || current?.state == .closing
        else { return [] }
        defer { tasks[alarm] = task }
        if task.isRetraction {
            guard !task.isReported else { return [] }
            task.isReported = true
            return [
                .report(
                    task.told.isEmpty
                        ? task.message.arrived : task.message.failed(because: reason(task.failures)))
            ]
        }
        guard !task.isAccepted, task.nextPass == nil, let now else { return [] }
        task.nextPass = now.advanced(by: task.isRouteAtFault ? min(Self.routePause, rules.pause) : rules.pause)
        guard !task.hasAnswered, !task.isHandedOver, !task.isReported else { return [] }
        task.isReported = true
        return [.report(task.message.failed(because: reason(task.failures)))]
    }

    private func reason(_ failures: [PhoneNumber: String]) -> String {
        let told = rules.recipients.enumerated().compactMap { index, recipient in
            failures[recipient].map { (index + 1, $0) }
        }
        if Set(told.map(\.1)).count == 1, let reason = told.first?.1 { return reason }
        return told.map { "recipient \($0.0): \($0.1)" }.joined(separator: "; ")
    }

    // MARK: Time

    mutating func tick(at now: BootInstant) -> [Step] {
        var steps: [Step] = []
        if let call = current, call.deadline <= now {
            let failure: CallFailure? =
                switch call.state {
                case .dialling:
                    .route(
                        "the call has not begun to ring within \(rules.reach.components.seconds) s; check the "
                            + "network, the server and the account, or the modem")
                case .ringing: .number("nobody answered within \(rules.ring.components.seconds) s")
                case .talking, .closing: nil
                }
            steps += [.hangUp(call.number)] + ended(call, failure, at: now)
        }
        for (alarm, task) in tasks where task.nextPass.map({ $0 <= now }) ?? false {
            tasks[alarm]?.begin(rules.recipients)
        }
        return steps + next(at: now)
    }

    /// Dials where the line is free: calls for help before ends.
    private mutating func next(at now: BootInstant) -> [Step] {
        guard current == nil else { return [] }
        let waiting = order.filter { tasks[$0]?.left.isEmpty == false }
        guard let alarm = waiting.first(where: { tasks[$0]?.isRetraction == false }) ?? waiting.first,
            let task = tasks[alarm], let recipient = task.left.first
        else { return [] }
        tasks[alarm]?.left.removeFirst()
        last += 1
        current = Current(
            number: last, alarm: alarm, recipient: recipient, isOver: task.isRetraction, dialled: now,
            deadline: now.advanced(by: min(rules.reach, rules.ring)))
        return [.dial(last, recipient), .prepare(task.script.words)]
    }

    /// The time to end is over: what has not been heard has failed.
    mutating func abandon() -> [Step] {
        var steps: [Step] = current.map { [.hangUp($0.number)] } ?? []
        current = nil
        for alarm in order {
            guard let task = tasks[alarm], !task.isReported, !task.isHandedOver, !task.isAccepted else {
                continue
            }
            steps.append(
                .report(task.message.failed(because: "the gateway was stopped before the call was answered")))
        }
        tasks = [:]
        order = []
        return steps
    }

    // MARK: Names

    /// For people in the house and outside.
    private func name(_ recipient: PhoneNumber, _ profile: PersonProfile) -> String {
        profile.contacts.first { $0.phone == recipient.text }?.name ?? recipient.masked
    }

    /// From 1, in the order of the settings.
    private func place(_ recipient: PhoneNumber) -> Int {
        (rules.recipients.firstIndex(of: recipient) ?? 0) + 1
    }
}
