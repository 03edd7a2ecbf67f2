package import GatewayModel
package import HelpState
package import SOSLocal

/// One thing that the house says, before it is put into a language. Each language must have words for all
/// of them; a name is nil where nobody's name is known, and an id never takes its place.
package enum Statement: Hashable, Sendable {
    /// People outside the house that a statement is about.
    package enum Audience: Hashable, Sendable { case help, carers }

    case drill
    case alarm(AlarmPriority, of: String?)

    // Why.
    case signal(WearableSignal.Kind)
    /// A person asked for help on a page or at the terminal: no button was pressed.
    case helpAskedFor
    case limit(QuantityKind, LimitRule.Side, value: Double, limit: Double)
    case score(points: Int, limit: Int)
    case silence(seconds: Int)

    /// The values are doubtful: the person is asked, or asked to measure again.
    case doubtfulValue(QuantityKind, LimitRule.Side, of: String?, measuresAgain: Bool)
    /// The values that were doubtful are back inside.
    case doubtIsOver(of: String?)

    // Next step.
    /// Too little time is left to say how much.
    case actNow(Audience, hasButton: Bool)
    case calling(Audience, inSeconds: Int)
    case howToCancel(hasButton: Bool)
    /// Names the button, or the other means, that really cancels.
    case cancelBy(CancelMeans)

    // State of the call.
    /// The window to cancel runs, for a reader without its count.
    case willCall(Audience)
    /// An early notice has arrived there.
    case knows([HelpRecipient])
    case called(Audience)
    case arrived([HelpRecipient], Audience)
    case notReached(Audience, isDrill: Bool)
    /// Each way is known to be dead.
    case cannotCall(Audience, isDrill: Bool)
    case nobodyTold
    case termsNotAccepted(isDrill: Bool)
    // Whether help can be called for a person, while no alarm is open.
    case callsNobodyFor(String?, HelpState.Reason)
    case cannotCallFor(String?)

    // How it ended.
    case over(of: String?)
    /// Another alarm of the person goes on.
    case oneIsOver(of: String?)
    case cancelled(by: String?)
    case accepted(by: String?)
    case resolved(by: String?)
    case lapsed
    case nobodyWillCome
    case nobodyWasReached
    case knowingAreInformed
    case knowingKnow
    case toldAreInformed
    case toldKnow

    // Failure.
    case notRetracted(of: String?)
    /// A press after the call has arrived: it ends nothing.
    case passesOnAllRight(of: String?)
    /// The button cannot tell which of several open alarms is meant.
    case whoseIsMeant(of: [String?])
    case supervisionPaused(of: String?)
    case supervisionRestored(of: String?)
    /// The watch goes on, and no way to call help works.
    case helpUnreachable(of: String?)
    case helpReachable(of: String?)
    case settingsWrong(areEarlierUsed: Bool)
    case batteryLow(of: String?, percent: Int?)
    case batteryCharged(of: String?)
    case boxPower(BoxPower)
    case boxButton(works: Bool)
    case drillFailed(of: String?)

    /// Nil minutes: it is over.
    case exercise(of: String?, minutes: Int?)

    // Test of an SOS button.
    case testButton(of: String?, button: String?)
    case buttonTestOver(of: String?)
    case buttonWorks(of: String?)
    case buttonUntested(of: String?)

    /// A device shows the pages of the person.
    case devicePaired(of: String?)

    // Question from outside. The texts are the asker's own words.
    case asksForData(party: String?, of: String?, [DataKind], LocationPrecision, purpose: String?)
    /// `account`: its name, as TrackMe gives it.
    case asksForAccount(account: String?, LinkRole, of: String?)
    /// Acts of an account with the role `acts`: each one that TrackMe lets it do for the person.
    case actsOfAccount(of: String?)
    /// Names the request, for the eye.
    case answerRequest(String)
    case asksForLimits(issuer: String, of: String?, QuantityKind)
    case limitMove(LimitSlot, from: Double, to: Double, QuantityKind)
    /// Names the person's ID, for the eye.
    case answerLimits(String, QuantityKind)
}

extension HelpState {
    /// Sentence of the state; nil where another sentence says all: the count of the window, or that a note calls nobody.
    package func statement(for priority: AlarmPriority, isDrill: Bool) -> Statement? {
        let audience: Statement.Audience = priority == .high ? .help : .carers
        return switch self {
        case .willBeCalled(_, let knowing): knowing.isEmpty ? nil : .knows(knowing.map(\.recipient))
        case .beingCalled: .called(audience)
        case .reached(let informed): .arrived(informed.map(\.recipient), audience)
        case .taken(let by, _): .accepted(by: by)
        case .nobodyIsCalled(.termsNotAccepted): .termsNotAccepted(isDrill: isDrill)
        case .nobodyIsCalled(.nobodyToTell): priority == .low ? nil : .nobodyTold
        case .cannotBeCalled(.waysDead): .cannotCall(audience, isDrill: isDrill)
        case .cannotBeCalled(.unanswered): .notReached(audience, isDrill: isDrill)
        case .over(_, _, .nobody): .nobodyWillCome
        case .over(_, _, .unreached): .nobodyWasReached
        case .over(_, _, .noticeBeingTold): .knowingAreInformed
        case .over(_, _, .noticeInformed): .knowingKnow
        case .over(_, _, .beingTold): .toldAreInformed
        case .over(_, _, .informed): .toldKnow
        }
    }
}

extension HelpState {
    /// Statements of the state for a reader without the count of the window; none where a note calls nobody.
    package func statements(for priority: AlarmPriority, isDrill: Bool) -> [Statement] {
        let next: [Statement] =
            if case .willBeCalled = self { [.willCall(priority == .high ? .help : .carers)] } else { [] }
        return next + [statement(for: priority, isDrill: isDrill)].compactMap(\.self)
    }
}

extension HelpReadiness {
    /// Statement for those who care for a person; nil where help can be called.
    package func statement(of name: String?) -> Statement? {
        switch self {
        case .ready: nil
        case .nobodyIsCalled(let reason): .callsNobodyFor(name, reason)
        case .cannotBeCalled: .cannotCallFor(name)
        }
    }
}

/// Where a statement goes.
package enum Manner: CaseIterable, Hashable, Sendable {
    /// To the ear: units in full, and no more figures than one can keep.
    case spoken
    /// To the eye: the units of a display, with the limit.
    case shown
}
