/// From which combined score on carers are warned, and with which tables it is counted. One parameter that
/// scores 3 by itself warns as well, as NEWS2 has it.
public struct EarlyWarningRule: Hashable, Sendable {
    /// Points of NEWS2 at or above which it warns.
    public let limit: Int
    public let priority: AlarmPriority
    /// SpO2 scale 2 of NEWS2, for people with hypercapnic respiratory failure, by a doctor's word only.
    public let usesSecondScale: Bool
    public let isOnOxygen: Bool

    /// How long the score has to hold. A minute, as NEWS2 counts a pulse; where help is to be called, what
    /// the promise (T2) has room for.
    public var confirmation: Duration { priority == .high ? .seconds(2) : .seconds(60) }

    public init(
        limit: Int = 5, priority: AlarmPriority = .medium, usesSecondScale: Bool = false,
        isOnOxygen: Bool = false
    ) {
        self.limit = limit
        self.priority = priority
        self.usesSecondScale = usesSecondScale
        self.isOnOxygen = isOnOxygen
    }
}
