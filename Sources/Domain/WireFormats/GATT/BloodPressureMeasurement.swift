/// Blood Pressure Measurement, characteristic 0x2A35 (GATT Specification Supplement, "Blood Pressure Measurement";
/// Blood Pressure Service 1.1, section 3.1).
public struct BloodPressureMeasurement: Hashable, Sendable {
    public let unit: BloodPressureUnit
    public let systolic: MedFloat16
    public let diastolic: MedFloat16
    public let meanArterialPressure: MedFloat16
    public let timeStamp: DateTime?
    /// Beats per minute.
    public let pulseRate: MedFloat16?
    public let userID: UserIndex?
    public let status: BloodPressureStatus?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let flags = try reader.uint8("flags")
        // Bit 0: kilopascals.
        unit = flags & 0x01 == 0 ? .millimetresOfMercury : .kilopascals
        systolic = try MedFloat16(from: &reader, "systolic")
        diastolic = try MedFloat16(from: &reader, "diastolic")
        meanArterialPressure = try MedFloat16(from: &reader, "mean arterial pressure")
        // Bit 1: time stamp present.
        timeStamp = flags & 0x02 == 0 ? nil : try DateTime(from: &reader)
        // Bit 2: pulse rate present.
        pulseRate = flags & 0x04 == 0 ? nil : try MedFloat16(from: &reader, "pulse rate")
        // Bit 3: user ID present.
        userID = flags & 0x08 == 0 ? nil : try UserIndex(from: &reader)
        // Bit 4: measurement status present.
        status =
            flags & 0x10 == 0 ? nil : BloodPressureStatus(rawValue: try reader.uint16("measurement status"))
    }

    public var systolicMillimetresOfMercury: Double? { unit.millimetresOfMercury(systolic) }
    public var diastolicMillimetresOfMercury: Double? { unit.millimetresOfMercury(diastolic) }
    public var meanMillimetresOfMercury: Double? { unit.millimetresOfMercury(meanArterialPressure) }

    /// Whether the cuff failed to measure. NaN is the sign: real cuffs send it with all status bits clear when
    /// they were moved or sat loose. The mean does not count, not every cuff computes it.
    public var isFailed: Bool { systolic.special != nil || diastolic.special != nil }
}
