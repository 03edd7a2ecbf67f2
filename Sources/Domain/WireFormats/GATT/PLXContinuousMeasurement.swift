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
