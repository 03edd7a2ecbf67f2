extension GatewaySettings {
    /// What the box needs to time runs.
    public struct Race: Hashable, Sendable {
        /// Absolute. It need not exist: then no run is written there.
        public let runsDirectory: String
        /// `hci0`, or addresses in upper case: those that hear adverts. Empty where one is enough.
        public let adapters: [String]
        /// With a run underway and no tag heard for so long somebody should look.
        public let silence: Duration
        /// A signed command may say who carries this box.
        public let carriedByCommand: Bool
    }

    /// The controllers that listen to adverts, one at least; nil for any.
    public var listeners: [String?] {
        race.adapters.isEmpty ? [bluetooth.tracksideAdapter ?? bluetooth.adapter] : race.adapters
    }
}
