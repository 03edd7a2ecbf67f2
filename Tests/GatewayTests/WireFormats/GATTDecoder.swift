import GatewayModel
import WireFormats

/// One decoder as the tests and the fuzzer drive it. Its name is that of its type, and of its corpus.
struct GATTDecoder: Sendable, CustomStringConvertible {
    let name: String
    /// Takes any length: a prefix of a whole value is a whole value too.
    let takesAll: Bool
    private let run: @Sendable ([UInt8]) throws(DecodeError) -> AnyHashable

    var description: String { name }

    /// - Parameter check: derives all that the value can derive; traps where a law of the type is broken.
    init<Value: Hashable & Sendable>(
        _ name: String, takesAll: Bool = false,
        _ decode: @escaping @Sendable (inout ByteReader) throws(DecodeError) -> Value,
        check: @escaping @Sendable (Value) -> Void = { _ in }
    ) {
        self.name = name
        self.takesAll = takesAll
        run = { bytes throws(DecodeError) in
            var reader = ByteReader(bytes)
            let value = try decode(&reader)
            check(value)
            return AnyHashable(value)
        }
    }

    func decode(_ bytes: [UInt8]) throws(DecodeError) -> AnyHashable { try run(bytes) }

    static let all = [
        GATTDecoder("AlertLevel", AlertLevel.decode(from:)),
        GATTDecoder("BatteryLevel", BatteryLevel.init(from:)),
        GATTDecoder("BloodPressureFeature", BloodPressureFeature.init(from:)),
        GATTDecoder("BloodPressureMeasurement", BloodPressureMeasurement.init(from:)) {
            derive(
                $0.systolicMillimetresOfMercury, $0.diastolicMillimetresOfMercury, $0.meanMillimetresOfMercury)
            derive($0.status?.pulseRange, $0.systolic.description, $0.isFailed)
            obey($0.timeStamp)
        },
        GATTDecoder("BodyCompositionMeasurement", BodyCompositionMeasurement.init(from:)) {
            derive($0.bodyFatPercent, $0.musclePercent, $0.impedanceOhms, $0.kilograms, $0.metres)
        },
        GATTDecoder("BodySensorLocation", BodySensorLocation.decode(from:)),
        GATTDecoder("CGMFeature", CGMFeature.init(from:)),
        GATTDecoder(
            "CGMMeasurement", { reader throws(DecodeError) in try CGMMeasurement(from: &reader) },
            check: { precondition(!$0.records.isEmpty) }),
        GATTDecoder("CGMSessionRunTime", CGMSessionRunTime.init(from:)),
        GATTDecoder(
            "CGMSessionStartTime",
            { reader throws(DecodeError) in try CGMSessionStartTime(from: &reader, hasCRC: false) },
            check: { derive($0.secondsSince1970) }),
        GATTDecoder("CurrentTime", CurrentTime.init(from:)) {
            var again = ByteReader($0.bytes)
            precondition((try? CurrentTime(from: &again)) == $0)
            obey($0.exactTime.dayDateTime.dateTime)
        },
        GATTDecoder("DateTime", DateTime.init(from:), check: obey),
        GATTDecoder(
            "DeviceInformationString", takesAll: true,
            { reader throws(DecodeError) in try DeviceInformationString(from: &reader) },
            check: { precondition($0.text.unicodeScalars.allSatisfy { $0.value >= 0x20 }) }),
        GATTDecoder("EnhancedBloodPressureMeasurement", EnhancedBloodPressureMeasurement.init(from:)) {
            derive(
                $0.systolicMillimetresOfMercury, $0.diastolicMillimetresOfMercury, $0.meanMillimetresOfMercury)
        },
        GATTDecoder("EnhancedIntermediateCuffPressure", EnhancedIntermediateCuffPressure.init(from:)) {
            derive($0.millimetresOfMercury)
        },
        GATTDecoder(
            "GeneralActivityInstantaneousData", takesAll: true, GeneralActivityInstantaneousData.init(from:)),
        GATTDecoder("GlucoseFeature", GlucoseFeature.init(from:)),
        GATTDecoder("GlucoseMeasurement", GlucoseMeasurement.init(from:)) {
            derive($0.concentration?.milligramsPerDecilitre, $0.concentration?.millimolesPerLitre)
            derive($0.secondsSince1970AsUTC, $0.sample?.isControlSolution)
        },
        GATTDecoder("GlucoseMeasurementContext", GlucoseMeasurementContext.init(from:)) {
            derive($0.carbohydrate?.grams, $0.medication?.inThousandths)
        },
        GATTDecoder("HeartRateMeasurement", takesAll: true, HeartRateMeasurement.init(from:)),
        GATTDecoder("IntermediateCuffPressure", IntermediateCuffPressure.init(from:)) {
            derive($0.millimetresOfMercury)
        },
        GATTDecoder("LocalTimeInformation", LocalTimeInformation.init(from:)) { derive($0.minutesEastOfUTC) },
        GATTDecoder("LocationAndSpeed", LocationAndSpeed.init(from:)) {
            precondition(abs($0.location?.latitudeDegrees ?? 0) <= 90)
            precondition(abs($0.location?.longitudeDegrees ?? 0) <= 180)
            derive($0.metresPerSecond, $0.totalMetres, $0.elevationMetres, $0.headingDegrees)
        },
        GATTDecoder("MeasurementInterval", MeasurementInterval.init(from:)),
        GATTDecoder(
            "MedFloat16", { reader throws(DecodeError) in try MedFloat16(from: &reader, "value") }, check: obey),
        GATTDecoder(
            "MedFloat32", { reader throws(DecodeError) in try MedFloat32(from: &reader, "value") }, check: obey),
        GATTDecoder("PLXContinuousMeasurement", PLXContinuousMeasurement.init(from:)) { derive($0.validity) },
        GATTDecoder("PLXFeatures", PLXFeatures.init(from:)),
        GATTDecoder("PLXSpotCheckMeasurement", PLXSpotCheckMeasurement.init(from:)) { derive($0.validity) },
        GATTDecoder("PnPID", PnPID.init(from:)),
        GATTDecoder("PositionQuality", PositionQuality.init(from:)) {
            derive($0.horizontalErrorMetres, $0.verticalErrorMetres)
        },
        GATTDecoder("RSCMeasurement", RSCMeasurement.init(from:)) {
            derive($0.metresPerSecond, $0.strideMetres, $0.totalMetres)
        },
        GATTDecoder("RecordAccessControlPoint", RecordAccessControlPoint.Response.init(from:)),
        GATTDecoder("ReferenceTimeInformation", ReferenceTimeInformation.init(from:)),
        GATTDecoder("SystemID", SystemID.init(from:)) {
            precondition(
                UInt64($0.organizationallyUniqueIdentifier) << 40 | $0.manufacturerIdentifier == $0.eui64)
        },
        GATTDecoder("TemperatureMeasurement", TemperatureMeasurement.init(from:)) { derive($0.celsius) },
        GATTDecoder("TxPowerLevel", TxPowerLevel.init(from:)),
        GATTDecoder("WeightMeasurement", WeightMeasurement.init(from:)) {
            derive($0.kilograms, $0.metres, $0.kilogramsPerSquareMetre)
        },
        GATTDecoder("GlucoseRecordTransfer", takesAll: true, transferOutcomes),
    ]

