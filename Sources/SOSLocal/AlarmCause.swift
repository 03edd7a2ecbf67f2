public import GatewayModel

/// The reading that first broke a rule: the instant from which the promise is counted.
public struct Crossing: Hashable, Sendable {
    public let reading: Reading
    public let rule: LimitRule

    public init(reading: Reading, rule: LimitRule) {
        self.reading = reading
        self.rule = rule
    }

    public var instant: BootInstant { reading.arrival.boot }
}

/// Why an alarm was raised.
public enum AlarmCause: Hashable, Sendable {
    case crossing(Crossing)
    /// Believed at once: a person or a detector has judged already.
    case signal(WearableSignal)

    public var alarm: AlarmID {
        switch self {
        case .crossing(let crossing): AlarmID(crossing.reading.id)
        case .signal(let signal): AlarmID(signal.id)
        }
    }

    public var person: PersonID {
        switch self {
        case .crossing(let crossing): crossing.reading.person
        case .signal(let signal): signal.person
        }
    }

    /// Since when the promise counts.
    public var arrival: Moment {
        switch self {
        case .crossing(let crossing): crossing.reading.arrival
        case .signal(let signal): signal.arrival
        }
    }

    public var instant: BootInstant { arrival.boot }

    /// `heart-rate-high`, `sos-button`: how the contract and the log call it.
    public var name: String {
        switch self {
        case .crossing(let crossing): crossing.rule.name
        case .signal(let signal): signal.kind.rawValue
        }
    }

    public var crossing: Crossing? {
        if case .crossing(let crossing) = self { crossing } else { nil }
    }
}
