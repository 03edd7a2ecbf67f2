public import GatewayModel

extension GatewaySettings {
    /// The home's own dashboard.
    public struct HomeAssistant: Hashable, Sendable {
        /// False: what was shown there is taken back, and nothing is shown.
        public let isEnabled: Bool
        public let broker: Broker
        public let prefix: Prefix

        /// The first level of Home Assistant's discovery topics.
        public struct Prefix: Name {
            public let text: String
            public init(_ name: CheckedName) { text = name.text }
        }
    }
}
