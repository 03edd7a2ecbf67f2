public import GatewayModel

extension GatewaySettings {
    /// When what can wait may be said aloud; over midnight where it ends before it begins.
    public struct WakingHours: Hashable, Sendable {
        public let begin: DayTime
        public let end: DayTime

        public init(begin: DayTime, end: DayTime) {
            self.begin = begin
            self.end = end
        }

        public func contains(_ time: DayTime) -> Bool {
            begin <= end ? begin <= time && time < end : begin <= time || time < end
        }
    }

    /// The ways to help, whoever is helped.
    public struct SOS: Hashable, Sendable {
        /// Between two tests of each channel.
        public let channelTests: Duration
        /// Nil where no drill is held by itself.
        public let drill: DrillPlan?
    }

    /// Drills that the house holds by itself.
    public struct DrillPlan: Hashable, Sendable {
        public let everyDays: Int
        public let at: DayTime

        public init(everyDays: Int, at: DayTime) {
            self.everyDays = everyDays
            self.at = at
        }
    }
}
