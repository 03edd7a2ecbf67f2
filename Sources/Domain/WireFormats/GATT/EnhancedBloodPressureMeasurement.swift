/// Enhanced Blood Pressure Measurement, characteristic 0x2B34 (GATT Specification Supplement, "Enhanced Blood
/// Pressure Measurement"): the plain one with times in seconds.
public struct EnhancedBloodPressureMeasurement: Hashable, Sendable {
    public let unit: BloodPressureUnit
    public let systolic: MedFloat16
    public let diastolic: MedFloat16
    public let meanArterialPressure: MedFloat16
    /// The device's base time, in seconds since 1970.
    public let timeStamp: Int64?
    /// Beats per minute.
    public let pulseRate: MedFloat16?
    public let userID: UserIndex?
    public let status: BloodPressureStatus?
    /// What the device showed its user, in seconds since 1970 as if the wall time were UTC.
    public let userFacingTime: Int64?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try EnhancedBloodPressureFlags(from: &reader)
        unit = flags.unit
        systolic = try MedFloat16(from: &reader, "systolic")
        diastolic = try MedFloat16(from: &reader, "diastolic")
        meanArterialPressure = try MedFloat16(from: &reader, "mean arterial pressure")
        timeStamp = flags.hasTimeStamp ? flags.time(try reader.uint32("time stamp")) : nil
        pulseRate = flags.hasPulseRate ? try MedFloat16(from: &reader, "pulse rate") : nil
        userID = flags.hasUserID ? try UserIndex(from: &reader) : nil
        status =
            flags.hasStatus ? BloodPressureStatus(rawValue: try reader.uint16("measurement status")) : nil
        userFacingTime = flags.hasUserFacingTime ? flags.time(try reader.uint32("user facing time")) : nil
    }

    public var systolicMillimetresOfMercury: Double? { unit.millimetresOfMercury(systolic) }
    public var diastolicMillimetresOfMercury: Double? { unit.millimetresOfMercury(diastolic) }
    public var meanMillimetresOfMercury: Double? { unit.millimetresOfMercury(meanArterialPressure) }

    /// As with the plain measurement: what is not a number was not measured.
    public var isFailed: Bool { systolic.special != nil || diastolic.special != nil }
}
