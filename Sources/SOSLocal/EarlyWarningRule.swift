/// From which combined score on carers are warned, and with which tables it is counted.
public struct EarlyWarningRule: Hashable, Sendable {
    /// Points of NEWS2 at or above which it warns.
    public let limit: Int
    public let priority: AlarmPriority
    /// SpO2 scale 2 of NEWS2, for people with hypercapnic respiratory failure, by a doctor's word only.
    public let usesSecondScale: Bool
    public let isOnOxygen: Bool

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
