import GatewayModel
import HelpLine
import SOSLocal

/// State machine of the texts: it decides on recipients, texts and times, and on the reports to the alarm
/// machine. Each method gets the instant.
/// A call counts as handed over with the first recipient that it reaches; the others are attempted all the
/// same, and those that fail are attempted again in the machine's next round. A recipient that has the text
/// gets no second one. Those get another text only after `repeatInterval`, or when the message says something
/// new. A retraction goes to each recipient for which the network took the call, or may have, and is done when
/// all of them have it.
/// The texts of calls, retractions and tests leave one after the other, as a modem sends them.
/// A notice is sent only while no call, retraction or test has a text to send. A call that comes while the text of a
/// notice is under way does not wait for it.
struct SMSMachine {
    enum Step: Hashable, Sendable {
        case start(Int, OutgoingText)
        case report(ChannelEvent)
        case noticed(NoticeMessage, NoticeOutcome)
        case discard(IncomingText)
        case note(TextNote)
        case tested(ChannelTest)
        /// The text of a test has left.
        case testLeft
        /// A text of this channel is known to have arrived: that of a test came back, or a call was answered.
        case arrived
    }

    enum Purpose: Hashable {
        case message(AlarmID, PhoneNumber)
        case notice(NoticeMessage)
        case test(detail: String)
    }

    let recipients: [PhoneNumber]
    let repeatInterval: Duration
    let testText: OutgoingText?
    private let start: BootInstant
    private var lines: [AlarmID: TextLine] = [:]
    /// In the order in which they were last spoken of.
    private var order: [AlarmID] = []
    private var underWay: [Int: Purpose] = [:]
    /// Notices that wait, oldest first.
    private var notices: [(message: NoticeMessage, text: OutgoingText)] = []
    /// Of the calls that a text can accept.
    private var codes: [AlarmID: ReplyCode] = [:]
    private var wrongAnswers: [PhoneNumber: Int] = [:]
    /// End of the wait for the text of a test that may come back to this modem.
    private var testDue: BootInstant?
    private let takesReplies: Bool
    private var last = 0

    init(
        recipients: [PhoneNumber], repeatInterval: Duration, testText: OutgoingText?,
        takesReplies: Bool = false, startingAt start: BootInstant
    ) {
        self.takesReplies = takesReplies
        self.recipients = recipients
        self.repeatInterval = repeatInterval
        self.testText = testText
        self.start = start
    }

    /// Notices that wait for their turn; a house with ten persons has fewer.
    static let noticeLimit = 64

    /// Whether all calls and retractions that were given have been attempted.
    var isIdle: Bool { lines.values.allSatisfy(\.isIdle) }

    mutating func give(_ message: HelpMessage, _ text: TextMessage, at now: BootInstant) -> [Step] {
        lines = lines.filter { !$0.value.isForgotten(at: now) }
        if case .retraction = message { forgetCode(of: message.alarm) }
        let alarm = message.alarm
        var line = lines[alarm] ?? newLine(message, at: now)
        line.used = now
        // In place of an older message that is not out yet: a cancellation does not wait behind its call.
        line.goal = TextLine.Goal(message: message, text: text.text, given: now)
        lines[alarm] = line
        order = order.filter { $0 != alarm && lines[$0] != nil } + [alarm]
        var steps: [Step] = text.isShortened ? [.note(.shortened(alarm))] : []
        if case .call = message { steps.append(.report(.dispatched(alarm))) }
        settle(alarm)
        return steps + report(alarm) + next()
    }

    /// The recipients of an alarm that is older than this run of the gateway are not known: all get its end.
    private func newLine(_ message: HelpMessage, at now: BootInstant) -> TextLine {
        var line = TextLine(at: now)
        guard case .retraction(let retraction, _) = message, retraction.firstOrdered < start else {
            return line
        }
        for recipient in recipients {
            line.told[recipient] = TextLine.Told(word: .call(.pending), at: now, isCertain: false)
        }
        return line
    }

    /// Marks the recipients that need no text.
    private mutating func settle(_ alarm: AlarmID) {
        guard let line = lines[alarm] else { return }
        for recipient in recipients
        where line.underWay[recipient] == nil && line.goal?.outcomes[recipient] == nil
            && line.needsNothing(recipient, repeatInterval: repeatInterval)
        {
            lines[alarm]?.goal?.outcomes[recipient] = .needsNothing
        }
    }

