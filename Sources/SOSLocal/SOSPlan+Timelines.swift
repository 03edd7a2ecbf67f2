import GatewayModel

extension SOSPlan {
    /// The latest instants of one cause, counted from the crossing or the signal.
    public struct Timeline: Hashable, Sendable {
        /// As `AlarmCause.name`.
        public let name: String
        /// Nil for what is no limit.
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
        /// What T2 leaves after the first word.
        public var reserve: Duration { Promise.dispatchLimit - firstWord }
        /// T2 with the reserve: what must not exceed `Promise.dispatchLimit`.
        public var firstWordWithReserve: Duration { firstWord + Promise.reserve }
        /// What is no emergency promises nothing.
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
                    timeline("early-warning-score", .vitalSign, $0.priority, confirmation: $0.confirmation)
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
