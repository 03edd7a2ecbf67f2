/// PLX Spot-Check Measurement, characteristic 0x2A5E (GATT Specification Supplement, "PLX Spot-Check Measurement";
/// Pulse Oximeter Service 1.0, section 3.1).
public struct PLXSpotCheckMeasurement: Hashable, Sendable {
    public let reading: PLXReading
    public let timeStamp: DateTime?
    public let measurementStatus: PLXMeasurementStatus?
    public let deviceAndSensorStatus: PLXDeviceAndSensorStatus?
    /// Percent.
    public let pulseAmplitudeIndex: MedFloat16?
    /// Then `timeStamp` says nothing.
    public let deviceClockIsNotSet: Bool

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        reading = try PLXReading(from: &reader)
        // Bit 0: time stamp present.
        timeStamp = flags & 0x01 == 0 ? nil : try DateTime(from: &reader)
        // Bit 1: measurement status present.
        measurementStatus =
            flags & 0x02 == 0 ? nil : PLXMeasurementStatus(rawValue: try reader.uint16("measurement status"))
        // Bit 2: device and sensor status present, three bytes.
        deviceAndSensorStatus =
            flags & 0x04 == 0
            ? nil : PLXDeviceAndSensorStatus(rawValue: try reader.uint24("device and sensor status"))
        // Bit 3: pulse amplitude index present.
        pulseAmplitudeIndex = flags & 0x08 == 0 ? nil : try MedFloat16(from: &reader, "pulse amplitude index")
        // Bit 4: the device's clock is not set.
        deviceClockIsNotSet = flags & 0x10 != 0
    }

    public var validity: PLXValidity { PLXValidity(measurementStatus, deviceAndSensorStatus) }
}

/// PLX Continuous Measurement, characteristic 0x2A5F (GATT Specification Supplement, "PLX Continuous Measurement";
/// Pulse Oximeter Service 1.0, section 3.2).
public struct PLXContinuousMeasurement: Hashable, Sendable {
    public let normal: PLXReading
    /// Averaged over less time than `normal`.
    public let fast: PLXReading?
    /// Averaged over more time than `normal`.
    public let slow: PLXReading?
    public let measurementStatus: PLXMeasurementStatus?
    public let deviceAndSensorStatus: PLXDeviceAndSensorStatus?
    /// Percent.
    public let pulseAmplitudeIndex: MedFloat16?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        normal = try PLXReading(from: &reader)
        // Bit 0: fast present.
        fast = flags & 0x01 == 0 ? nil : try PLXReading(from: &reader)
        // Bit 1: slow present.
        slow = flags & 0x02 == 0 ? nil : try PLXReading(from: &reader)
        // Bit 2: measurement status present.
        measurementStatus =
            flags & 0x04 == 0 ? nil : PLXMeasurementStatus(rawValue: try reader.uint16("measurement status"))
        // Bit 3: device and sensor status present, three bytes.
        deviceAndSensorStatus =
            flags & 0x08 == 0
            ? nil : PLXDeviceAndSensorStatus(rawValue: try reader.uint24("device and sensor status"))
        // Bit 4: pulse amplitude index present.
        pulseAmplitudeIndex = flags & 0x10 == 0 ? nil : try MedFloat16(from: &reader, "pulse amplitude index")
    }

    public var validity: PLXValidity { PLXValidity(measurementStatus, deviceAndSensorStatus) }
}

/// SpO2PR: the pair of values that the Pulse Oximeter characteristics carry once or several times.
public struct PLXReading: Hashable, Sendable {
    /// Oxygen saturation in percent.
    public let saturation: MedFloat16
    /// Beats per minute.
    public let pulseRate: MedFloat16

    public init(from reader: inout ByteReader) throws(DecodeError) {
        saturation = try MedFloat16(from: &reader, "SpO2")
        pulseRate = try MedFloat16(from: &reader, "PR")
    }
}

/// What the status fields of a pulse oximeter make of its values.
public enum PLXValidity: Hashable, Sendable {
    case valid
    /// To be shown as doubtful.
    case questionable
    /// Not a measurement of a person: no sensor on the finger, a demonstration, a malfunction.
    case invalid

