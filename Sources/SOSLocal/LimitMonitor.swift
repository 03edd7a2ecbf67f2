public import GatewayModel

/// One rule on the readings of one device, from a reading to a confirmed crossing.
///
/// Pure: readings and instants in, decisions out. It does not know the outcome of the alarm; it is told when
/// the alarm has ended.
public struct LimitMonitor: Hashable, Sendable {
    public enum Decision: Hashable, Sendable {
        case crossed(Crossing)
        /// Back inside before it was believed.
        case recovered(Crossing)
        /// Believed. `at` is the instant the rule says, however late the caller asks.
        case confirmed(Crossing, at: BootInstant)
    }

    /// Progress of the rule; the part of its state that must survive a restart.
    public enum State: Hashable, Codable, Sendable {
        case armed
        case confirming(Crossing, readings: Int, deadline: BootInstant)
        /// An alarm is open; with the newest value.
        case alarmed(newest: Double)
        /// A person ended the alarm while the value was still beyond the limit, at `value`.
        case dismissed(until: BootInstant, value: Double)
    }

    public let rule: LimitRule
    private let rearmInterval: Duration
    public private(set) var state = State.armed

    public init(rule: LimitRule, rearmInterval: Duration) {
        self.rule = rule
        self.rearmInterval = rearmInterval
    }

    /// Goes on where an earlier run of the gateway stood.
    public mutating func resume(_ earlier: State) {
        state = earlier
    }

    /// Believes at once a crossing that is still to be confirmed: after a time that nobody can tell the length
    /// of.
    public mutating func hurry(at now: BootInstant) -> [Decision] {
        guard case .confirming(let crossing, _, _) = state else { return [] }
        return confirm(crossing, at: now, newest: crossing.reading.quantity.value)
    }

    /// When `tick` has to be called at the latest.
    public var deadline: BootInstant? {
        if case .confirming(_, _, let deadline) = state { deadline } else { nil }
    }

    /// Whether `tick` has something to do.
    func isDue(at now: BootInstant) -> Bool {
        guard let deadline else { return false }
        return now >= deadline
    }

    /// A plausible reading of the rule's kind has arrived.
    public mutating func judge(_ reading: Reading) -> [Decision] {
        judge(reading, at: reading.arrival.boot)
    }

    /// - Parameter instant: since when it is known to be of now: its arrival, or later.
    mutating func judge(_ reading: Reading, at instant: BootInstant) -> [Decision] {
        let value = reading.quantity.value
        switch state {
        case .armed:
            return rule.isBroken(by: value) ? cross(reading, at: instant) : []
        case .confirming(let crossing, let readings, let deadline):
            if rule.isBackInside(value) {
                state = .armed
                return [.recovered(crossing)]
            }
            // Between the limit and its hysteresis: neither believes nor clears; the deadline decides.
            guard rule.isBroken(by: value) else { return [] }
            guard readings + 1 >= rule.confirmation.readings else {
                state = .confirming(crossing, readings: readings + 1, deadline: deadline)
                return []
            }
            return confirm(crossing, at: instant, newest: value)
        case .alarmed:
            state = .alarmed(newest: value)
            return []
        case .dismissed(let until, let dismissed):
            if rule.isBackInside(value) {
                state = .armed
                return []
            }
            let isDue = reading.arrival.boot >= until || rule.isClearlyWorse(value, than: dismissed)
            return rule.isBroken(by: value) && isDue ? cross(reading, at: instant) : []
        }
    }

    /// Time has passed. Confirms a crossing whose time is over, also when nothing more was heard.
    public mutating func tick(at now: BootInstant) -> [Decision] {
        guard isDue(at: now), case .confirming(let crossing, _, let deadline) = state else { return [] }
        return confirm(crossing, at: deadline, newest: crossing.reading.quantity.value)
    }

    /// The sensor says that nobody wears it any more. That is no silence to be read: a warning, on which no
    /// life hangs, is not believed from a measurement of a clip while it was pulled off. A call for help is.
    public mutating func takenOff() -> [Decision] {
        guard rule.priority < .high, case .confirming(let crossing, _, _) = state else { return [] }
        state = .armed
        return [.recovered(crossing)]
    }

    /// The alarm this rule raised was ended by a person.
    public mutating func alarmEnded(at now: BootInstant) {
        guard case .alarmed(let newest) = state else { return }
        state =
            rule.isBroken(by: newest)
            ? .dismissed(until: now.advanced(by: rearmInterval), value: newest) : .armed
    }

    private mutating func cross(_ reading: Reading, at instant: BootInstant) -> [Decision] {
        let crossing = Crossing(reading: reading, rule: rule)
        // No second one is to be expected after a single measurement: its silence would prove nothing.
        guard reading.sampling == .stream, rule.confirmation.readings > 1 else {
            return [.crossed(crossing)] + confirm(crossing, at: instant, newest: reading.quantity.value)
        }
        let end = crossing.instant.advanced(by: rule.confirmation.within)
        state = .confirming(crossing, readings: 1, deadline: max(end, instant))
        return [.crossed(crossing)]
    }

    private mutating func confirm(
        _ crossing: Crossing, at instant: BootInstant, newest: Double
    ) -> [Decision] {
        state = .alarmed(newest: newest)
        return [.confirmed(crossing, at: instant)]
    }
}

/// The reading that first broke a rule: the instant from which the promise is counted.
public struct Crossing: Hashable, Codable, Sendable {
    public let reading: Reading
    public let rule: LimitRule

    public init(reading: Reading, rule: LimitRule) {
        self.reading = reading
        self.rule = rule
    }

    public var instant: BootInstant { reading.arrival.boot }
}

extension Reading {
    /// Why the rules leave it out; nil for a plausible value of now, of a sensor that touches the skin.
    public var reasonNotToJudge: SOSAction.Unjudged? {
        if currency == .history { return .history }
        if contact == .lost { return .contactLost }
        if !quantity.isPlausible { return .implausible }
        return nil
    }
}
