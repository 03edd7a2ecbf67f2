public import GatewayModel
import WireFormats

/// A wearable that the settings name, and whose body it watches.
public struct Wearable: Hashable, Sendable {
    /// Something a wearable sends that is no measurement, and may be given a meaning.
    public enum Source: String, CaseIterable, Hashable, Sendable {
        /// The button of a cheap tag: 01 from characteristic 0xFFE1 of service 0xFFE0. The maker's word
        /// for "pressed", not a standard's; the same tags use it to be found by a phone.
        case tagButton = "tag-button"
    }

    /// How its data comes while all is well, and so what silence means.
    public enum Rhythm: Hashable, Sendable {
        /// It sends unasked, never less often than this.
        case streams(limit: Duration)
        /// It speaks when it was used, then disconnects: silence and absence mean nothing.
        case sleeps
        /// It stays connected and speaks when it is used: of a tag that calls for help silence means nothing,
        /// and absence that nobody would hear it.
        case attends
    }

    /// How loud it is to be (Alert Level, 0x2A06).
    public enum AlertLevel: String, CaseIterable, Hashable, Sendable {
        case none, mild, high

        /// As it is written.
        var bytes: [UInt8] {
            switch self {
            case .none: WireFormats.AlertLevel.none.bytes
            case .mild: WireFormats.AlertLevel.mild.bytes
            case .high: WireFormats.AlertLevel.high.bytes
            }
        }
    }

    public let id: DeviceID
    public let address: DeviceAddress
    public let person: PersonID
    /// What its buttons mean; one that is not here is not listened to.
    public let signals: [Source: ButtonMeaning]
    /// Nil: as follows from what it is subscribed to.
    public let rhythm: Rhythm?
    /// What it is to do by itself when the link is lost, where it has Link Loss (0x1803); nil leaves it
    /// as it is.
    public let linkLossAlert: AlertLevel?
    /// How it is to alert its person to an alarm, where it has Immediate Alert (0x1802).
    public let alarmAlert: AlertLevel

    public init(
        id: DeviceID, address: DeviceAddress, person: PersonID, signals: [Source: ButtonMeaning] = [:],
        rhythm: Rhythm? = nil, linkLossAlert: AlertLevel? = nil,
        alarmAlert: AlertLevel = .high
    ) {
        self.id = id
        self.address = address
        self.person = person
        self.signals = signals
        self.rhythm = rhythm
        self.linkLossAlert = linkLossAlert
        self.alarmAlert = alarmAlert
    }
}
