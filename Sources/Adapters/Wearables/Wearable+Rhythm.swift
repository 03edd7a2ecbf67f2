public import WireFormats

extension Wearable.Rhythm {
    /// What follows from the characteristics that a device is subscribed to: it streams as often as the
    /// most frequent of them.
    public init(of characteristics: [BluetoothUUID]) {
        let roles = characteristics.compactMap { CharacteristicRole($0, service: nil) }
        let limits = roles.compactMap { role -> Duration? in
            if case .measurement(let limit) = role { limit } else { nil }
        }
        self = limits.min().map { .streams(limit: $0) } ?? (roles.contains(.button) ? .attends : .sleeps)
    }

    /// What a device is known for before it was ever connected. Nil where its services do not tell: an
    /// oximeter may stream or not, and a maker's own service may be anything.
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
