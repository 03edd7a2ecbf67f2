/// Glucose Feature, characteristic 0x2A51 (GATT Specification Supplement, "Glucose Feature"). Bits 11-15 are
/// reserved.
public struct GlucoseFeature: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public init(from reader: inout ByteReader) throws(DecodeError) {
        rawValue = try reader.uint16("glucose feature")
    }

    public static let lowBatteryDetection = GlucoseFeature(rawValue: 1 << 0)
    public static let sensorMalfunctionDetection = GlucoseFeature(rawValue: 1 << 1)
    public static let sampleSize = GlucoseFeature(rawValue: 1 << 2)
    public static let stripInsertionErrorDetection = GlucoseFeature(rawValue: 1 << 3)
    public static let stripTypeErrorDetection = GlucoseFeature(rawValue: 1 << 4)
    public static let resultHighLowDetection = GlucoseFeature(rawValue: 1 << 5)
    public static let temperatureHighLowDetection = GlucoseFeature(rawValue: 1 << 6)
    public static let readInterruptDetection = GlucoseFeature(rawValue: 1 << 7)
    public static let generalDeviceFault = GlucoseFeature(rawValue: 1 << 8)
    public static let timeFault = GlucoseFeature(rawValue: 1 << 9)
    public static let multipleBonds = GlucoseFeature(rawValue: 1 << 10)
}
