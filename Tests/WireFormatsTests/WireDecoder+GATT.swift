import GatewayModel
import WireFormats

// Values of GATT characteristics, and the transfer of stored records.
extension WireDecoder {
    static let gatt = [
        WireDecoder("BatteryLevel", BatteryLevel.init(from:)),
        WireDecoder("BloodPressureMeasurement", BloodPressureMeasurement.init(from:)) {
            derive(
                $0.systolicMillimetresOfMercury, $0.diastolicMillimetresOfMercury, $0.meanMillimetresOfMercury)
            derive($0.status?.pulseRange, $0.systolic.description, $0.isFailed)
            obey($0.timeStamp)
        },
        WireDecoder("BodyCompositionMeasurement", BodyCompositionMeasurement.init(from:)) {
            derive($0.bodyFatPercent, $0.musclePercent, $0.impedanceOhms, $0.kilograms, $0.metres)
        },
        WireDecoder("CGMFeature", CGMFeature.init(from:)),
        WireDecoder(
            "CGMMeasurement", { reader throws(DecodeError) in try CGMMeasurement(from: &reader) },
            check: { precondition(!$0.records.isEmpty) }),
        WireDecoder(
            "CGMSessionStartTime",
            { reader throws(DecodeError) in try CGMSessionStartTime(from: &reader, hasCRC: false) },
            check: { derive($0.secondsSince1970) }),
        WireDecoder("CurrentTime", CurrentTime.init(from:)) {
            var again = ByteReader($0.bytes)
            precondition((try? CurrentTime(from: &again)) == $0)
            obey($0.exactTime.dayDateTime.dateTime)
        },
        WireDecoder("DateTime", DateTime.init(from:), check: obey),
        WireDecoder(
            "DeviceInformationString", takesAll: true,
            { reader throws(DecodeError) in try DeviceInformationString(from: &reader) },
            check: { precondition($0.text.unicodeScalars.allSatisfy { $0.value >= 0x20 }) }),
        WireDecoder("EnhancedBloodPressureMeasurement", EnhancedBloodPressureMeasurement.init(from:)) {
            derive(
                $0.systolicMillimetresOfMercury, $0.diastolicMillimetresOfMercury, $0.meanMillimetresOfMercury)
        },
        WireDecoder("GlucoseMeasurement", GlucoseMeasurement.init(from:)) {
            derive($0.concentration?.milligramsPerDecilitre, $0.concentration?.millimolesPerLitre)
            derive($0.secondsSince1970AsUTC, $0.sample?.isControlSolution)
        },
        WireDecoder("GlucoseMeasurementContext", GlucoseMeasurementContext.init(from:)) {
            derive($0.carbohydrate?.grams, $0.medication?.inThousandths)
        },
        WireDecoder("HeartRateMeasurement", takesAll: true, HeartRateMeasurement.init(from:)),
        WireDecoder("LocalTimeInformation", LocalTimeInformation.init(from:)) { derive($0.minutesEastOfUTC) },
        WireDecoder("LocationAndSpeed", LocationAndSpeed.init(from:)) {
            precondition(abs($0.location?.latitudeDegrees ?? 0) <= 90)
            precondition(abs($0.location?.longitudeDegrees ?? 0) <= 180)
            derive($0.metresPerSecond, $0.totalMetres, $0.elevationMetres, $0.headingDegrees)
        },
        WireDecoder(
            "MedFloat16", { reader throws(DecodeError) in try MedFloat16(from: &reader, "value") }, check: obey),
        WireDecoder(
            "MedFloat32", { reader throws(DecodeError) in try MedFloat32(from: &reader, "value") }, check: obey),
        WireDecoder("PLXContinuousMeasurement", PLXContinuousMeasurement.init(from:)) { derive($0.validity) },
        WireDecoder("PLXSpotCheckMeasurement", PLXSpotCheckMeasurement.init(from:)) { derive($0.validity) },
        WireDecoder("PositionQuality", PositionQuality.init(from:)) {
            derive($0.horizontalErrorMetres, $0.verticalErrorMetres)
        },
        WireDecoder("RSCMeasurement", RSCMeasurement.init(from:)) {
            derive($0.metresPerSecond, $0.strideMetres, $0.totalMetres)
        },
        WireDecoder("RecordAccessControlPoint", RecordAccessControlPoint.Response.init(from:)),
        WireDecoder("TemperatureMeasurement", TemperatureMeasurement.init(from:)) { derive($0.celsius) },
        WireDecoder("WeightMeasurement", WeightMeasurement.init(from:)) {
            derive($0.kilograms, $0.metres, $0.kilogramsPerSquareMetre)
        },
        WireDecoder("GlucoseRecordTransfer", takesAll: true, transferOutcomes),
    ]

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
