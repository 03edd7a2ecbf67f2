import Audio
public import GatewayModel
package import HelpState
package import Phrases
import SOSLocal
import Synchronization

/// Sentences of the house, spoken and shown. Pure: made from messages and the instant.
///
/// It names the person: it is for those in the room, not a log. Used from any thread.
public struct HousePhrases: Sendable {
    private let people: HousePeople
    private let language: PersonProfile.Language
    private let hasButton: Bool
    private let facts: @Sendable (PersonID) -> HelpFacts
    private let cancelMeans: @Sendable (PersonID, _ calledBy: DeviceID?) -> CancelMeans?

    /// - Parameters:
    /// - language: for a person outside `people`.
    ///   - hasButton: whether the house has a button to cancel with.
    ///   - cancelMeans: how a person cancels an alarm, with the device that has just called for help, if one has; nil
    ///     for the button of the house, if there is one. Must return at once.
    ///   - facts: facts that decide on the help for a person, as of now; must return at once.
    package init(
        people: [PersonID: HousePerson], language: PersonProfile.Language, hasButton: Bool,
        facts: @escaping @Sendable (PersonID) -> HelpFacts,
        cancelMeans: @escaping @Sendable (PersonID, _ calledBy: DeviceID?) -> CancelMeans? = { _, _ in nil }
    ) {
        self.people = HousePeople(people)
        self.language = language
        self.hasButton = hasButton
        self.facts = facts
        self.cancelMeans = cancelMeans
    }

    /// Replaces the persons of the house in every copy of these phrases. From any thread.
    public func replace(people: [PersonID: HousePerson]) {
        self.people.replace(people)
    }

    /// One line for a screen or a console, with the mark of its priority (`***`, `**`, `*`) in front. Nil where
    /// the word alone says nothing: a progress needs its alarm, see `ConsoleLines`.
    func shown(_ word: HouseMessage, at now: BootInstant) -> String? {
        guard let (statements, person, mark) = content(of: word, at: now) else { return nil }
        let hint = !hasButton && isCancellable(word, at: now) ? " [homegateway abort]" : ""
        return "\(mark) " + text(statements, for: person, .shown) + hint
    }

    /// Whether it speaks of a window to cancel in.
    private func isCancellable(_ word: HouseMessage, at now: BootInstant) -> Bool {
        guard case .alarm(let notice) = word, case .willBeCalled = help(of: OpenAlarm(notice), at: now) else {
            return false
        }
        return true
    }

    private func help(of alarm: OpenAlarm, at now: BootInstant) -> HelpState {
        HelpState(of: alarm.notice.state, facts(alarm.notice.person), at: now)
    }

    /// One line on how far the call of an open alarm has come.
    func shownProgress(of alarm: OpenAlarm, at now: BootInstant) -> String? {
        let statements = progressStatements(of: alarm, at: now)
        guard !statements.isEmpty else { return nil }
        return "\(alarm.notice.priority.mark) " + text(statements, for: alarm.notice.person, .shown)
    }

    /// What the words about an alarm claim: a change makes words that are being spoken untrue.
    enum Claim: Hashable, Sendable { case willBeCalled, isCalled, isReached, isNot, isOver }

    func claim(of alarm: OpenAlarm, at now: BootInstant) -> Claim {
        switch help(of: alarm, at: now) {
        case .willBeCalled: .willBeCalled
        case .beingCalled: .isCalled
        case .reached: .isReached
        case .cannotBeCalled, .nobodyIsCalled: .isNot
        case .taken, .over: .isOver
        }
    }

    /// Utterance that breaks off the words before it, which a change in the call has made untrue; nil where they stay true.
    func news(of alarm: OpenAlarm, at now: BootInstant) -> Utterance? {
        switch help(of: alarm, at: now) {
        case .reached, .cannotBeCalled, .nobodyIsCalled:
            let statements = progressStatements(of: alarm, at: now)
            return statements.isEmpty ? nil : utterance(statements, for: alarm.notice.person)
        case .willBeCalled, .beingCalled, .taken, .over: return nil
        }
    }

