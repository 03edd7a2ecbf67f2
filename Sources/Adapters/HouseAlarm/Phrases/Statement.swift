import GatewayModel
import SOSLocal

/// One thing that the house says, before it is put into a language. Each language must have words for all
/// of them; a name is nil where nobody's name is known, and an id never takes its place.
enum Statement: Hashable, Sendable {
    /// Who outside the house is meant.
    enum Audience: Hashable, Sendable { case help, carers }

    case drill
    case alarm(AlarmPriority, of: String?)

    // Why.
    case signal(WearableSignal.Kind)
    case limit(QuantityKind, LimitRule.Side, value: Double, limit: Double)
    case score(points: Int, limit: Int)
    case silence(seconds: Int)

    // What happens next.
    /// Too little time is left to say how much.
    case actNow(Audience, hasButton: Bool)
    case calling(Audience, inSeconds: Int)
    case howToCancel(hasButton: Bool)
    /// Names the button, or the other means, that really cancels.
    case cancelBy(CancelMeans)
    case noticeGiven(Audience)
    case called(Audience)
    case arrived(Audience)
    case notReached(Audience, isDrill: Bool)
    case nobodyTold
    case termsNotAccepted(isDrill: Bool)

    // How it ended.
    case over(of: String?)
    case cancelled(by: String?)
    case accepted(by: String?)
    case resolved(by: String?)
    case lapsed
    case nobodyWillCome
    case toldAreInformed

    // What went wrong.
    case nobodyCalled(of: String?, isDrill: Bool)
    case notRetracted(of: String?)
    /// The button cannot tell which of several open alarms is meant.
    case whoseIsMeant(of: [String?])
    case supervisionPaused(of: String?)
    case supervisionRestored(of: String?)
    case settingsWrong(areEarlierUsed: Bool)
    case batteryLow(of: String?, percent: Int?)
}

/// Where a statement goes.
enum Manner: CaseIterable, Hashable, Sendable {
    /// To the ear: units in full, and no more figures than one can keep.
    case spoken
    /// To the eye: the units of a display, with the limit.
    case shown
}

/// One language of the house.
protocol Wording: Sendable {
    func words(for statement: Statement, _ manner: Manner) -> String
}

extension PersonProfile.Language {
    var wording: any Wording {
        switch self {
        case .english: English()
        case .italian: Italian()
        }
    }
}
