/// Intermediate Cuff Pressure, characteristic 0x2A36 (Blood Pressure Service 1.1, section 3.2): the layout of
/// Blood Pressure Measurement, with the cuff's pressure in the place of the systolic one and NaN in the two after
/// it. For display while the cuff inflates; never a blood pressure.
public struct IntermediateCuffPressure: Hashable, Sendable {
    public let unit: BloodPressureUnit
    public let cuffPressure: MedFloat16
    public let timeStamp: DateTime?
    /// Beats per minute.
    public let pulseRate: MedFloat16?
    public let userID: UserIndex?
    public let status: BloodPressureStatus?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let fields = try BloodPressureMeasurement(from: &reader)
        unit = fields.unit
        cuffPressure = fields.systolic
        timeStamp = fields.timeStamp
        pulseRate = fields.pulseRate
        userID = fields.userID
        status = fields.status
    }

    public var millimetresOfMercury: Double? { unit.millimetresOfMercury(cuffPressure) }
}
