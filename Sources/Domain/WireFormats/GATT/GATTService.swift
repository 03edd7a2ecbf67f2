public import GatewayModel

/// A service that the gateway uses: the one table of services, characteristics, decoders, quantity kinds and roles
/// (Bluetooth Assigned Numbers, 3.4.2 and, for members, 3.5; the tables "Characteristics" of the service
/// specifications).
public enum GATTService: UInt16, CaseIterable, Hashable, Sendable {
    case immediateAlert = 0x1802
    case linkLoss = 0x1803
    case currentTime = 0x1805
    case glucose = 0x1808
    case healthThermometer = 0x1809
    case deviceInformation = 0x180A
    case heartRate = 0x180D
    case battery = 0x180F
    case bloodPressure = 0x1810
    case runningSpeedAndCadence = 0x1814
    case locationAndNavigation = 0x1819
    case bodyComposition = 0x181B
    case weightScale = 0x181D
    case continuousGlucose = 0x181F
    case pulseOximeter = 0x1822
    /// The service of cheap tags, without a standard.
    case tag = 0xFFE0
    /// Adverts alone, without a connection (bthome.io, version 2).
    case bthome = 0xFCD2

    private struct Row: Sendable {
        /// For people.
        let title: String
        /// The kinds it measures; a device may leave some out.
        let kinds: [QuantityKind]
        /// It tells a person something about the device; others, as a device's clock, are on nearly all.
        let isTelling: Bool
        let characteristics: [Characteristic]

        init(
            _ title: String, _ kinds: [QuantityKind] = [], isTelling: Bool = true,
            characteristics: [Characteristic] = []
        ) {
            self.title = title
            self.kinds = kinds
            self.isTelling = isTelling
            self.characteristics = characteristics
        }
    }

    /// A characteristic with its role and, for a measurement, its decoder.
    struct Characteristic: Sendable {
        typealias Decoder = @Sendable (inout ByteReader) throws(DecodeError) -> GATTMeasurement

        let uuid: BluetoothUUID
        let role: CharacteristicRole
        let decode: Decoder?

        init(_ uuid: BluetoothUUID, _ role: CharacteristicRole, _ decode: Decoder? = nil) {
            self.uuid = uuid
            self.role = role
            self.decode = decode
        }
    }

    /// Clock of a device that has it in its measuring service, beside no Current Time Service: the cuffs, scales and
    /// thermometers of A&D (UA-651BLE and UC-352BLE, by the clients that are published for them).
    private static let ownClock = Characteristic(.dateTime, .clock)

