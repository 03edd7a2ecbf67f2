public import GatewayModel

extension GatewaySettings {
    /// How a wearable is heard: exactly one of the two.
    public enum Hearing: String, CaseIterable, Hashable, Sendable {
        /// bluetoothd connects to it, and it notifies.
        case connection
        /// Its adverts say all it has to say; nothing ever connects to it.
        case advertising
    }

    /// One device that a person wears or carries.
    public struct Wearable: Hashable, Sendable {
        public let id: DeviceID
        public let address: DeviceAddress
        public let person: PersonID
        public let heardBy: Hearing
        /// Kinds of reading that are dropped as they arrive. None of one that is heard by advertising, which
        /// gives no readings; nor does that one claim any.
        public let off: Set<QuantityKind>
        /// Kinds for which this wearable is the person's source for the SOS rules. At most one wearable of
        /// a person claims a kind, and none that it has switched off.
        public let sosFor: Set<QuantityKind>
        public let signals: Signals
        /// Absolute path of the key of its encrypted adverts; nil where they are in the clear, and of one that
        /// is connected to.
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
        /// Any press that has no meaning of its own below.
        public let button: ButtonMeaning?
        public let doublePress: ButtonMeaning?
        /// A long press, or a hold.
        public let longPress: ButtonMeaning?
        public let vibration: WearableSignal.Kind?
        public let motion: WearableSignal.Kind?
        public let moving: WearableSignal.Kind?

        public init(
            button: ButtonMeaning?, doublePress: ButtonMeaning? = nil, longPress: ButtonMeaning? = nil,
            vibration: WearableSignal.Kind?, motion: WearableSignal.Kind?, moving: WearableSignal.Kind?
        ) {
            self.button = button
            self.doublePress = doublePress
            self.longPress = longPress
            self.vibration = vibration
            self.motion = motion
            self.moving = moving
        }

        /// Those that mean something, by the names of their keys, in the order of the reference.
        public var meanings: [(event: String, means: ButtonMeaning)] {
            [
                ("button", button), ("double_press", doublePress), ("long_press", longPress),
                ("vibration", vibration.map(ButtonMeaning.init)), ("motion", motion.map(ButtonMeaning.init)),
                ("moving", moving.map(ButtonMeaning.init)),
            ].compactMap { event, meaning in meaning.map { (event, $0) } }
        }

        /// The events by which its wearer says that they are all right.
        public var cancels: [String] { meanings.filter { $0.means == .cancel }.map(\.event) }

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
