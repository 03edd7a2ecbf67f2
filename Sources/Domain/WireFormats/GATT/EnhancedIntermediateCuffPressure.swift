/// Enhanced Intermediate Cuff Pressure, characteristic 0x2B35 (GATT Specification Supplement, "Enhanced
/// Intermediate Cuff Pressure"). For display while the cuff inflates.
public struct EnhancedIntermediateCuffPressure: Hashable, Sendable {
    public let unit: BloodPressureUnit
    public let cuffPressure: MedFloat16
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
        cuffPressure = try MedFloat16(from: &reader, "cuff pressure")
        timeStamp = flags.hasTimeStamp ? flags.time(try reader.uint32("time stamp")) : nil
        pulseRate = flags.hasPulseRate ? try MedFloat16(from: &reader, "pulse rate") : nil
        userID = flags.hasUserID ? try UserIndex(from: &reader) : nil
        status =
            flags.hasStatus ? BloodPressureStatus(rawValue: try reader.uint16("measurement status")) : nil
        userFacingTime = flags.hasUserFacingTime ? flags.time(try reader.uint32("user facing time")) : nil
    }

    public var millimetresOfMercury: Double? { unit.millimetresOfMercury(cuffPressure) }
}
