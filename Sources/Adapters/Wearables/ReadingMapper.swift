import GatewayModel
import WireFormats

/// One measurement of a device in the kinds and units of the model. Pure.
///
/// A word that is not a number never becomes a value. Factors: the types of `WireFormats` convert kPa, °F,
/// lb and mol/L, each with its source; here only milliseconds are made.
struct ReadingMapper: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case values([Quantity], contact: SensorContact)
        /// The device could not measure.
        case failed(String, contact: SensorContact)
        /// Nothing of a person: a test of the device, a context.
        case nothing
    }

    /// When the device says that it was.
    enum Stamp: Hashable, Sendable {
        /// Seconds since 1970 as if the device's wall time were UTC.
        case local(Int64)
        /// Seconds since 1970.
        case utc(Int64)
        /// The device gives times, but says that its clock is not set.
        case unset
    }

    /// How it came.
    enum Origin: Hashable, Sendable {
        /// Unasked.
        case notified
        /// Asked for: a record of a meter.
        case record
        /// Unasked, and the device itself says that it is out of its store.
        case store
    }

    let content: Content
    /// Nil for a measurement without a time of its own: it is of now.
    let stamp: Stamp?
    let origin: Origin
    /// By which the device tells its records apart; nil where it does not number them.
    let number: UInt16?
    /// The device's own, about each of its values.
    let doubts: Doubts
    /// Which of its users was measured; nil for a device that does not say.
    let user: UserIndex?

    init(
        _ content: Content, stamp: Stamp? = nil, origin: Origin = .notified, number: UInt16? = nil,
        doubts: Doubts = [], user: UserIndex? = nil
    ) {
        self.content = content
        self.stamp = stamp
        self.origin = origin
        self.number = number
        self.doubts = doubts
        self.user = user
    }

    /// - Parameter needed: all have to be numbers for the measurement to be one.
    private static func values(
        _ needed: [(QuantityKind, Double?)], _ more: [(QuantityKind, Double?)] = [],
        contact: SensorContact = .unknown, or reason: String
    ) -> Content {
        guard needed.allSatisfy({ $0.1 != nil }) else { return .failed(reason, contact: contact) }
        let values = (needed + more).compactMap { kind, value in value.map { Quantity(kind, $0) } }
        return .values(values, contact: contact)
    }

    private static func stamp(_ time: DateTime?) -> Stamp? {
        time.map { $0.secondsSince1970AsUTC.map(Stamp.local) ?? .unset }
    }
}

// MARK: Streams

extension ReadingMapper {
    init(_ measurement: HeartRateMeasurement) {
        let contact: SensorContact =
            switch measurement.contact {
            case .unsupported: .unknown
            case .detected: .detected
            case .lost: .lost
            }
        // Intervals off the skin are noise; the rate goes on, for the rules to see that contact is lost.
        let intervals = contact == .lost ? [] : measurement.intervals
        var values = [Quantity(.heartRate, Double(measurement.rate))]
        // 1/1024 s each (Heart Rate Service 1.0, 3.1.1.4).
        values += intervals.map { Quantity(.rrInterval, Double($0) * 1_000 / 1_024) }
        if let energy = measurement.energyExpended { values.append(Quantity(.energyExpended, Double(energy))) }
        self.init(.values(values, contact: contact))
    }

    /// A stream is always under way, so that `measurementOngoing` says nothing of its values.
    init(_ measurement: PLXContinuousMeasurement) {
        let (status, device) = (measurement.measurementStatus, measurement.deviceAndSensorStatus)
        let isEarly = status.map { $0.contains(.earlyEstimatedData) && !$0.isResult } ?? false
        self.init(
            isEarly ? .nothing : Self.oximetry(measurement.normal, measurement.validity, device),
            origin: Self.origin(status), doubts: Doubts(status, device))
    }

    init(_ measurement: PLXSpotCheckMeasurement) {
        let (status, device) = (measurement.measurementStatus, measurement.deviceAndSensorStatus)
        let early: PLXMeasurementStatus = [.measurementOngoing, .earlyEstimatedData]
        let isEarly = status.map { !$0.isDisjoint(with: early) && !$0.isResult } ?? false
        self.init(
            isEarly ? .nothing : Self.oximetry(measurement.reading, measurement.validity, device),
            stamp: measurement.deviceClockIsNotSet ? .unset : Self.stamp(measurement.timeStamp),
            origin: Self.origin(status), doubts: Doubts(status, device))
    }