    /// Starts the next text, unless another one is under way.
    private mutating func next() -> [Step] {
        // The text of a notice does not count: the network's own queue takes the call behind it.
        guard underWay.values.allSatisfy(\.isNotice) else { return [] }
        for alarm in order {
            guard let goal = lines[alarm]?.goal,
                let recipient = recipients.first(where: { goal.outcomes[$0] == nil })
            else { continue }
            lines[alarm]?.underWay[recipient] = goal.word
            return [begin(OutgoingText(recipient: recipient, text: goal.text), .message(alarm, recipient))]
        }
        return nextNotice()
    }

    /// Starts the text of the oldest notice while nothing else is under way.
    private mutating func nextNotice() -> [Step] {
        guard underWay.isEmpty, !notices.isEmpty else { return [] }
        let (message, text) = notices.removeFirst()
        return [begin(text, .notice(message))]
    }

    private mutating func begin(_ text: OutgoingText, _ purpose: Purpose) -> Step {
        last += 1
        underWay[last] = purpose
        return .start(last, text)
    }

    mutating func ended(_ number: Int, _ outcome: TextOutcome, at now: BootInstant) -> [Step] {
        switch underWay.removeValue(forKey: number) {
        case .message(let alarm, let recipient):
            lines[alarm]?.ended(recipient, outcome, at: now)
            if case .failed(let failure) = outcome, failure.scope == .way { giveUp(alarm, failure.reason) }
            settle(alarm)
            return report(alarm) + next()
        case .notice(let message): return [.noticed(message, NoticeOutcome(outcome))] + next()
        case .test(let detail):
            if case .sent = outcome {} else { testDue = nil }
            let left: [Step] = outcome == .sent ? [.testLeft] : []
            return left + [.tested(Self.test(detail, outcome))] + next()
        case nil: return []
        }
    }

    /// The way is shut: the others of this message are not tried one after the other.
    private mutating func giveUp(_ alarm: AlarmID, _ reason: String) {
        guard let line = lines[alarm], line.goal != nil else { return }
        for recipient in recipients
        where line.goal?.outcomes[recipient] == nil && line.underWay[recipient] == nil {
            lines[alarm]?.goal?.outcomes[recipient] = .failed(reason: reason)
        }
    }

    /// Reports for the alarm machine, each once.
    private mutating func report(_ alarm: AlarmID) -> [Step] {
        guard var goal = lines[alarm]?.goal, !goal.isReported else { return [] }
        let outcomes = recipients.compactMap { goal.outcomes[$0] }
        let failures = recipients.enumerated().compactMap { index, recipient -> (Int, String)? in
            guard case .failed(let reason) = goal.outcomes[recipient] else { return nil }
            return (index + 1, reason)
        }
        var steps: [Step] = []
        if !goal.isRetraction, !goal.isHandedOver, outcomes.contains(where: \.isReached) {
            goal.isHandedOver = true
            steps.append(.report(goal.message.arrived))
        }
        if outcomes.count == recipients.count {
            goal.isReported = true
            switch (goal.isRetraction, failures.isEmpty) {
            case (true, true): steps.append(.report(goal.message.arrived))
            case (false, _) where goal.isHandedOver: steps += complain(alarm, failures)
            default: steps.append(.report(goal.message.failed(because: Self.reason(failures))))
            }
        }
        lines[alarm]?.goal = goal
        return steps
    }

    private mutating func complain(_ alarm: AlarmID, _ failures: [(number: Int, reason: String)]) -> [Step] {
        failures.compactMap { number, reason in
            let recipient = recipients[number - 1]
            guard lines[alarm]?.complaints.updateValue(reason, forKey: recipient) != reason else { return nil }
            return .note(.notReached(alarm, recipient: number, reason: reason))
        }
    }

    private static func reason(_ failures: [(Int, String)]) -> String {
        let reasons = Set(failures.map(\.1))
        if reasons.count == 1, let reason = reasons.first { return reason }
        return failures.map { "recipient \($0.0): \($0.1)" }.joined(separator: "; ")
    }
}

extension TextLine.Goal.Outcome {
    /// The recipient has the message, from now or from before.
    fileprivate var isReached: Bool {
        switch self {
        case .reached, .needsNothing: true
        case .failed: false
        }
    }
}

// MARK: Answers

extension SMSMachine {
    /// Time in which a text to the own number comes back: networks deliver within seconds, and some hold a text for minutes.
    static let returnLimit = Duration.seconds(600)

    /// Whether a text could accept a call now, or be that of a test.
    func isListening(at now: BootInstant) -> Bool { !codes.isEmpty || testDue.map { now < $0 } ?? false }

