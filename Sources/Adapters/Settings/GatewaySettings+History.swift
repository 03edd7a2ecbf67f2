extension GatewaySettings {
    /// What is kept of the readings in the house itself.
    public struct History: Hashable, Sendable {
        public let isEnabled: Bool
        /// How long each reading is kept.
        public let raw: Duration
        /// How long roll-ups are kept; not less than `raw`.
        public let rollUps: Duration
        /// Absolute; read by the gateway, not with the settings: a key that is missing stops no alarm.
        public let keyFile: String?
        public let previousKeyFile: String?
    }
}