    /// Left out are characteristics that nothing here decodes or writes. Intermediate cuff pressure (0x2A36) and
    /// intermediate temperature (0x2A1E) are for a display beside the patient and are no result.
    private var row: Row {
        switch self {
        case .immediateAlert: Row("buzzer", characteristics: [Characteristic(.alertLevel, .immediateAlert)])
        case .linkLoss:
            Row("link loss", isTelling: false, characteristics: [Characteristic(.alertLevel, .linkLoss)])
        case .currentTime:
            Row("clock", isTelling: false, characteristics: [Characteristic(.currentTime, .clock)])
        case .glucose:
            Row(
                "glucose", [.glucose],
                characteristics: [
                    Characteristic(.glucoseMeasurement, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .glucose(try .init(from: &reader))
                    },
                    Characteristic(.glucoseMeasurementContext, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .glucoseContext(try .init(from: &reader))
                    },
                    Characteristic(.recordAccessControlPoint, .recordControl),
                ])
        case .healthThermometer:
            Row(
                "thermometer", [.bodyTemperature],
                characteristics: [
                    Characteristic(.temperatureMeasurement, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .temperature(try .init(from: &reader))
                    },
                    Self.ownClock,
                ])
        case .deviceInformation:
            Row(
                "device information", isTelling: false,
                characteristics: [
                    .manufacturerNameString, .modelNumberString, .serialNumberString,
                    .firmwareRevisionString, .hardwareRevisionString, .softwareRevisionString,
                ].map { Characteristic($0, .detail) })
        case .heartRate:
            Row(
                "heart rate", [.heartRate, .rrInterval, .energyExpended],
                characteristics: [
                    // A strap sends once a second; five missed in a row is more than radio loss.
                    Characteristic(.heartRateMeasurement, .measurement(limit: .seconds(5))) {
                        reader throws(DecodeError) in .heartRate(try .init(from: &reader))
                    },
                    Characteristic(.bodySensorLocation, .detail),
                ])
        case .battery: Row("battery", characteristics: [Characteristic(.batteryLevel, .battery)])
        case .bloodPressure:
            Row(
                "blood pressure",
                [.systolicPressure, .diastolicPressure, .meanArterialPressure, .heartRate],
                characteristics: [
                    Characteristic(.bloodPressureMeasurement, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .bloodPressure(try .init(from: &reader))
                    },
                    Characteristic(.enhancedBloodPressureMeasurement, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .enhancedBloodPressure(try .init(from: &reader))
                    },
                    Self.ownClock,
                ])
        case .runningSpeedAndCadence:
            Row(
                "running", [.runningSpeed, .runningCadence],
                characteristics: [
                    // A foot pod rests when the foot does.
                    Characteristic(.rscMeasurement, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .rsc(try .init(from: &reader))
                    }
                ])
        case .locationAndNavigation:
            Row(
                "position", isTelling: false,
                characteristics: [
                    Characteristic(.locationAndSpeed, .position),
                    Characteristic(.positionQuality, .positionQuality),
                ])
        case .bodyComposition:
            Row(
                "body composition", [.bodyFat, .bodyWeight],
                characteristics: [
                    Characteristic(.bodyCompositionMeasurement, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .bodyComposition(try .init(from: &reader))
                    }
                ])
        case .weightScale:
            Row(
                "scale", [.bodyWeight],
                characteristics: [
                    Characteristic(.weightMeasurement, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .weight(try .init(from: &reader))
                    },
                    Self.ownClock,
                ])
        case .continuousGlucose:
            Row(
                "glucose sensor", [.glucose],
                characteristics: [
                    // A glucose sensor sends each 1 to 5 minutes; three of the longest missed. The feature tells
                    // whether a record ends in a check sum.
                    Characteristic(.cgmMeasurement, .measurement(limit: .seconds(900))) {
                        reader throws(DecodeError) in .cgm(try .init(from: &reader))
                    },
                    Characteristic(.cgmFeature, .key), Characteristic(.cgmSessionStartTime, .key),
                ])
        case .pulseOximeter:
            Row(
                "pulse oximeter", [.oxygenSaturation, .heartRate],
                characteristics: [
                    // Oximeters send every second, some every two or three while they search for a pulse.
                    Characteristic(.plxContinuousMeasurement, .measurement(limit: .seconds(10))) {
                        reader throws(DecodeError) in .plxContinuous(try .init(from: &reader))
                    },
                    Characteristic(.plxSpotCheckMeasurement, .measurement(limit: nil)) {
                        reader throws(DecodeError) in .plxSpotCheck(try .init(from: &reader))
                    },
                ])
        case .tag: Row("tag", isTelling: false, characteristics: [Characteristic(.tagButton, .button)])
        case .bthome: Row("tag or button (BTHome)")
        }
    }

    public var uuid: BluetoothUUID { BluetoothUUID(assigned: rawValue) }

    /// For people.
    public var title: String { row.title }

    /// The kinds it measures; a device may leave some out.
    public var kinds: [QuantityKind] { row.kinds }

    var characteristics: [Characteristic] { row.characteristics }

    /// The services of the table among UUIDs as BlueZ writes them, each once in the order of the table.
    public static func known(among uuids: some Sequence<String>) -> [GATTService] {
        let shown = Set(uuids.compactMap { BluetoothUUID($0) })
        return allCases.filter { shown.contains($0.uuid) }
    }

    /// Whether a person learns something about the device from it; a clock, for example, is on nearly every device.
    public var isTelling: Bool { row.isTelling }

    /// Whether the gateway gets readings, presses or positions from it, or can make the device buzz.
    public var isOfUse: Bool {
        row.characteristics.contains { characteristic in
            switch characteristic.role {
            case .measurement, .button, .position, .immediateAlert: true
            default: false
            }
        }
    }

    /// Whether it can send its kinds as a stream. A device may have single measurements only.
    public var canStream: Bool { row.characteristics.contains { $0.role.sampling == .stream } }

