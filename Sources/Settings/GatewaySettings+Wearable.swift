public import GatewayModel

extension GatewaySettings {
    /// One device that a person wears or carries.
    public struct Wearable: Hashable, Sendable {
        public let id: DeviceID
        public let address: DeviceAddress
        public let person: PersonID
        /// Kinds of reading that are dropped as they arrive.
        public let off: Set<QuantityKind>
        /// Kinds for which this wearable is the person's source for the SOS rules. At most one wearable of
        /// a person claims a kind, and none that it has switched off.
        public let sosFor: Set<QuantityKind>
        public let signals: Signals
        /// Absolute path of the key of its encrypted adverts; nil where they are in the clear.
        public let keyFile: String?
        /// After so long without a word it counts as silent; nil for what suits its kind.
        public let silence: Duration?
        /// It speaks only when it is used; false for what suits its kind. Never beside `silence`.
        public var sleeps = false
        /// What it does by itself when its link is lost; nil leaves it as it is.
        public var linkLossAlert: AlertLevel?
        /// How it alerts its person to an alarm.
        public var alarmAlert = AlertLevel.high
        /// Where it is written.
        public let place: Place
    }

    /// How loud a wearable is to be.
    public enum AlertLevel: String, CaseIterable, Hashable, Sendable {
        case none, mild, high
    }

    /// What each event of a wearable means; nil where it means nothing.
    public struct Signals: Hashable, Sendable {
        public let button: WearableSignal.Kind?
        public let vibration: WearableSignal.Kind?
        public let motion: WearableSignal.Kind?
        public let moving: WearableSignal.Kind?

        /// An event that means nothing.
        public static let none = Signals(button: nil, vibration: nil, motion: nil, moving: nil)
    }

    /// A line of a settings file.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        public let file: String
        /// From 1.
        public let line: Int

        public var description: String { "\(file):\(line)" }
    }
}
