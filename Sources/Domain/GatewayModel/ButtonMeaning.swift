/// What a button of a wearable is for.
public enum ButtonMeaning: String, CaseIterable, Hashable, Sendable {
    case sosButton = "sos-button"
    case fall
    case shaking
    /// Its wearer is all right: what is open of them is cancelled.
    case cancel

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

/// A wearable's button that means "I am all right".
public struct WearableCancel: Hashable, Sendable {
    public let person: PersonID
    public let device: DeviceID
    /// When it reached the gateway.
    public let arrival: Moment

    public init(person: PersonID, device: DeviceID, arrival: Moment) {
        self.person = person
        self.device = device
        self.arrival = arrival
    }
}
