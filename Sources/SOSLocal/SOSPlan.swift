public import GatewayModel

/// How one person is watched and how help is called: the settings of the machine, and their check.
public struct SOSPlan: Hashable, Sendable {
    public let person: PersonID
    /// In force while the person rests.
    public let rules: [LimitRule]
    /// In force instead while the person exercises, for the kinds that are in it.
    public let exerciseRules: [LimitRule]
    /// Signals of a wearable that raise an alarm, without further confirmation.
    public let signals: Set<WearableSignal.Kind>
    public let windows: AbortWindows
    /// The ambulance service hears of an alarm of high priority before its window ends (T3).
    public let hasEarlyNotice: Bool
    public let ways: EscalationPlan
    /// Nil where no combined score is judged.
    public let earlyWarning: EarlyWarningRule?
    /// Nil where a silent sensor is a condition of the box and no alarm.
    public let silence: SilenceRule?
    /// After an alarm was ended by a person while the value stayed beyond its limit: how long until
    /// the same rule may raise a new one, unless it gets clearly worse before. Never for good.
    public let rearmInterval: Duration
    /// How an alarm may be cancelled or resolved; a channel's operator only accepts.
    public let mayEnd: Set<PersonAct.Means>

    public init(
        person: PersonID, rules: [LimitRule], exerciseRules: [LimitRule] = [],
        signals: Set<WearableSignal.Kind> = Set(WearableSignal.Kind.allCases), windows: AbortWindows,
        hasEarlyNotice: Bool = false, ways: EscalationPlan, earlyWarning: EarlyWarningRule? = nil,
        silence: SilenceRule? = nil, rearmInterval: Duration = SOSPlan.defaultRearmInterval,
        mayEnd: Set<PersonAct.Means> = SOSPlan.everyMeans
    ) {
        self.person = person
        self.rules = rules
        self.exerciseRules = exerciseRules
        self.signals = signals
        self.windows = windows
        self.hasEarlyNotice = hasEarlyNotice
        self.ways = ways
        self.earlyWarning = earlyWarning
        self.silence = silence
        self.rearmInterval = rearmInterval
        self.mayEnd = mayEnd
    }

    /// 5 minutes: long enough that a cancelled alarm does not nag, short against the harm of an hour.
    public static let defaultRearmInterval = Duration.seconds(300)
    /// Whoever stands in the house, and the person's own signed command.
    public static let everyMeans: Set<PersonAct.Means> = [
        .commandLine, .console, .button, .wearable, .command,
    ]

    /// The same with other limits at rest.
    public func with(rules: [LimitRule]) -> SOSPlan {
        SOSPlan(
            person: person, rules: rules, exerciseRules: exerciseRules, signals: signals, windows: windows,
            hasEarlyNotice: hasEarlyNotice, ways: ways, earlyWarning: earlyWarning, silence: silence,
            rearmInterval: rearmInterval, mayEnd: mayEnd)
    }

    /// The same plan, by which nothing is judged.
    var withoutRules: SOSPlan {
        SOSPlan(
            person: person, rules: [], signals: [], windows: windows, hasEarlyNotice: hasEarlyNotice,
            ways: ways,
            rearmInterval: rearmInterval, mayEnd: mayEnd)
    }

    /// The rules for one kind, as long as the person exercises or does not.
    func rules(isExercising: Bool) -> [LimitRule] {
        guard isExercising else { return rules }
        let changed = Set(exerciseRules.map(\.kind))
        return rules.filter { !changed.contains($0.kind) } + exerciseRules
    }
}
