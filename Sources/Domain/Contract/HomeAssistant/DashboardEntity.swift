public import GatewayModel

/// One line of the home's dashboard: a kind of reading or a state of one person, or the state of the box.
public enum DashboardEntity: Hashable, Comparable, Sendable {
    case reading(PersonID, QuantityKind)
    /// Level of the battery of a wearable of the person.
    case battery(PersonID, DeviceID)
    case state(PersonID, State)
    /// Whether somebody has to act on a condition of the box.
    case box

    public enum State: String, CaseIterable, Sendable {
        /// Whether an alarm is open.
        case alarm
        /// Whether the supervision of the person is paused.
        case supervision
        /// Whether a question waits for the person's answer.
        case request
        /// State of the help: of an alarm, else whether help can be called.
        case help
    }

    /// Returns nil for RR intervals: several values a second are not useful on a dashboard.
    public init?(of reading: Reading) {
        guard reading.quantity.kind != .rrInterval else { return nil }
        self = .reading(reading.person, reading.quantity.kind)
    }

    /// Person of the consent; nil for the box.
    public var person: PersonID? {
        switch self {
        case .reading(let person, _), .battery(let person, _), .state(let person, _): person
        case .box: nil
        }
    }

    /// Time after its measurement at which a value is not shown any more; nil for one that is shown until the next one, as a
    /// single measurement or a state is.
    ///
    /// - Parameter sampling: of the value; nil for a state.
    public func expiry(_ sampling: Reading.Sampling?) -> Duration? {
        guard case .reading(_, let kind) = self, sampling == .stream else { return nil }
        // A glucose sensor sends each 1 to 5 minutes, other streams every few seconds. Some of them may be missed.
        return kind == .glucose ? .seconds(900) : .seconds(60)
    }

    /// Name in topics and IDs, unique among those of the person. No name of a person or of a device has an underscore.
    var name: String {
        switch self {
        case .reading(_, let kind): kind.rawValue
        case .battery(_, let device): "battery-\(device)"
        case .state(_, let state): state.rawValue
        case .box: "box"
        }
    }

    /// Component of Home Assistant that shows it.
    var component: String {
        switch self {
        case .reading, .battery, .state(_, .help): "sensor"
        case .state, .box: "binary_sensor"
        }
    }

    /// Nil for a name that this version does not know.
    init?(named name: String, of person: PersonID?) {
        guard let person else {
            guard name == Self.box.name else { return nil }
            self = .box
            return
        }
        if let kind = QuantityKind(rawValue: name) {
            self = .reading(person, kind)
        } else if let state = State(rawValue: name) {
            self = .state(person, state)
        } else if name.hasPrefix("battery-"), let device = DeviceID(String(name.dropFirst("battery-".count))) {
            self = .battery(person, device)
        } else {
            return nil
        }
    }

    /// Defines a fixed order for entities that are published together.
    public static func < (left: DashboardEntity, right: DashboardEntity) -> Bool {
        (left.person?.text ?? "", left.name) < (right.person?.text ?? "", right.name)
    }
}
