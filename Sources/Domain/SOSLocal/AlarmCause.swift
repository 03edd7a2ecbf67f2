public import GatewayModel

/// Why an alarm was raised.
public enum AlarmCause: Hashable, Codable, Sendable {
    case crossing(Crossing)
    /// Believed at once: a person or a detector has judged already.
    case signal(WearableSignal)
    case earlyWarning(EarlyWarning)
    case silence(SensorSilence)
    case drill(Drill)

    /// The kinds of cause that a plan gives windows of their own.
    public enum Family: String, CaseIterable, Hashable, Codable, Sendable {
        case vitalSign = "vital-sign"
        case button
        case fall
        case shaking
        case drill
    }

    public var alarm: AlarmID {
        switch self {
        case .crossing(let crossing): AlarmID(crossing.reading.id)
        case .signal(let signal): AlarmID(signal.id)
        case .earlyWarning(let warning): AlarmID(warning.reading.id.derived("early-warning"))
        case .silence(let silence): AlarmID(silence.last.id.derived("silence"))
        case .drill(let drill): AlarmID(drill.id)
        }
    }

    public var person: PersonID {
        switch self {
        case .crossing(let crossing): crossing.reading.person
        case .signal(let signal): signal.person
        case .earlyWarning(let warning): warning.reading.person
        case .silence(let silence): silence.last.person
        case .drill(let drill): drill.person
        }
    }

    /// Wearable of the cause; for the test of a help button that button, and nil for another drill.
    public var device: DeviceID? {
        switch self {
        case .crossing(let crossing): crossing.reading.device
        case .signal(let signal): signal.device
        case .earlyWarning(let warning): warning.reading.device
        case .silence(let silence): silence.last.device
        case .drill(let drill): drill.button
        }
    }

    /// Since when the promise counts.
    public var arrival: Moment {
        switch self {
        case .crossing(let crossing): crossing.reading.arrival
        case .signal(let signal): signal.arrival
        case .earlyWarning(let warning): warning.reading.arrival
        case .silence(let silence): silence.arrival
        case .drill(let drill): drill.arrival
        }
    }

    public var instant: BootInstant { arrival.boot }

    /// An instant of the alarm for people, counted from the crossing: a wall clock that is stepped in between
    /// does not tear a message from its references.
    public func wall(of instant: BootInstant) -> WallTime {
        arrival.advanced(by: self.instant.duration(to: instant)).wall
    }

    /// Name of a cause that is the combined score.
    public static let earlyWarningName = "early-warning-score"

    /// `heart-rate-high`, `sos-button`: how the contract and the log call it.
    public var name: String {
        switch self {
        case .crossing(let crossing): crossing.rule.name
        case .signal(let signal): signal.kind.rawValue
        case .earlyWarning: Self.earlyWarningName
        case .silence: "sensor-silent"
        case .drill: "drill"
        }
    }

    public var family: Family {
        switch self {
        case .crossing, .earlyWarning, .silence: .vitalSign
        case .drill: .drill
        case .signal(let signal): signal.kind.family
        }
    }

    public var crossing: Crossing? {
        if case .crossing(let crossing) = self { crossing } else { nil }
    }

    public var isDrill: Bool { family == .drill }

    /// A press of a help button in its test: it goes out as a drill, and the room is thanked, not alarmed.
    public var isButtonTest: Bool {
        if case .drill(let drill) = self { drill.button != nil } else { false }
    }
}

extension WearableSignal.Kind {
    var family: AlarmCause.Family {
        switch self {
        case .sosButton: .button
        case .fall: .fall
        case .shaking: .shaking
        }
    }
}

/// The id of one alarm: the id of the reading or signal that caused it.
///
/// Derived, not drawn: the same cause judged again gives the same alarm, so a repeat after a crash
/// cannot call for help twice under two names.
public struct AlarmID: Hashable, Codable, Sendable, CustomStringConvertible {
    public let message: MessageID

    public init(_ message: MessageID) {
        self.message = message
    }

    public init?(_ text: String) {
        guard let message = MessageID(text) else { return nil }
        self.message = message
    }

    public init(from decoder: any Decoder) throws {
        message = try MessageID(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
    }

    public var description: String { message.description }
}

/// How much an alarm asks of those who hear it, after IEC 60601-1-8.
public enum AlarmPriority: String, CaseIterable, Hashable, Codable, Sendable, Comparable {
    /// To be known: a note in the house and in the record.
    case low
    /// Prompt attention: the house and the person's carers are told, no ambulance.
    case medium
    /// A life may be at stake: help is called.
    case high

    private var rank: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .high: 2
        }
    }

    public static func < (left: AlarmPriority, right: AlarmPriority) -> Bool { left.rank < right.rank }
}

/// A rehearsal of the whole way to help (T10): the same path, marked as a drill at every hop.
public struct Drill: Hashable, Codable, Sendable {
    public let id: MessageID
    public let person: PersonID
    public let act: PersonAct
    public let arrival: Moment
    /// Help button that was pressed in a test; nil for a rehearsal of an emergency.
    public let button: DeviceID?

    public init(
        id: MessageID, person: PersonID, act: PersonAct, arrival: Moment, button: DeviceID? = nil
    ) {
        self.button = button
        self.id = id
        self.person = person
        self.act = act
        self.arrival = arrival
    }
}