    /// The kinds that these characteristics measure.
    /// - Parameter sampling: nil for every measurement.
    public static func kinds(
        of characteristics: some Sequence<BluetoothUUID>, by sampling: Reading.Sampling? = nil
    ) -> Set<QuantityKind> {
        let shown = Set(characteristics)
        let measuring = allCases.filter { service in
            service.characteristics.contains { characteristic in
                guard shown.contains(characteristic.uuid), let own = characteristic.role.sampling else {
                    return false
                }
                return own == (sampling ?? own)
            }
        }
        return Set(measuring.flatMap(\.kinds))
    }
}

/// The use that the radio makes of a characteristic.
public enum CharacteristicRole: Hashable, Sendable {
    /// Subscribed to; its values become readings.
    /// - limit: longest silence of a stream; nil for a characteristic that sends only on an event.
    case measurement(limit: Duration?)
    /// Subscribed to where the settings give the button a meaning.
    case button
    /// Record Access Control Point: subscribed to, and asked for stored records.
    case recordControl
    case battery
    /// Position of the wearer: subscribed to while somebody has a right to know it, and not before or after.
    case position
    /// Accuracy of the position: read while the position is subscribed to.
    case positionQuality
    case clock
    /// Needed to understand the measurements: read before records are asked for.
    case key
    /// Read once a connection, last.
    case detail
    case immediateAlert
    case linkLoss

    /// - Parameter service: tells the two uses of Alert Level and of the control point apart. Other characteristics
    ///   count in any service.
    public init?(_ uuid: BluetoothUUID, service: BluetoothUUID?) {
        guard let row = Self.table[uuid]?.first(where: { !Self.shared.contains(uuid) || $0.service == service })
        else { return nil }
        self = row.role
    }

    /// Characteristics that several services define. Oximeters, cuffs and glucose sensors have a control point too:
    /// their stored records are not asked for.
    private static let shared: Set<BluetoothUUID> = [.alertLevel, .recordAccessControlPoint]

    private static let table: [BluetoothUUID: [(service: BluetoothUUID, role: CharacteristicRole)]] = {
        let rows = GATTService.allCases.flatMap { service in
            service.characteristics.map { (uuid: $0.uuid, service: service.uuid, role: $0.role) }
        }
        return Dictionary(grouping: rows, by: \.uuid).mapValues { $0.map { ($0.service, $0.role) } }
    }()

    public var isMeasurement: Bool {
        if case .measurement = self { true } else { false }
    }

    /// A characteristic that sends on an event is no stream: nothing follows from its silence. Nil for a
    /// characteristic that is no measurement.
    public var sampling: Reading.Sampling? {
        if case .measurement(let limit) = self { limit == nil ? .spot : .stream } else { nil }
    }
}

/// A decoded value of a measurement characteristic.
public enum GATTMeasurement: Hashable, Sendable {
    case heartRate(HeartRateMeasurement)
    case bloodPressure(BloodPressureMeasurement)
    case enhancedBloodPressure(EnhancedBloodPressureMeasurement)
    case temperature(TemperatureMeasurement)
    case plxSpotCheck(PLXSpotCheckMeasurement)
    case plxContinuous(PLXContinuousMeasurement)
    case glucose(GlucoseMeasurement)
    case glucoseContext(GlucoseMeasurementContext)
    case cgm(CGMMeasurement)
    case weight(WeightMeasurement)
    case bodyComposition(BodyCompositionMeasurement)
    case rsc(RSCMeasurement)

    /// Bytes behind the last field are ignored: a later revision may have added them.
    /// Errors: `.unknown` for a characteristic without a decoder here, else those of its decoder.
    public static func decode(
        characteristic: BluetoothUUID, bytes: [UInt8]
    ) throws(DecodeError) -> GATTMeasurement {
        guard let decode = decoders[characteristic] else { throw .unknown(characteristic) }
        var reader = ByteReader(bytes)
        return try decode(&reader)
    }

    private static let decoders = Dictionary(
        uniqueKeysWithValues: GATTService.allCases.flatMap(\.characteristics).compactMap { row in
            row.decode.map { (row.uuid, $0) }
        })
}
