public import WireFormats

/// What the radio does with a characteristic. One table, read by subscriptions, errands and supervision.
enum CharacteristicRole: Hashable, Sendable {
    /// Subscribed to; its values become readings.
    /// - limit: longest silence of one that streams; nil for what is sent when there is something to tell.
    case measurement(limit: Duration?)
    /// Subscribed to where the settings give the button a meaning.
    case button
    /// Record Access Control Point: subscribed to, and asked for stored records.
    case recordControl
    case battery
    case clock
    /// Needed to understand the measurements: read before records are asked for.
    case key
    /// Read once a connection, last.
    case detail
    case immediateAlert
    case linkLoss

    var isMeasurement: Bool {
        if case .measurement = self { true } else { false }
    }

    /// - Parameter service: tells the two uses of Alert Level and of the control point apart.
    init?(_ uuid: BluetoothUUID, service: BluetoothUUID?) {
        guard uuid != Self.alertLevel else {
            switch service {
            case BluetoothUUID(assigned: 0x1802): self = .immediateAlert
            case BluetoothUUID(assigned: 0x1803): self = .linkLoss
            default: return nil
            }
            return
        }
        // Pulse oximeters and cuffs have a control point too; what they store they send by themselves.
        if uuid == Self.controlPoint, !Self.recordServices.contains(where: { $0 == service }) { return nil }
        guard let role = Self.table[uuid] else { return nil }
        self = role
    }

    private static let alertLevel = BluetoothUUID(assigned: 0x2A06)
    static let controlPoint = BluetoothUUID(assigned: 0x2A52)
    private static let recordServices = [BluetoothUUID(assigned: 0x1808), BluetoothUUID(assigned: 0x181F)]

    /// Intermediate cuff pressure and temperature (2A36, 2A1E) are left out: they are for a display beside
    /// the patient, and no result.
    private static let table: [BluetoothUUID: CharacteristicRole] = {
        let rows: [(UInt16, CharacteristicRole)] = [
            // A strap sends once a second; five missed in a row is more than radio loss.
            (0x2A37, .measurement(limit: .seconds(5))),
            // Oximeters send every second, some every two or three while they search for a pulse.
            (0x2A5F, .measurement(limit: .seconds(10))),
            // A glucose sensor sends each 1 to 5 minutes; three of the longest missed.
            (0x2AA7, .measurement(limit: .seconds(900))),
            (0x2A35, .measurement(limit: nil)), (0x2B34, .measurement(limit: nil)),
            (0x2A1C, .measurement(limit: nil)), (0x2A5E, .measurement(limit: nil)),
            (0x2A18, .measurement(limit: nil)), (0x2A34, .measurement(limit: nil)),
            (0x2A9D, .measurement(limit: nil)), (0x2A9C, .measurement(limit: nil)),
            // A foot pod rests when the foot does.
            (0x2A53, .measurement(limit: nil)),
            (0x2A52, .recordControl), (0xFFE1, .button), (0x2A19, .battery), (0x2A2B, .clock),
            (0x2AA8, .key), (0x2AAA, .key),
            (0x2A38, .detail), (0x2A49, .detail), (0x2A51, .detail), (0x2A60, .detail), (0x2A9E, .detail),
            (0x2A29, .detail), (0x2A24, .detail), (0x2A25, .detail), (0x2A26, .detail), (0x2A27, .detail),
            (0x2A28, .detail),
        ]
        return Dictionary(uniqueKeysWithValues: rows.map { (BluetoothUUID(assigned: $0), $1) })
    }()
}

extension Wearable.Rhythm {
    /// What follows from the characteristics that a device is subscribed to: it streams as often as the
    /// most frequent of them.
    public init(of characteristics: [BluetoothUUID]) {
        let limits = characteristics.compactMap { uuid -> Duration? in
            if case .measurement(let limit)? = CharacteristicRole(uuid, service: nil) { limit } else { nil }
        }
        self = limits.min().map { .streams(limit: $0) } ?? .sleeps
    }
}
