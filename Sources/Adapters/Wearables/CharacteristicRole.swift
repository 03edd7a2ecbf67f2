import GatewayModel
import WireFormats

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
    /// Where its wearer is: subscribed to while somebody has a right to know, and not before or after.
    case position
    /// How sure that is: read while it is subscribed to.
    case positionQuality
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

    /// What is sent when there is something to tell is no stream: nothing follows from its silence. Nil for
    /// what is no measurement.
    var sampling: Reading.Sampling? {
        if case .measurement(let limit) = self { limit == nil ? .spot : .stream } else { nil }
    }

    /// - Parameter service: tells the two uses of Alert Level and of the control point apart.
    init?(_ uuid: BluetoothUUID, service: BluetoothUUID?) {
        guard uuid != .alertLevel else {
            switch service {
            case BluetoothUUID(assigned: 0x1802): self = .immediateAlert
            case BluetoothUUID(assigned: 0x1803): self = .linkLoss
            default: return nil
            }
            return
        }
        // Oximeters, cuffs and glucose sensors have a control point too: what they store is not asked for.
        if uuid == .recordAccessControlPoint, service != BluetoothUUID(assigned: 0x1808) { return nil }
        guard let role = Self.table[uuid] else { return nil }
        self = role
    }

    /// Intermediate cuff pressure and temperature (2A36, 2A1E) are left out: they are for a display beside
    /// the patient, and no result.
    private static let table: [BluetoothUUID: CharacteristicRole] = {
        let rows: [(BluetoothUUID, CharacteristicRole)] = [
            // A strap sends once a second; five missed in a row is more than radio loss.
            (.heartRateMeasurement, .measurement(limit: .seconds(5))),
            // Oximeters send every second, some every two or three while they search for a pulse.
            (.plxContinuousMeasurement, .measurement(limit: .seconds(10))),
            // A glucose sensor sends each 1 to 5 minutes; three of the longest missed.
            (.cgmMeasurement, .measurement(limit: .seconds(900))),
            (.bloodPressureMeasurement, .measurement(limit: nil)),
            (.enhancedBloodPressureMeasurement, .measurement(limit: nil)),
            (.temperatureMeasurement, .measurement(limit: nil)),
            (.plxSpotCheckMeasurement, .measurement(limit: nil)),
            (.glucoseMeasurement, .measurement(limit: nil)),
            (.glucoseMeasurementContext, .measurement(limit: nil)),
            (.weightMeasurement, .measurement(limit: nil)),
            (.bodyCompositionMeasurement, .measurement(limit: nil)),
            // A foot pod rests when the foot does.
            (.rscMeasurement, .measurement(limit: nil)),
            (.recordAccessControlPoint, .recordControl), (BluetoothUUID(assigned: 0xFFE1), .button),
            (.locationAndSpeed, .position), (.positionQuality, .positionQuality),
            (.batteryLevel, .battery), (.currentTime, .clock),
            (.cgmFeature, .key), (.cgmSessionStartTime, .key),
            (.bodySensorLocation, .detail), (.bloodPressureFeature, .detail), (.glucoseFeature, .detail),
            (.plxFeatures, .detail), (BluetoothUUID(assigned: 0x2A9E), .detail),
            (.manufacturerNameString, .detail), (.modelNumberString, .detail), (.serialNumberString, .detail),
            (.firmwareRevisionString, .detail), (.hardwareRevisionString, .detail),
            (.softwareRevisionString, .detail),
        ]
        return Dictionary(uniqueKeysWithValues: rows)
    }()
}