    private static func origin(_ status: PLXMeasurementStatus?) -> Origin {
        status?.contains(.dataFromMeasurementStorage) == true ? .store : .notified
    }

    private static func oximetry(
        _ reading: PLXReading, _ validity: PLXValidity, _ status: PLXDeviceAndSensorStatus?
    ) -> Content {
        let off: PLXDeviceAndSensorStatus = [.sensorUnconnectedToUser, .sensorDisconnected, .sensorDisplaced]
        let contact: SensorContact = status.map { $0.isDisjoint(with: off) ? .detected : .lost } ?? .unknown
        guard validity != .invalid else { return .failed("the sensor disowns its values", contact: contact) }
        // Some oximeters round up to 101 at saturation; there is no more than all.
        let saturation = reading.saturation.value.map { $0 > 100 && $0 <= 101 ? 100 : $0 }
        // A finger without a found pulse may still show a saturation, and the other way round.
        guard saturation != nil || reading.pulseRate.value != nil else {
            return .failed("it shows no number", contact: contact)
        }
        return values(
            [], [(.oxygenSaturation, saturation), (.heartRate, reading.pulseRate.value)], contact: contact,
            or: "")
    }

    /// One a record. A live notification has one; more are missed records.
    /// - Parameter sessionStart: seconds since 1970; nil where the sensor did not say.
    static func records(of measurement: CGMMeasurement, sessionStart: Int64?) -> [ReadingMapper] {
        let useless: CGMStatus = [
            .sessionStopped, .sensorMalfunction, .generalDeviceFault, .sensorTypeIncorrect, .resultTooLow,
            .resultTooHigh,
        ]
        return measurement.records.map { record in
            let content: Content =
                record.status.isDisjoint(with: useless)
                ? values([(.glucose, record.concentration.value)], or: "it shows no number")
                : .failed("the sensor disowns its value", contact: .unknown)
            return ReadingMapper(
                content, stamp: sessionStart.map { .utc($0 + Int64(record.timeOffset) * 60) })
        }
    }

    init(_ measurement: RSCMeasurement) {
        let values = [
            Quantity(.runningSpeed, measurement.metresPerSecond),
            Quantity(.runningCadence, Double(measurement.cadence)),
        ]
        self.init(.values(values, contact: .unknown))
    }
}

// MARK: Single measurements

extension ReadingMapper {
    init(_ measurement: BloodPressureMeasurement) {
        self.init(
            Self.pressure(
                measurement.systolicMillimetresOfMercury, measurement.diastolicMillimetresOfMercury,
                measurement.meanMillimetresOfMercury, measurement.pulseRate),
            stamp: Self.stamp(measurement.timeStamp), doubts: Doubts(measurement.status),
            user: measurement.userID)
    }

    init(_ measurement: EnhancedBloodPressureMeasurement) {
        self.init(
            Self.pressure(
                measurement.systolicMillimetresOfMercury, measurement.diastolicMillimetresOfMercury,
                measurement.meanMillimetresOfMercury, measurement.pulseRate),
            stamp: measurement.userFacingTime.map(Stamp.local) ?? measurement.timeStamp.map(Stamp.utc),
            doubts: Doubts(measurement.status), user: measurement.userID)
    }

    private static func pressure(
        _ systolic: Double?, _ diastolic: Double?, _ mean: Double?, _ pulse: MedFloat16?
    ) -> Content {
        values(
            [(.systolicPressure, systolic), (.diastolicPressure, diastolic)],
            // A cuff that computes no mean sends NaN or 0 for it.
            [(.meanArterialPressure, mean.flatMap { $0 > 0 ? $0 : nil }), (.heartRate, pulse?.value)],
            or: "the cuff could not measure: it was moved, loose or interrupted")
    }

    init(_ measurement: TemperatureMeasurement) {
        self.init(
            Self.values([(.bodyTemperature, measurement.celsius)], or: "it shows no number"),
            stamp: Self.stamp(measurement.timeStamp))
    }

