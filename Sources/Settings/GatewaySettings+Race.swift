extension GatewaySettings {
    /// What the box needs to time runs.
    public struct Race: Hashable, Sendable {
        /// Absolute. It need not exist: then no run is written there.
        public let runsDirectory: String
    }
}
