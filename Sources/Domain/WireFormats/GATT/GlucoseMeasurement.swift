/// Glucose Measurement, characteristic 0x2A18 (GATT Specification Supplement, "Glucose Measurement"; Glucose
/// Service 1.0, section 3.1).
public struct GlucoseMeasurement: Hashable, Sendable {
    /// Orders the records; the times do not, a user may have set the clock between two of them.
    public let sequenceNumber: UInt16
    public let baseTime: DateTime
    /// Minutes from `baseTime` to what the meter showed its user.
    public let timeOffset: Int16?
    public let concentration: GlucoseConcentration?
    public let sample: GlucoseSample?
    public let sensorStatus: GlucoseSensorStatus?
    /// A Glucose Measurement Context of the same sequence number comes after it.
    public let contextFollows: Bool

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        sequenceNumber = try reader.uint16("sequence number")
        baseTime = try DateTime(from: &reader)
        // Bit 0: time offset present.
        timeOffset = flags & 0x01 == 0 ? nil : try reader.int16("time offset")
        // Bit 1: concentration and type-sample location present. Bit 2: moles per litre.
        concentration =
            flags & 0x02 == 0
            ? nil
            : GlucoseConcentration(
                unit: flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre,
                wire: try MedFloat16(from: &reader, "glucose concentration"))
        sample = flags & 0x02 == 0 ? nil : try GlucoseSample(from: &reader)
        // Bit 3: sensor status annunciation present.
        sensorStatus =
            flags & 0x08 == 0
            ? nil : GlucoseSensorStatus(rawValue: try reader.uint16("sensor status annunciation"))
        // Bit 4: a context follows.
        contextFollows = flags & 0x10 != 0
    }

    /// Base time plus offset, as if that wall time were UTC. Nil where the base time is none.
    public var secondsSince1970AsUTC: Int64? {
        baseTime.secondsSince1970AsUTC.map { $0 + Int64(timeOffset ?? 0) * 60 }
    }
}