    /// The project's own reading of the bits; the service leaves it to the collector.
    public init(_ status: PLXMeasurementStatus?, _ device: PLXDeviceAndSensorStatus?) {
        let useless: PLXMeasurementStatus = [
            .dataForDemonstration, .dataForTesting, .measurementUnavailable, .invalidMeasurement,
        ]
        let blind: PLXDeviceAndSensorStatus = [
            .equipmentMalfunction, .inadequateSignal, .nonpulsatileSignal, .sensorUnconnectedToUser,
            .unknownSensorConnected, .sensorDisplaced, .sensorMalfunctioning, .sensorDisconnected,
        ]
        let doubtful: PLXDeviceAndSensorStatus = [
            .poorSignal, .lowPerfusion, .erraticSignal, .questionablePulse,
        ]
        let status = status ?? []
        let device = device ?? []
        self =
            !status.isDisjoint(with: useless) || !device.isDisjoint(with: blind)
            ? .invalid
            : status.contains(.questionableMeasurement) || !device.isDisjoint(with: doubtful)
                ? .questionable : .valid
    }
}

/// Measurement Status of the Pulse Oximeter Service (GATT Specification Supplement, "PLX Spot-Check Measurement").
/// Bits 0-4 are reserved.
public struct PLXMeasurementStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let measurementOngoing = PLXMeasurementStatus(rawValue: 1 << 5)
    public static let earlyEstimatedData = PLXMeasurementStatus(rawValue: 1 << 6)
    public static let validatedData = PLXMeasurementStatus(rawValue: 1 << 7)
    public static let fullyQualifiedData = PLXMeasurementStatus(rawValue: 1 << 8)
    public static let dataFromMeasurementStorage = PLXMeasurementStatus(rawValue: 1 << 9)
    public static let dataForDemonstration = PLXMeasurementStatus(rawValue: 1 << 10)
    public static let dataForTesting = PLXMeasurementStatus(rawValue: 1 << 11)
    public static let calibrationOngoing = PLXMeasurementStatus(rawValue: 1 << 12)
    public static let measurementUnavailable = PLXMeasurementStatus(rawValue: 1 << 13)
    public static let questionableMeasurement = PLXMeasurementStatus(rawValue: 1 << 14)
    public static let invalidMeasurement = PLXMeasurementStatus(rawValue: 1 << 15)
}

/// Device and Sensor Status of the Pulse Oximeter Service, three bytes (GATT Specification Supplement, "PLX
/// Spot-Check Measurement"). Bits 16-23 are reserved.
public struct PLXDeviceAndSensorStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let extendedDisplayUpdateOngoing = PLXDeviceAndSensorStatus(rawValue: 1 << 0)
    public static let equipmentMalfunction = PLXDeviceAndSensorStatus(rawValue: 1 << 1)
    public static let signalProcessingIrregularity = PLXDeviceAndSensorStatus(rawValue: 1 << 2)
    public static let inadequateSignal = PLXDeviceAndSensorStatus(rawValue: 1 << 3)
    public static let poorSignal = PLXDeviceAndSensorStatus(rawValue: 1 << 4)
    public static let lowPerfusion = PLXDeviceAndSensorStatus(rawValue: 1 << 5)
    public static let erraticSignal = PLXDeviceAndSensorStatus(rawValue: 1 << 6)
    public static let nonpulsatileSignal = PLXDeviceAndSensorStatus(rawValue: 1 << 7)
    public static let questionablePulse = PLXDeviceAndSensorStatus(rawValue: 1 << 8)
    public static let signalAnalysisOngoing = PLXDeviceAndSensorStatus(rawValue: 1 << 9)
    public static let sensorInterference = PLXDeviceAndSensorStatus(rawValue: 1 << 10)
    public static let sensorUnconnectedToUser = PLXDeviceAndSensorStatus(rawValue: 1 << 11)
    public static let unknownSensorConnected = PLXDeviceAndSensorStatus(rawValue: 1 << 12)
    public static let sensorDisplaced = PLXDeviceAndSensorStatus(rawValue: 1 << 13)
    public static let sensorMalfunctioning = PLXDeviceAndSensorStatus(rawValue: 1 << 14)
    public static let sensorDisconnected = PLXDeviceAndSensorStatus(rawValue: 1 << 15)
}