    /// Utterances that an open alarm may need from the end of its window on.
    func expected(of alarm: OpenAlarm, from end: BootInstant) -> [Utterance] {
        let state = alarm.notice.state
        let known = facts(state.cause.person)
        let later = HelpFacts(mayCall: known.mayCall, recipients: known.recipients)
        let calling = HelpState(of: state, later, at: end)
        guard case .beingCalled = calling else { return [speech(of: alarm, at: end)] }
        let first = state.channels.first.flatMap { known.recipients[$0] } ?? HelpRecipient(.desk)
        let answers: [HelpState] = [
            .cannotBeCalled(.waysDead), .cannotBeCalled(.unanswered),
            .reached([HelpState.Informed(first, at: state.cause.wall(of: end))]),
        ]
        return [utterance(statements(of: alarm, calling, at: end), for: state.cause.person)]
            + answers.map { utterance(progressStatements(of: alarm, $0), for: state.cause.person) }
    }

    /// Utterance for a message that is no open alarm.
    func announcement(_ word: HouseMessage, at now: BootInstant) -> Utterance? {
        guard let (statements, person, _) = content(of: word, at: now) else { return nil }
        return utterance(statements, for: person)
    }

    /// Utterance for an open alarm when the speech begins at `now`.
    func speech(of alarm: OpenAlarm, at now: BootInstant) -> Utterance {
        utterance(statements(of: alarm, at: now), for: alarm.notice.person)
    }

    private func utterance(_ statements: [Statement], for person: PersonID?) -> Utterance {
        Utterance(text: text(statements, for: person, .spoken), language: language(of: person))
    }

    private func text(_ statements: [Statement], for person: PersonID?, _ manner: Manner) -> String {
        let language = language(of: person)
        return statements.map { $0.text(manner).in(language) }.joined(separator: " ")
    }

    private func language(of person: PersonID?) -> PersonProfile.Language {
        person.flatMap { people[$0] }?.language ?? language
    }
    private func name(_ person: PersonID) -> String? { people[person].flatMap { SafeText($0.name).text } }
}

// MARK: Statements

extension HousePhrases {
    /// A shorter window is over before it has been said: the instruction comes first then, without a figure.
    private static let shortWindow = Duration.seconds(12)
    /// Between the making of a phrase and the end of the figure in it, with a second to spare.
    private static let speakingTime = Duration.seconds(4)

    private func content(
        of word: HouseMessage, at now: BootInstant
    ) -> (statements: [Statement], person: PersonID?, mark: String)? {
        switch word {
        case .alarm(let notice):
            (statements(of: OpenAlarm(notice), at: now), notice.person, notice.priority.mark)
        case .progress: nil
        case .ended(let notice, let ending, let isOneOfSeveral):
            (statements(of: ending, of: notice, isOneOfSeveral), notice.person, notice.priority.mark)
        case .notRetracted(let person):
            ([.notRetracted(of: name(person))], person, "**")
        case .allRight(let person): ([.passesOnAllRight(of: name(person))], person, "***")
        case .whoseIsMeant(let persons):
            persons.first.map { ([.whoseIsMeant(of: persons.map(name))], $0, "***") }
        case .supervision(let person, let isPaused):
            (
                [isPaused ? .supervisionPaused(of: name(person)) : .supervisionRestored(of: name(person))],
                person, "*"
            )
        case .helpReach(let person, let isLost):
            ([isLost ? .helpUnreachable(of: name(person)) : .helpReachable(of: name(person))], person, "*")
        case .settingsWrong(let areEarlierUsed):
            ([.settingsWrong(areEarlierUsed: areEarlierUsed)], nil, "*")
        case .exercise(let person, let end):
            (
                [.exercise(of: name(person), minutes: end.map { Self.minutes(now.duration(to: $0)) })], person,
                "*"
            )
        case .buttonTest(let person, let news): (statements(of: news, of: person), person, "*")
        case .batteryLow(let person, let percent):
            ([.batteryLow(of: name(person), percent: percent)], person, "*")
        case .batteryCharged(let person): ([.batteryCharged(of: name(person))], person, "*")
        case .boxPower(let power): ([.boxPower(power)], nil, "*")
        case .boxButton(let works): ([.boxButton(works: works)], nil, "*")
        case .drillFailed(let person): ([.drillFailed(of: name(person))], person, "*")
        case .devicePaired(let person): ([.devicePaired(of: name(person))], person, "*")
        case .question(let question): (statements(of: question), question.person, "*")
        }
    }

