/// What a subscribed characteristic sends, decoded.
public enum GATTMeasurement: Hashable, Sendable {
    case heartRate(HeartRateMeasurement)
    case bloodPressure(BloodPressureMeasurement)
    case intermediateCuffPressure(IntermediateCuffPressure)
    case enhancedBloodPressure(EnhancedBloodPressureMeasurement)
    case enhancedIntermediateCuffPressure(EnhancedIntermediateCuffPressure)
    case temperature(TemperatureMeasurement)
    case intermediateTemperature(IntermediateTemperature)
    case measurementInterval(MeasurementInterval)
    case plxSpotCheck(PLXSpotCheckMeasurement)
    case plxContinuous(PLXContinuousMeasurement)
    case glucose(GlucoseMeasurement)
    case glucoseContext(GlucoseMeasurementContext)
    case recordAccess(RecordAccessControlPoint.Response)
    case cgm(CGMMeasurement)
    case weight(WeightMeasurement)
    case bodyComposition(BodyCompositionMeasurement)
    case rsc(RSCMeasurement)
    case locationAndSpeed(LocationAndSpeed)
    case generalActivity(GeneralActivityInstantaneousData)
    case batteryLevel(BatteryLevel)
    case currentTime(CurrentTime)

    /// Bytes behind the last field are ignored: a later revision may have added them.
    /// Errors: `.unknown` for a characteristic without a decoder here, else those of its decoder.
    public static func decode(
        characteristic: BluetoothUUID, bytes: [UInt8]
    ) throws(DecodeError) -> GATTMeasurement {
        var reader = ByteReader(bytes)
        return switch characteristic {
        case .heartRateMeasurement: .heartRate(try .init(from: &reader))
        case .bloodPressureMeasurement: .bloodPressure(try .init(from: &reader))
        case .intermediateCuffPressure: .intermediateCuffPressure(try .init(from: &reader))
        case .enhancedBloodPressureMeasurement: .enhancedBloodPressure(try .init(from: &reader))
        case .enhancedIntermediateCuffPressure: .enhancedIntermediateCuffPressure(try .init(from: &reader))
        case .temperatureMeasurement: .temperature(try .init(from: &reader))
        case .intermediateTemperature: .intermediateTemperature(try .init(from: &reader))
        case .measurementInterval: .measurementInterval(try .init(from: &reader))
        case .plxSpotCheckMeasurement: .plxSpotCheck(try .init(from: &reader))
        case .plxContinuousMeasurement: .plxContinuous(try .init(from: &reader))
        case .glucoseMeasurement: .glucose(try .init(from: &reader))
        case .glucoseMeasurementContext: .glucoseContext(try .init(from: &reader))
        case .recordAccessControlPoint: .recordAccess(try .init(from: &reader))
        case .cgmMeasurement: .cgm(try .init(from: &reader))
        case .weightMeasurement: .weight(try .init(from: &reader))
        case .bodyCompositionMeasurement: .bodyComposition(try .init(from: &reader))
        case .rscMeasurement: .rsc(try .init(from: &reader))
        case .locationAndSpeed: .locationAndSpeed(try .init(from: &reader))
        case .generalActivityInstantaneousData: .generalActivity(try .init(from: &reader))
        case .batteryLevel: .batteryLevel(try .init(from: &reader))
        case .currentTime: .currentTime(try .init(from: &reader))
        default: throw .unknown(characteristic)
        }
    }
}
