public import GatewayModel

/// How one person is watched and how help is called: the settings of the machine, and their check.
public struct SOSPlan: Hashable, Sendable {
    public let person: PersonID
    public let rules: [LimitRule]
    /// Signals of a wearable that raise an alarm, without further confirmation.
    public let signals: Set<WearableSignal.Kind>
    /// From the alarm's confirmation until dispatch: the time to cancel.
    public let abortWindow: Duration
    /// Tried from the first on; each repetition goes one further, then all are told again.
    public let channels: [ChannelID]
    /// Between one round of telling and the next, until someone has accepted.
    public let repeatInterval: Duration
    /// After an alarm was ended by a person while the value stayed beyond its limit: how long until
    /// the same rule may raise a new one, unless it gets clearly worse before. Never for good.
    public let rearmInterval: Duration

    public init(
        person: PersonID, rules: [LimitRule],
        signals: Set<WearableSignal.Kind> = Set(WearableSignal.Kind.allCases), abortWindow: Duration,
        channels: [ChannelID],
        repeatInterval: Duration = SOSPlan.defaultRepeatInterval,
        rearmInterval: Duration = SOSPlan.defaultRearmInterval
    ) {
        self.person = person
        self.rules = rules
        self.signals = signals
        self.abortWindow = abortWindow
        self.channels = channels
        self.repeatInterval = repeatInterval
        self.rearmInterval = rearmInterval
    }

    /// 30 s: a person at the other end needs some seconds to read and press; two unanswered rounds
    /// still fit in the first minute.
    public static let defaultRepeatInterval = Duration.seconds(30)
    /// 5 minutes: long enough that a cancelled alarm does not nag, short against the harm of an hour.
    public static let defaultRearmInterval = Duration.seconds(300)
}

/// The promise in figures.
public enum Promise {
    /// T2: dispatch leaves no later than this after the crossing.
    public static let dispatchLimit = Duration.seconds(5)
    /// T1: the alarm is raised no later than this after the confirmation.
    public static let alarmLimit = Duration.milliseconds(250)
    /// Kept free between the planned dispatch and the limit for what the plan cannot see: a late
    /// thread (measured overshoot without real-time priority is tens of milliseconds), encoding, the
    /// hand-over to the broker. Ten times the worst overshoot budget of 20 ms and more.
    public static let reserve = Duration.milliseconds(500)
}

extension SOSPlan {
    /// The latest instants of one cause, counted from the crossing or the signal.
    public struct Timeline: Hashable, Sendable {
        /// As `AlarmCause.name`.
        public let name: String
        /// Nil for a signal.
        public let rule: LimitRule?
        public let confirmation: Duration
        public let alarm: Duration
        public let dispatch: Duration

        /// T2 with the reserve: what must not exceed `Promise.dispatchLimit`.
        public var dispatchWithReserve: Duration { dispatch + Promise.reserve }
        public var keepsPromise: Bool { dispatchWithReserve <= Promise.dispatchLimit }
    }

    /// One a rule, then one a signal.
    public var timelines: [Timeline] {
        rules.map { rule in
            timeline(
                rule.name, rule,
                confirmation: rule.confirmation.readings <= 1 ? .zero : rule.confirmation.within)
        }
            + WearableSignal.Kind.allCases.filter(signals.contains).map { signal in
                timeline(signal.rawValue, nil, confirmation: .zero)
            }
    }

    private func timeline(_ name: String, _ rule: LimitRule?, confirmation: Duration) -> Timeline {
        Timeline(
            name: name, rule: rule, confirmation: confirmation, alarm: confirmation + Promise.alarmLimit,
            dispatch: confirmation + abortWindow)
    }
}
