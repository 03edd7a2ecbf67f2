public import GatewayModel

/// How the box is at one moment. Says of no person more than how lately their wearables were heard.
public struct Heartbeat: Hashable, Sendable {
    /// Since the gateway was started.
    public let uptime: Duration
    public let conditions: [HealthCondition]
    public let openAlarms: Int
    public let unsent: Int
    /// Of persons who accepted the data policy, and no others.
    public let wearables: [Wearable]
    /// Nil where the box does not show it.
    public let power: Power?

    public struct Wearable: Hashable, Sendable {
        public let device: DeviceID
        public let person: PersonID
        /// Nil where nothing was heard of it yet.
        public let lastReadingAge: Duration?

        public init(device: DeviceID, person: PersonID, lastReadingAge: Duration?) {
            self.device = device
            self.person = person
            self.lastReadingAge = lastReadingAge
        }
    }

    /// Each nil where the box does not show it.
    public struct Power: Hashable, Sendable {
        public let hasMains: Bool?
        public let batteryPercent: Int?

        public init(hasMains: Bool?, batteryPercent: Int?) {
            self.hasMains = hasMains
            self.batteryPercent = batteryPercent
        }
    }

    public init(
        uptime: Duration, conditions: [HealthCondition], openAlarms: Int, unsent: Int, wearables: [Wearable],
        power: Power?
    ) {
        self.uptime = uptime
        self.conditions = conditions
        self.openAlarms = openAlarms
        self.unsent = unsent
        self.wearables = wearables
        self.power = power
    }
}
