/// Blood Pressure Feature, characteristic 0x2A49 (GATT Specification Supplement, "Blood Pressure Feature").
public struct BloodPressureFeature: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        rawValue = try reader.uint16("blood pressure feature")
    }

    public static let bodyMovementDetection = BloodPressureFeature(rawValue: 1 << 0)
    public static let cuffFitDetection = BloodPressureFeature(rawValue: 1 << 1)
    public static let irregularPulseDetection = BloodPressureFeature(rawValue: 1 << 2)
    public static let pulseRateRangeDetection = BloodPressureFeature(rawValue: 1 << 3)
    public static let measurementPositionDetection = BloodPressureFeature(rawValue: 1 << 4)
    public static let multipleBonds = BloodPressureFeature(rawValue: 1 << 5)
    public static let e2eCRC = BloodPressureFeature(rawValue: 1 << 6)
    public static let userDataService = BloodPressureFeature(rawValue: 1 << 7)
    public static let userFacingTime = BloodPressureFeature(rawValue: 1 << 8)
}