    private func statements(of question: HouseQuestion) -> [Statement] {
        let name = name(question.person)
        return switch question.matter {
        case .request(let request):
            [
                request.kinds.isEmpty
                    ? .asksForAccount(account: SafeText(request.party).text, request.role, of: name)
                    : .asksForData(
                        party: SafeText(request.party).text, of: name,
                        request.kinds.sorted { $0.rawValue < $1.rawValue }, request.precision,
                        purpose: SafeText(request.purpose).text)
            ] + (request.role == .acts ? [.actsOfAccount(of: name)] : []) + [.answerRequest(request.id.text)]
        case .limits(let issuer, let kind, let moves):
            [.asksForLimits(issuer: issuer.text, of: name, kind)]
                + moves.map { .limitMove($0.slot, from: $0.from, to: $0.to, kind) }
                + [.answerLimits(question.person.text, kind)]
        }
    }

    private func statements(of news: ButtonTest, of person: PersonID) -> [Statement] {
        switch news {
        case .due(let button):
            let button = button.flatMap { SafeText($0).text }
            return [.testButton(of: name(person), button: button)]
        case .over: return [.buttonTestOver(of: name(person))]
        case .passed: return [.buttonWorks(of: name(person))]
        case .missed: return [.buttonUntested(of: name(person))]
        }
    }

    private func statements(of alarm: OpenAlarm, at now: BootInstant) -> [Statement] {
        statements(of: alarm, help(of: alarm, at: now), at: now)
    }

    private func statements(of alarm: OpenAlarm, _ help: HelpState, at now: BootInstant) -> [Statement] {
        let notice = alarm.notice
        let isDrill = notice.cause.isDrill
        let drill: [Statement] = isDrill ? [.drill] : []
        let start = drill + [.alarm(notice.priority, of: name(notice.person))]
        let cause = [Statement(notice.cause)].compactMap(\.self)
        let state = [help.statement(for: notice.priority, isDrill: isDrill)].compactMap(\.self)
        guard case .willBeCalled = help, let end = notice.windowEnd else { return start + cause + state }
        if notice.isDoubted {
            return [Statement(doubted: notice, of: name(notice.person))].compactMap(\.self)
                + howToCancel(of: notice.person, calledBy: nil) + state
        }
        let audience: Statement.Audience = notice.priority == .high ? .help : .carers
        let left = now.duration(to: end)
        guard left >= Self.shortWindow else {
            return drill + actNow(audience, of: notice) + start.suffix(1) + cause + state
        }
        let seconds = Self.promised(left - Self.speakingTime)
        return start + cause + [.calling(audience, inSeconds: seconds)]
            + howToCancel(of: notice.person, calledBy: notice.caller) + state
    }

    /// - Parameter caller: device that has just called for help: its button cancels nothing for a while.
    private func means(of person: PersonID, calledBy caller: DeviceID?) -> CancelMeans {
        cancelMeans(person, caller) ?? (hasButton && caller != .houseButton ? .box : .gateway)
    }

    /// The button comes first: the window may be over before a second sentence begins.
    private func actNow(_ audience: Statement.Audience, of notice: AlarmNotice) -> [Statement] {
        let means = means(of: notice.person, calledBy: notice.caller)
        switch means {
        case .box: return [.actNow(audience, hasButton: true)]
        case .boxOnly, .worn, .wornTwice, .wornLong:
            return [.cancelBy(means), .actNow(audience, hasButton: false)]
        case .screen, .gateway: return [.actNow(audience, hasButton: false), .cancelBy(means)]
        case .nothing: return [.cancelBy(means)]
        }
    }

    private func howToCancel(of person: PersonID, calledBy caller: DeviceID?) -> [Statement] {
        let means = means(of: person, calledBy: caller)
        switch means {
        case .box: return [.howToCancel(hasButton: true)]
        case .nothing: return [.cancelBy(means)]
        case .boxOnly, .worn, .wornTwice, .wornLong, .screen, .gateway:
            return [.howToCancel(hasButton: false), .cancelBy(means)]
        }
    }

    private func progressStatements(of alarm: OpenAlarm, at now: BootInstant) -> [Statement] {
        progressStatements(of: alarm, help(of: alarm, at: now))
    }

