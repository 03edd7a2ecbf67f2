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
