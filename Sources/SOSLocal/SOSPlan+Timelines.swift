import GatewayModel

extension SOSPlan {
    /// The latest instants of one cause, counted from the crossing or the signal.
    public struct Timeline: Hashable, Sendable {
        /// As `AlarmCause.name`.
        public let name: String
        /// Nil for a signal.
        public let rule: LimitRule?
        public let priority: AlarmPriority
        public let confirmation: Duration
        public let alarm: Duration
        /// When the early notice leaves; nil where the call itself is no later.
        public let notice: Duration?
        public let dispatch: Duration

        /// The first word out of the house.
        public var firstWord: Duration { min(notice ?? dispatch, dispatch) }
        /// T2 with the reserve: what must not exceed `Promise.dispatchLimit`.
        public var firstWordWithReserve: Duration { firstWord + Promise.reserve }
        /// What is no emergency promises nothing.
        public var keepsPromise: Bool {
            priority != .high || firstWordWithReserve <= Promise.dispatchLimit
        }
    }

    /// One a rule, then one a signal, then the drill.
    public var timelines: [Timeline] {
        (rules + exerciseRules).map { rule in
            timeline(rule.name, rule, .vitalSign, rule.priority, confirmation: rule.confirmation.longest)
        }
            + WearableSignal.Kind.allCases.filter(signals.contains).map { signal in
                timeline(signal.rawValue, nil, signal.family, .high, confirmation: .zero)
            } + [timeline("drill", nil, .drill, .high, confirmation: .zero)]
    }

    private func timeline(
        _ name: String, _ rule: LimitRule?, _ family: AlarmCause.Family, _ priority: AlarmPriority,
        confirmation: Duration
    ) -> Timeline {
        let dispatch = confirmation + windows.window(for: family, priority)
        let notice = noticeDelay(confirmation: confirmation, dispatch: dispatch, priority)
        return Timeline(
            name: name, rule: rule, priority: priority, confirmation: confirmation,
            alarm: confirmation + Promise.alarmLimit, notice: notice, dispatch: dispatch)
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
