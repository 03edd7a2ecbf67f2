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
    /// 45 minutes: a walk or a session on the bicycle. Where nobody says how long.
    public static let standardExercise = Duration.seconds(2_700)
    /// Anybody in the house, and the person's own signed command.
    public static let everyMeans: Set<PersonAct.Means> = [
        .commandLine, .console, .screen, .page, .button, .wearable, .command,
    ]

    /// The same with other limits at rest.
    public func with(rules: [LimitRule]) -> SOSPlan {
        SOSPlan(
            person: person, rules: rules, exerciseRules: exerciseRules, signals: signals, windows: windows,
            hasEarlyNotice: hasEarlyNotice, ways: ways, earlyWarning: earlyWarning, silence: silence,
            rearmInterval: rearmInterval, mayEnd: mayEnd)
    }

    /// The plan of a person of whom a pulse alone is judged, where the settings say nothing else: help hears at once that
    /// it may be needed, and the person has the time to answer. A pulse alone is as often a staircase as an emergency.
    public var forPulseAlone: SOSPlan {
        SOSPlan(
            person: person, rules: rules, exerciseRules: exerciseRules, signals: signals,
            windows: windows.with(vitalSign: Self.pulseWindow), hasEarlyNotice: true, ways: ways,
            earlyWarning: earlyWarning, silence: silence, rearmInterval: rearmInterval, mayEnd: mayEnd)
    }

    /// 30 s: long enough to hear the instruction and to walk to a screen.
    private static let pulseWindow = Duration.seconds(30)

    /// The same with other channels.
    public func with(_ ways: EscalationPlan) -> SOSPlan {
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

extension SOSPlan {
    /// The latest instants of one cause, counted from the crossing or the signal.
    public struct Timeline: Hashable, Sendable {
        /// As `AlarmCause.name`.
        public let name: String
        /// Nil for a value that is no limit.
        public let rule: LimitRule?
        /// The rule holds while the person exercises.
        public let isInExercise: Bool
        public let family: AlarmCause.Family
        public let priority: AlarmPriority
        public let confirmation: Duration
        public let alarm: Duration
        /// When the early notice leaves; nil where the call itself is no later.
        public let notice: Duration?
        public let dispatch: Duration

        public var window: Duration { dispatch - confirmation }
        /// The first word out of the house.
        public var firstWord: Duration { min(notice ?? dispatch, dispatch) }
        /// Time that T2 leaves after the first word.
        public var reserve: Duration { Promise.dispatchLimit - firstWord }
        /// T2 with the reserve: must not exceed `Promise.dispatchLimit`.
        public var firstWordWithReserve: Duration { firstWord + Promise.reserve }
        /// A cause that is no emergency promises nothing.
        public var keepsPromise: Bool {
            priority != .high || firstWordWithReserve <= Promise.dispatchLimit
        }
    }

    /// One a rule, then those of the exercise, the combined score, a silent sensor; one a signal; the drill.
    public var timelines: [Timeline] {
        rules.map { timeline($0, isInExercise: false) }
            + exerciseRules.map { timeline($0, isInExercise: true) }
            + [
                earlyWarning.map {
                    timeline(
                        AlarmCause.earlyWarningName, .vitalSign, $0.priority, confirmation: $0.confirmation)
                },
                silence.map { timeline("sensor-silent", .vitalSign, $0.priority) },
            ].compactMap(\.self)
            + WearableSignal.Kind.allCases.filter(signals.contains).map {
                timeline($0.rawValue, $0.family, .high)
            } + [timeline("drill", .drill, .high)]
    }

    private func timeline(_ rule: LimitRule, isInExercise: Bool) -> Timeline {
        timeline(
            rule.name, .vitalSign, rule.priority, rule, isInExercise: isInExercise,
            confirmation: rule.confirmation.longest)
    }

    private func timeline(
        _ name: String, _ family: AlarmCause.Family, _ priority: AlarmPriority, _ rule: LimitRule? = nil,
        isInExercise: Bool = false, confirmation: Duration = .zero
    ) -> Timeline {
        let dispatch = confirmation + windows.window(for: family, priority)
        let notice = noticeDelay(confirmation: confirmation, dispatch: dispatch, priority)
        return Timeline(
            name: name, rule: rule, isInExercise: isInExercise, family: family, priority: priority,
            confirmation: confirmation, alarm: confirmation + Promise.alarmLimit, notice: notice,
            dispatch: dispatch)
    }

    /// When the call leaves after the crossing.
    ///
    /// Where the confirmation took longer than the rules of the plan ask, since a value had to be held first, the
    /// window gives way and not the promise.
    func dispatchDelay(
        confirmation: Duration, of family: AlarmCause.Family, _ priority: AlarmPriority
    ) -> Duration {
        let planned = confirmation + windows.window(for: family, priority)
        guard priority == .high, !hasEarlyNotice else { return planned }
        return max(confirmation, min(planned, Promise.dispatchLimit - Promise.reserve))
    }

    /// When the call of an alarm leaves after its crossing. A doubtful crossing has its early notice within the promise,
    /// so that the window after its confirmation stays whole.
    func dispatchDelay(
        of cause: AlarmCause, _ priority: AlarmPriority, confirmation: Duration, isDoubted: Bool
    ) -> Duration {
        guard let reading = cause.crossing?.reading, isDoubted || !reading.doubts.isEmpty else {
            return dispatchDelay(confirmation: confirmation, of: cause.family, priority)
        }
        let whole = confirmation + windows.window(for: cause.family, priority)
        return isDoubted ? max(DoubtfulValues.answerLimit(of: reading.sampling), whole) : whole
    }

    /// When the early notice of an alarm leaves after its crossing. One by a doubtful value always has one, since its
    /// call may be later than the promise.
    func noticeDelay(
        of cause: AlarmCause, _ priority: AlarmPriority, confirmation: Duration, dispatch: Duration,
        isDoubted: Bool
    ) -> Duration? {
        guard priority == .high, isDoubted || cause.crossing?.reading.doubts.isEmpty == false else {
            return noticeDelay(confirmation: confirmation, dispatch: dispatch, priority)
        }
        let notice = max(confirmation, Promise.noticeAfter)
        return notice < dispatch ? notice : nil
    }

    /// When the early notice leaves after the crossing; nil where there is none, or the call is no later.
    func noticeDelay(
        confirmation: Duration, dispatch: Duration, _ priority: AlarmPriority
    ) -> Duration? {
        guard hasEarlyNotice, priority == .high else { return nil }
        let notice = max(confirmation, Promise.noticeAfter)
        return notice < dispatch ? notice : nil
    }
}

extension Confirmation {
    /// The longest that confirmation can take.
    public var longest: Duration { readings <= 1 ? .zero : within }
}

/// The time to cancel, from an alarm's confirmation until help is called, by the family of its cause.
public struct AbortWindows: Hashable, Sendable {
    private let windows: [AlarmCause.Family: Duration]
    /// For an alarm of medium priority: until the carers are told.
    public let warning: Duration

    public init(
        vitalSign: Duration, button: Duration? = nil, fall: Duration? = nil, shaking: Duration? = nil,
        drill: Duration? = nil, warning: Duration = AbortWindows.defaultWarning
    ) {
        windows = [
            .vitalSign: vitalSign, .button: button ?? vitalSign, .fall: fall ?? vitalSign,
            .shaking: shaking ?? vitalSign, .drill: drill ?? vitalSign,
        ]
        self.warning = warning
    }

    private init(_ windows: [AlarmCause.Family: Duration], warning: Duration) {
        (self.windows, self.warning) = (windows, warning)
    }

    /// The same with another window of an emergency by a vital sign; a drill keeps its own.
    func with(vitalSign: Duration) -> AbortWindows {
        AbortWindows(windows.merging([.vitalSign: vitalSign]) { $1 }, warning: warning)
    }

    /// 30 s: nobody's life is at stake, and a carer called in vain comes slower the next time.
    public static let defaultWarning = Duration.seconds(30)

    /// For an alarm of high priority.
    public subscript(family: AlarmCause.Family) -> Duration { windows[family] ?? .zero }

    func window(for family: AlarmCause.Family, _ priority: AlarmPriority) -> Duration {
        priority == .high ? self[family] : warning
    }
}

/// The promise in figures.
public enum Promise {
    /// T2: the call is handed over to the first channel that lives no later than this after the crossing.
    public static let dispatchLimit = Duration.seconds(5)
    /// T1: the alarm is raised no later than this after the confirmation.
    public static let alarmLimit = Duration.milliseconds(250)
    /// Kept free between the planned dispatch and the limit for delays that the plan cannot see: a late thread
    /// (measured overshoot without real-time priority is tens of milliseconds), encoding, the hand-over to the
    /// broker. Ten times the worst overshoot budget of 20 ms and more.
    public static let reserve = Duration.milliseconds(500)
    /// When a second channel is told of an emergency, counted from the crossing, unless a machine has acknowledged
    /// by then: in the middle of the reserve, so that the second has as long as the first had.
    public static let secondChannelAfter = dispatchLimit - reserve / 2
    /// How long after the first order the house is told that help is not reached, where no machine has
    /// acknowledged the call: a working channel needs less, and a person in the room has to know soon.
    public static let reportLimit = Duration.seconds(2)
    /// T3: when an early notice leaves at the latest, counted from the crossing.
    public static let noticeAfter = dispatchLimit - reserve
}