    /// Returns the code for the text of a message; nil where no answer accepts it.
    mutating func code(for message: HelpMessage) -> ReplyCode? {
        guard takesReplies, case .call(let order, _) = message, order.stage == .confirmed else { return nil }
        if let code = codes[order.alarm] { return code }
        var random = SystemRandomNumberGenerator()
        let code = ReplyCode(besides: Set(codes.values), using: &random)
        codes[order.alarm] = code
        return code
    }

    private mutating func forgetCode(of alarm: AlarmID) {
        codes[alarm] = nil
        if codes.isEmpty { wrongAnswers = [:] }
    }

    /// Returns the alarm whose code is among the tries that the recipient has left. Each try before it counts as a wrong one.
    private mutating func acceptedAlarm(by text: String, of recipient: PhoneNumber) -> AlarmID? {
        let left = max(ReplyCode.mostWrong - wrongAnswers[recipient, default: 0], 0)
        for digits in ReplyCode.tries(in: text, limit: ReplyCode.mostWrong).prefix(left) {
            if let alarm = codes.first(where: { $0.value.digits == digits })?.key { return alarm }
            wrongAnswers[recipient, default: 0] += 1
        }
        return nil
    }

    /// Takes a text that came in. Texts of strangers are left alone.
    mutating func received(_ text: IncomingText) -> [Step] {
        if testDue != nil, let testText, testText.recipient.isSender(text.sender), text.text == testText.text {
            testDue = nil
            return [.discard(text), .arrived]
        }
        guard let index = recipients.firstIndex(where: { $0.isSender(text.sender) }) else { return [] }
        let (recipient, number) = (recipients[index], index + 1)
        guard let alarm = acceptedAlarm(by: text.text, of: recipient), let message = lines[alarm]?.goal?.message
        else {
            return [.discard(text), .note(.notAccepted(recipient: number))]
        }
        // A second answer says nothing new.
        forgetCode(of: alarm)
        let profile = message.profile
        let contact = profile.contacts.first { $0.phone == recipient.text }?.name
        let word = ChannelEvent.accepted(
            alarm, of: profile.id, by: contact ?? recipient.masked, othersWait: true)
        return [.discard(text), .note(.accepted(alarm, recipient: number)), .report(word), .arrived]
    }
}

// MARK: Notices

extension SMSMachine {
    /// Takes a notice. Each outcome is reported once.
    mutating func give(_ notice: NoticeMessage, _ text: TextMessage) -> [Step] {
        guard let recipient = notice.phone.flatMap(PhoneNumber.init) else {
            return [.noticed(notice, .failed(reason: "the notice has no number with a country code"))]
        }
        guard notices.count < Self.noticeLimit else {
            return [.noticed(notice, .failed(reason: "\(Self.noticeLimit) notices wait already"))]
        }
        notices.append((notice, OutgoingText(recipient: recipient, text: text.text)))
        return next()
    }
}

extension SMSMachine.Purpose {
    fileprivate var isNotice: Bool { if case .notice = self { true } else { false } }
}

extension NoticeOutcome {
    fileprivate init(_ outcome: TextOutcome) {
        switch outcome {
        case .sent: self = .handedOver
        case .failed(let failure): self = .failed(reason: failure.reason)
        }
    }
}

// MARK: Tests and the end

extension SMSMachine {
    /// - Parameter isTextDue: whether the test is to send a text as well.
    mutating func looked(_ test: ChannelTest, isTextDue: Bool = true, at now: BootInstant) -> [Step] {
        guard case .works(let detail) = test, let testText, isTextDue else { return [.tested(test)] }
        testDue = now.advanced(by: Self.returnLimit)
        return [begin(testText, .test(detail: detail))]
    }

    private static func test(_ detail: String, _ outcome: TextOutcome) -> ChannelTest {
        switch outcome {
        case .sent: .works(detail: "\(detail); a test text was sent")
        case .failed(let failure): .fails(reason: "a test text was not sent: \(failure.reason)")
        }
    }

    /// The time to end is over: texts that are under way or wait have failed.
    mutating func abandon() -> [Step] {
        let reason = "the gateway was stopped before the text had left"
        var steps: [Step] = []
        for alarm in order {
            guard let goal = lines[alarm]?.goal, !goal.isReported, !goal.isHandedOver else { continue }
            steps.append(.report(goal.message.failed(because: reason)))
        }
        let left = underWay.values.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
        for notice in left + notices.map(\.message) {
            steps.append(.noticed(notice, .failed(reason: NoticeOutcome.stopped)))
        }
        lines = [:]
        order = []
        underWay = [:]
        notices = []
        return steps
    }
}
