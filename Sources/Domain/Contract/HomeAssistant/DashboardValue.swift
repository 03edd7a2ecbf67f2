public import GatewayModel

/// Present value of an entity.
public enum DashboardValue: Hashable, Sendable {
    case reading(Reading)
    case fact(DashboardFact)

    /// Nil for a reading that no entity shows.
    public var entity: DashboardEntity? {
        switch self {
        case .reading(let reading): DashboardEntity(of: reading)
        case .fact(let fact): fact.entity
        }
    }

    /// Wearable that measured it; nil for a fact.
    public var device: DeviceID? {
        guard case .reading(let reading) = self else { return nil }
        return reading.device
    }
}

/// State of a person or of the box, or level of a battery.
public struct DashboardFact: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        /// Whether it is so: an alarm is open, supervision is paused, a question waits, a condition holds.
        case holds(Bool)
        case percent(Int)
        /// Word of a state.
        case word(String)
    }

    public let entity: DashboardEntity
    public let value: Value
    /// Codes of the conditions behind it, the gravest first; of the help, why it is not called.
    public let reasons: [String]
    /// Begin of an alarm.
    public let since: WallTime?
    /// Time at which help will be called, was called or was taken, or the alarm ended.
    public let at: WallTime?
    /// The state as the house says it, for people.
    public let sentence: String?
    public let isDrill: Bool

    public init(
        _ entity: DashboardEntity, _ value: Value, reasons: [String] = [], since: WallTime? = nil,
        at: WallTime? = nil, sentence: String? = nil, isDrill: Bool = false
    ) {
        (self.entity, self.value, self.reasons) = (entity, value, reasons)
        (self.since, self.at, self.sentence, self.isDrill) = (since, at, sentence, isDrill)
    }
}
