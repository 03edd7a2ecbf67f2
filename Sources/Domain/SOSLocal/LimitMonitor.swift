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
        /// Not believed yet, since its values are doubtful: the room is to be asked.
        case doubted(Crossing, at: BootInstant)
        /// Back inside after the room was asked.
        case receded(Crossing, at: BootInstant)
    }

    /// Progress of the rule; the part of its state that must survive a restart.
    public enum State: Hashable, Codable, Sendable {
        case armed
        case confirming(Crossing, readings: Int, deadline: BootInstant)
        case doubting(DoubtedCrossing)
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
        switch state {
        case .confirming(let crossing, _, _):
            confirm(crossing, at: now, newest: crossing.reading.quantity.value)
        case .doubting(let doubted) where doubted.asked != nil: ask(about: doubted, at: now)
        default: []
        }
    }

    /// When `tick` has to be called at the latest.
    public var deadline: BootInstant? {
        switch state {
        case .confirming(_, _, let deadline): deadline
        case .doubting(let doubted): doubted.deadline
        case .armed, .alarmed, .dismissed: nil
        }
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

    /// - Parameters:
    ///   - instant: since when it is known to be of now: its arrival, or later.
    ///   - isSupported: another sensor shows the same.
    mutating func judge(
        _ reading: Reading, at instant: BootInstant, isSupported: Bool = false
    ) -> [Decision] {
        let value = reading.quantity.value
        let isSound = reading.isSound(isSupported: isSupported)
        switch state {
        case .armed:
            return rule.isBroken(by: value) ? cross(reading, at: instant, isSound: isSound) : []
        case .confirming(let crossing, let readings, let deadline):
            if rule.isBackInside(value) {
                guard reading.agrees(isSupported: isSupported) else {
                    // A doubtful value neither believes nor clears; both stand against each other.
                    state = .doubting(
                        DoubtedCrossing(
                            crossing: crossing, asked: asking(crossing, at: instant), newest: value,
                            hasAgreed: true, inside: 1))
                    return []
                }
                state = .armed
                return [.recovered(crossing)]
            }
            // Between the limit and its hysteresis, or doubtful: neither believes nor clears; the deadline decides.
            guard rule.isBroken(by: value), isSound else { return [] }
            guard readings + 1 >= rule.confirmation.readings else {
                state = .confirming(crossing, readings: readings + 1, deadline: deadline)
                return []
            }
            return confirm(crossing, at: instant, newest: value)
        case .doubting(let doubted):
            return judge(reading, in: doubted, at: instant, isSupported: isSupported)
        case .alarmed:
            state = .alarmed(newest: value)
            return []
        case .dismissed(let until, let dismissed):
            if rule.isBackInside(value) {
                state = .armed
                return []
            }
            let isDue = reading.arrival.boot >= until || rule.isClearlyWorse(value, than: dismissed)
            return rule.isBroken(by: value) && isDue ? cross(reading, at: instant, isSound: isSound) : []
        }
    }

    private mutating func judge(
        _ reading: Reading, in doubted: DoubtedCrossing, at instant: BootInstant, isSupported: Bool
    ) -> [Decision] {
        var doubted = doubted
        let (value, isSpot) = (reading.quantity.value, reading.sampling == .spot)
        let agrees = reading.agrees(isSupported: isSupported)
        doubted.newest = value
        state = .doubting(doubted)
        if rule.isBackInside(value) {
            // A measurement that was taken again counts, whatever doubts it as well.
            guard doubted.isCleared(agrees: agrees) || isSpot else {
                state = .doubting(doubted)
                return []
            }
            return recede(doubted, at: instant)
        }
        guard rule.isBroken(by: value), agrees || isSpot else { return [] }
        let isSound = reading.isSound(isSupported: isSupported)
        guard doubted.isConfirmed(by: rule, isSound: isSound, at: instant) || isSpot else {
            state = .doubting(doubted)
            return []
        }
        return confirm(doubted.crossing, at: instant, newest: value)
    }

    private mutating func recede(_ doubted: DoubtedCrossing, at instant: BootInstant) -> [Decision] {
        guard doubted.asked == nil else {
            state = .armed
            return [.recovered(doubted.crossing)]
        }
        // Its alarm is open: it ends with that.
        state = .alarmed(newest: doubted.newest)
        return [.receded(doubted.crossing, at: instant)]
    }

    /// Time has passed. Confirms a crossing whose time is over, also when nothing more was heard.
    public mutating func tick(at now: BootInstant) -> [Decision] {
        guard isDue(at: now) else { return [] }
        switch state {
        case .confirming(let crossing, _, let deadline):
            return confirm(crossing, at: deadline, newest: crossing.reading.quantity.value)
        case .doubting(let doubted):
            if let end = doubted.soundEnd, end == doubted.deadline {
                return confirm(doubted.crossing, at: end, newest: doubted.newest)
            }
            return ask(about: doubted, at: doubted.asked ?? now) + tick(at: now)
        case .armed, .alarmed, .dismissed: return []
        }
    }

    private mutating func ask(about doubted: DoubtedCrossing, at instant: BootInstant) -> [Decision] {
        var doubted = doubted
        doubted.asked = nil
        state = .doubting(doubted)
        return [.doubted(doubted.crossing, at: instant)]
    }

    /// The sensor says that nobody wears it any more. That is no silence to be read: a warning, on which no
    /// life hangs, is not believed from a measurement of a clip while it was pulled off. A call for help is.
    public mutating func takenOff(at now: BootInstant) -> [Decision] {
        guard rule.priority < .high else { return [] }
        switch state {
        case .confirming(let crossing, _, _):
            state = .armed
            return [.recovered(crossing)]
        case .doubting(let doubted): return recede(doubted, at: now)
        case .armed, .alarmed, .dismissed: return []
        }
    }

    /// The alarm this rule raised has ended.
    /// - Parameter isReceded: by values back inside, and not by a person: the rule judges on at once.
    public mutating func alarmEnded(at now: BootInstant, isReceded: Bool = false) {
        let newest: Double
        switch state {
        case .alarmed(let value): newest = value
        case .doubting(let doubted) where doubted.asked == nil: newest = doubted.newest
        case .armed, .confirming, .doubting, .dismissed: return
        }
        state =
            rule.isBroken(by: newest) && !isReceded
            ? .dismissed(until: now.advanced(by: rearmInterval), value: newest) : .armed
    }

    /// When the room is asked about a crossing that is doubtful: a warning waits for as long as its rule says.
    private func asking(_ crossing: Crossing, at instant: BootInstant) -> BootInstant {
        let delay =
            rule.priority == .high
            ? DoubtfulValues.askedAfter : max(DoubtfulValues.askedAfter, rule.confirmation.within)
        return max(crossing.instant.advanced(by: delay), instant)
    }

    private mutating func cross(
        _ reading: Reading, at instant: BootInstant, isSound: Bool
    ) -> [Decision] {
        let crossing = Crossing(reading: reading, rule: rule)
        guard isSound else {
            let doubted = DoubtedCrossing(
                crossing: crossing, asked: asking(crossing, at: instant), newest: reading.quantity.value,
                hasAgreed: reading.agrees(isSupported: false))
            guard reading.sampling == .stream else {
                // No other value comes by itself: it has to be measured again.
                return [.crossed(crossing)] + ask(about: doubted, at: instant)
            }
            state = .doubting(doubted)
            return [.crossed(crossing)]
        }
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