    init(_ measurement: GlucoseMeasurement, origin: Origin = .notified) {
        let value = measurement.concentration?.milligramsPerDecilitre
        let content: Content =
            measurement.sample?.isControlSolution == true
            ? .nothing : Self.values([(.glucose, value)], or: "the meter gives no value; its display says why")
        self.init(
            content, stamp: measurement.secondsSince1970AsUTC.map(Stamp.local) ?? .unset, origin: origin,
            number: measurement.sequenceNumber)
    }

    init(_ measurement: WeightMeasurement) {
        self.init(
            Self.values([(.bodyWeight, measurement.kilograms)], or: "the scale could not weigh"),
            stamp: Self.stamp(measurement.timeStamp), user: measurement.userID)
    }

    init(_ measurement: BodyCompositionMeasurement) {
        self.init(
            Self.values(
                [(.bodyFat, measurement.bodyFatPercent)], [(.bodyWeight, measurement.kilograms)],
                or: "the scale could not measure"),
            stamp: Self.stamp(measurement.timeStamp), user: measurement.userID)
    }
}

// MARK: By characteristic

extension ReadingMapper {
    /// Values of the bytes of a measurement characteristic; empty for one that is no measurement.
    static func all(
        _ characteristic: BluetoothUUID, _ bytes: [UInt8], knowing memory: DeviceMemory
    ) throws(DecodeError) -> [ReadingMapper] {
        guard characteristic != .cgmMeasurement else {
            // Whether its records end in a check sum is not in its bytes.
            var reader = ByteReader(bytes)
            let measurement = try CGMMeasurement(from: &reader, hasCRC: memory.hasCRC)
            return records(of: measurement, sessionStart: memory.sessionStart)
        }
        return switch try GATTMeasurement.decode(characteristic: characteristic, bytes: bytes) {
        case .heartRate(let measurement): [.init(measurement)]
        case .plxContinuous(let measurement): [.init(measurement)]
        case .plxSpotCheck(let measurement): [.init(measurement)]
        case .rsc(let measurement): [.init(measurement)]
        case .bloodPressure(let measurement): [.init(measurement)]
        case .enhancedBloodPressure(let measurement): [.init(measurement)]
        case .temperature(let measurement): [.init(measurement)]
        case .glucose(let measurement): [.init(measurement)]
        case .weight(let measurement): [.init(measurement)]
        case .bodyComposition(let measurement): [.init(measurement)]
        // Values on their way (cuff pressure, rising temperature) are no result, a context says how a value
        // came about, and for places and postures the model has no kind.
        default: []
        }
    }
}

extension PLXMeasurementStatus {
    /// The device stands by the value, or has stored it: the measurement is over.
    fileprivate var isResult: Bool {
        !isDisjoint(with: [.validatedData, .fullyQualifiedData, .dataFromMeasurementStorage])
    }
}

extension Doubts {
    /// Bits of an oximeter that leave its value a measurement; `PLXValidity` has those that do not.
    fileprivate init(_ status: PLXMeasurementStatus?, _ device: PLXDeviceAndSensorStatus?) {
        self = status?.contains(.questionableMeasurement) == true ? .questionable : []
        let bits: [(PLXDeviceAndSensorStatus, Doubts)] = [
            (.signalProcessingIrregularity, .signalIrregularity), (.poorSignal, .poorSignal),
            (.lowPerfusion, .lowPerfusion), (.erraticSignal, .erraticSignal),
            (.questionablePulse, .questionablePulse), (.sensorInterference, .interference),
        ]
        for (bit, doubt) in bits where device?.contains(bit) == true { insert(doubt) }
    }

    fileprivate init(_ status: BloodPressureStatus?) {
        let bits: [(BloodPressureStatus, Doubts)] = [
            (.bodyMovement, .bodyMovement), (.cuffTooLoose, .looseCuff), (.irregularPulse, .irregularPulse),
            (.improperPosition, .wrongPosition),
        ]
        self = bits.reduce(into: []) { if status?.contains($1.0) == true { $0.insert($1.1) } }
    }
}