    private func progressStatements(of alarm: OpenAlarm, _ help: HelpState) -> [Statement] {
        let notice = alarm.notice
        guard let news = help.statement(for: notice.priority, isDrill: notice.cause.isDrill) else { return [] }
        let drill: [Statement] = notice.cause.isDrill ? [.drill] : []
        return drill + [.alarm(notice.priority, of: name(notice.person)), news]
    }

    /// Up to a whole one.
    private static func minutes(_ left: Duration) -> Int {
        max(Int((left.wholeMilliseconds + 59_999) / 60_000), 1)
    }

    /// Down to whole fives: help never comes later than was said, and a phrase can be rendered ahead.
    private static func promised(_ left: Duration) -> Int {
        let seconds = Int(left.wholeMilliseconds / 1_000)
        return seconds >= 10 ? seconds / 5 * 5 : max(seconds, 1)
    }

    private func statements(
        of ending: AlarmEnding, of notice: AlarmNotice, _ isOneOfSeveral: Bool
    ) -> [Statement] {
        let drill: [Statement] = notice.cause.isDrill ? [.drill] : []
        let person = name(notice.person)
        let over = drill + [isOneOfSeveral ? .oneIsOver(of: person) : .over(of: person)]
        let by = ending.act.means == .gateway ? nil : SafeText(ending.act.by).text
        switch ending {
        case .aborted(let act, _, _):
            let state = HelpState(of: notice.state, facts(notice.person), at: ending.instant)
            let called = [state.statement(for: notice.priority, isDrill: notice.cause.isDrill)].compactMap(
                \.self)
            guard act.means == .gateway else { return over + [.cancelled(by: by)] + called }
            // Nobody was called by values that nothing supported: there is no call to speak of.
            if case .over(_, _, .nobody) = state { return [.doubtIsOver(of: name(notice.person))] }
            return [.doubtIsOver(of: name(notice.person))] + called
        // It goes on for the one it is about: nothing is over yet.
        case .accepted:
            return drill + [.alarm(notice.priority, of: name(notice.person)), .accepted(by: by)]
        case .resolved: return over + [.resolved(by: by)]
        case .lapsed: return drill + [.lapsed]
        }
    }
}

extension Statement {
    /// Question about an alarm of doubtful values; nil for another cause, which has none.
    fileprivate init?(doubted notice: AlarmNotice, of name: String?) {
        guard let crossing = notice.cause.crossing else { return nil }
        self = .doubtfulValue(
            crossing.rule.kind, crossing.rule.side, of: name,
            measuresAgain: crossing.reading.sampling == .spot)
    }

    /// Nil where there is nothing to add: a drill has its own statement.
    fileprivate init?(_ cause: AlarmCause) {
        switch cause {
        case .crossing(let crossing):
            let quantity = crossing.reading.quantity
            self = .limit(
                quantity.kind, crossing.rule.side, value: quantity.value, limit: crossing.rule.limit)
        case .signal(let signal):
            self = signal.device.isHouseInterface ? .helpAskedFor : .signal(signal.kind)
        case .earlyWarning(let warning): self = .score(points: warning.points, limit: warning.limit)
        case .silence(let silence): self = .silence(seconds: Int(silence.limit.wholeMilliseconds / 1_000))
        case .drill: return nil
        }
    }
}

extension AlarmNotice {
    /// Device whose button called for help; nil for every other cause.
    fileprivate var caller: DeviceID? {
        guard case .signal(let signal) = cause, signal.kind == .sosButton else { return nil }
        return signal.device
    }
}

extension AlarmPriority {
    /// As patient monitors mark it in text.
    fileprivate var mark: String {
        switch self {
        case .high: "***"
        case .medium: "**"
        case .low: "*"
        }
    }
}

/// The persons of the house as they are now. From any thread.
final class HousePeople: Sendable {
    private let people: Mutex<[PersonID: HousePerson]>

    init(_ people: [PersonID: HousePerson]) {
        self.people = Mutex(people)
    }

    subscript(person: PersonID) -> HousePerson? { people.withLock { $0[person] } }

    func replace(_ people: [PersonID: HousePerson]) {
        self.people.withLock { $0 = people }
    }
}
