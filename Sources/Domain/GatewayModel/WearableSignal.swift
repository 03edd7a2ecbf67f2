/// Something a wearable says that is no measurement but may be a call for help.
public struct WearableSignal: Hashable, Codable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Codable, Sendable {
        /// The person pressed the button that means help.
        case sosButton = "sos-button"
        /// The wearable believes that the person fell.
        case fall
        /// Repeated shaking, as in a seizure.
        case shaking
    }

    public let id: MessageID
    public let person: PersonID
    public let device: DeviceID
    public let kind: Kind
    /// When it reached the gateway.
    public let arrival: Moment
    /// Name of the person who asked for help on a page; nil for a signal of a wearable or of the box.
    public var by: String?

    public init(
        id: MessageID, person: PersonID, device: DeviceID, kind: Kind, arrival: Moment, by: String? = nil
    ) {
        self.by = by
        self.id = id
        self.person = person
        self.device = device
        self.kind = kind
        self.arrival = arrival
    }
}

/// Meaning of a button of a wearable.
public enum ButtonMeaning: String, CaseIterable, Hashable, Sendable {
    case sosButton = "sos-button"
    case fall
    case shaking
    /// Its wearer is all right: the wearer's open alarms are cancelled.
    case cancel
    /// Its wearer is about to move: the limits of exercise hold for a while.
    case exercise

    /// Nil where it is no call for help.
    public var signal: WearableSignal.Kind? { WearableSignal.Kind(rawValue: rawValue) }

    public init(_ signal: WearableSignal.Kind) {
        self =
            switch signal {
            case .sosButton: .sosButton
            case .fall: .fall
            case .shaking: .shaking
            }
    }
}

/// Event of a wearable that the settings may give a meaning. The names are those of the settings.
public enum SignalEvent: String, CaseIterable, Hashable, Sendable {
    /// Any press that has no meaning of its own.
    case button
    case doublePress = "double_press"
    /// A long press, or a hold.
    case longPress = "long_press"
    case vibration, motion, moving

    public var isPress: Bool {
        switch self {
        case .button, .doublePress, .longPress: true
        case .vibration, .motion, .moving: false
        }
    }

    /// Meanings that the settings take. Only a button can mean anything but a call for help.
    public var meanings: [ButtonMeaning] { ButtonMeaning.allCases.filter { isPress || $0.signal != nil } }
}

/// Press of a wearable's button that is no call for help.
public struct WearablePress: Hashable, Sendable {
    public let person: PersonID
    public let device: DeviceID
    /// A meaning without a signal.
    public let means: ButtonMeaning
    /// When it reached the gateway.
    public let arrival: Moment

    public init(person: PersonID, device: DeviceID, means: ButtonMeaning, arrival: Moment) {
        self.person = person
        self.device = device
        self.means = means
        self.arrival = arrival
    }
}

/// How loud a wearable alerts its person (Bluetooth Alert Level, 0x2A06).
public enum AlertLevel: String, CaseIterable, Hashable, Sendable {
    case none, mild, high
}