    private static func derive<each Value>(_ values: repeat each Value) {}

    /// A date that exists survives the way through seconds and back.
    @Sendable private static func obey(_ dateTime: DateTime?) {
        guard let dateTime, let seconds = dateTime.secondsSince1970AsUTC else { return }
        precondition(DateTime(secondsSince1970AsUTC: seconds) == dateTime)
        precondition(dateTime.dayOfWeek != nil)
    }

    /// A word is a number or says why not; the number it shows is the number it is.
    @Sendable private static func obey(_ float: some MedFloat) {
        precondition((float.special == nil) == (float.value != nil))
        if let value = float.value { precondition(Double(float.description) == value) }
    }

    /// Reads the bytes as events in their order: a byte for which one, then what it needs. The laws: one end, no
    /// action after it, no sequence number twice, and the deadline exists while something is waited for.
    @Sendable private static func transferOutcomes(
        _ reader: inout ByteReader
    ) throws(DecodeError) -> [GlucoseRecordTransfer.Action] {
        var transfer = GlucoseRecordTransfer(after: reader.left % 2 == 0 ? nil : try reader.uint16("last"))
        var now = BootInstant(nanoseconds: 0)
        var actions: [GlucoseRecordTransfer.Action] = []
        var isOver = false
        while let event = reader.next {
            _ = try reader.uint8("event")
            now = now.advanced(by: .seconds(Int64(event >> 4)))
            let action: GlucoseRecordTransfer.Action =
                switch event & 0x0F {
                case 0, 8: transfer.start(at: now)
                case 1: transfer.writeFailed(attributeError: reader.left > 0 ? try reader.uint8("error") : nil)
                case 2, 9, 10: transfer.received(try GlucoseMeasurement(from: &reader), at: now)
                case 3, 11: transfer.received(try GlucoseMeasurementContext(from: &reader), at: now)
                case 4, 12: transfer.received(try RecordAccessControlPoint.Response(from: &reader))
                case 5: transfer.deadlineReached(at: now)
                case 6: transfer.abort(at: now)
                case 7: transfer.disconnected()
                default: .none
                }
            precondition(!isOver || action == .none)
            if case .finish(let outcome) = action {
                isOver = true
                precondition(transfer.deadline == nil)
                let numbers = outcome.records.map(\.measurement.sequenceNumber)
                precondition(Set(numbers).count == numbers.count)
                precondition(
                    outcome.records.allSatisfy {
                        $0.context.map(\.sequenceNumber) ?? $0.measurement.sequenceNumber
                            == $0.measurement.sequenceNumber
                    })
            }
            actions.append(action)
        }
        return actions
    }
}
