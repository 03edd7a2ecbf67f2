/// When a sensor that was worn and has fallen silent becomes an alarm, besides being a condition.
public struct SilenceRule: Hashable, Sendable {
    public let limit: Duration
    public let priority: AlarmPriority

    /// - Parameter limit: 10 minutes where nothing else is said: a shower, a walk to the letter box.
    public init(limit: Duration = .seconds(600), priority: AlarmPriority = .low) {
        self.limit = limit
        self.priority = priority
    }
}
