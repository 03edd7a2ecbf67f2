public import GatewayModel
public import WireFormats

/// A wearable of the settings with its person.
public struct Wearable: Hashable, Sendable {
    /// Something a wearable sends that is no measurement, and may be given a meaning.
    public enum Source: String, CaseIterable, Hashable, Sendable {
        /// The button of a cheap tag: 01 from characteristic 0xFFE1 of service 0xFFE0. The maker's word
        /// for "pressed", not a standard's; the same tags use it to be found by a phone.
        case tagButton = "tag-button"
    }

    /// How its data comes while all is well, and so the meaning of silence.
    public enum Rhythm: Hashable, Sendable {
        /// It sends unasked, never less often than this.
        case streams(limit: Duration)
        /// It speaks when it was used, then disconnects: silence and absence mean nothing.
        case sleeps
        /// It stays connected and speaks when it is used: of a tag that calls for help silence means nothing,
        /// and absence that nobody would hear it.
        case attends
    }

    public let id: DeviceID
    public let address: DeviceAddress
    public let person: PersonID
    /// Persons of its users, where several people share it; empty where the settings name none.
    public let users: [UInt8: PersonID]
    /// Meanings of its buttons; a button that is not here is not listened to.
    public let signals: [Source: ButtonMeaning]
    /// Nil: by the characteristics that are subscribed to.
    public let rhythm: Rhythm?
    /// Alert that it raises by itself when the link is lost, where it has Link Loss (0x1803); nil leaves it as
    /// it is.
    public let linkLossAlert: AlertLevel?
    /// Alert that the gateway sets during an alarm of its person, where it has Immediate Alert (0x1802).
    public let alarmAlert: AlertLevel

    public init(
        id: DeviceID, address: DeviceAddress, person: PersonID, users: [UInt8: PersonID] = [:],
        signals: [Source: ButtonMeaning] = [:],
        rhythm: Rhythm? = nil, linkLossAlert: AlertLevel? = nil, alarmAlert: AlertLevel
    ) {
        self.id = id
        self.address = address
        self.person = person
        self.users = users
        self.signals = signals
        self.rhythm = rhythm
        self.linkLossAlert = linkLossAlert
        self.alarmAlert = alarmAlert
    }
}

extension Wearable {
    /// Person of a measurement; nil for a user without a name in the settings. A value of such a user has no person.
    ///
    /// Absent is not unknown: a device without the field has one user, its wearer. Where the settings name no users, the
    /// wearer is its first one, which makers number 0 or 1, and also the unknown one of a device that fills the field with
    /// that alone: a missing setting silences no alarm of the wearer. A second user is somebody else.
    func person(of user: UserIndex?) -> PersonID? {
        switch user {
        case nil: person
        case .unknown: users.isEmpty ? person : nil
        case .user(let index): users.isEmpty ? (index <= 1 ? person : nil) : users[index]
        }
    }
}

extension Wearable.Rhythm {
    /// Rhythm by the characteristics that a device is subscribed to: it streams as often as the most frequent
    /// of them.
    public init(of characteristics: [BluetoothUUID]) {
        let roles = characteristics.compactMap { CharacteristicRole($0, service: nil) }
        let limits = roles.compactMap { role -> Duration? in
            if case .measurement(let limit) = role { limit } else { nil }
        }
        self = limits.min().map { .streams(limit: $0) } ?? (roles.contains(.button) ? .attends : .sleeps)
    }

    /// Rhythm by the known services of a device before its first connection. Nil where its services do not
    /// tell: an oximeter may stream or not, and a maker's own service may be anything.
    init?(ofServices services: [BluetoothUUID]) {
        let known = services.compactMap { uuid in Self.table.first { $0.service == uuid }?.characteristic }
        guard !known.isEmpty, !services.contains(BluetoothUUID(assigned: 0x1822)) else { return nil }
        self.init(of: known)
    }

    /// The measurement that each service is bound to have.
    private static let table: [(service: BluetoothUUID, characteristic: BluetoothUUID)] = [
        (BluetoothUUID(assigned: 0x180D), .heartRateMeasurement),
        (BluetoothUUID(assigned: 0x181F), .cgmMeasurement),
        (BluetoothUUID(assigned: 0x1808), .glucoseMeasurement),
        (BluetoothUUID(assigned: 0x1809), .temperatureMeasurement),
        (BluetoothUUID(assigned: 0x1810), .bloodPressureMeasurement),
        (BluetoothUUID(assigned: 0x1814), .rscMeasurement),
        (BluetoothUUID(assigned: 0x181B), .bodyCompositionMeasurement),
        (BluetoothUUID(assigned: 0x181D), .weightMeasurement),
    ]
}
