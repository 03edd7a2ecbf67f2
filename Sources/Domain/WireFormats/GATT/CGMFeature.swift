/// CGM Feature, characteristic 0x2AA8 (GATT Specification Supplement, "CGM Feature").
public struct CGMFeature: Hashable, Sendable {
    /// Bits 17-23 are reserved.
    public struct Supported: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let calibration = Supported(rawValue: 1 << 0)
        public static let patientHighLowAlerts = Supported(rawValue: 1 << 1)
        public static let hypoAlerts = Supported(rawValue: 1 << 2)
        public static let hyperAlerts = Supported(rawValue: 1 << 3)
        public static let rateAlerts = Supported(rawValue: 1 << 4)
        public static let deviceSpecificAlert = Supported(rawValue: 1 << 5)
        public static let sensorMalfunctionDetection = Supported(rawValue: 1 << 6)
        public static let temperatureHighLowDetection = Supported(rawValue: 1 << 7)
        public static let resultHighLowDetection = Supported(rawValue: 1 << 8)
        public static let lowBatteryDetection = Supported(rawValue: 1 << 9)
        public static let sensorTypeErrorDetection = Supported(rawValue: 1 << 10)
        public static let generalDeviceFault = Supported(rawValue: 1 << 11)
        public static let e2eCRC = Supported(rawValue: 1 << 12)
        public static let multipleBonds = Supported(rawValue: 1 << 13)
        public static let multipleSessions = Supported(rawValue: 1 << 14)
        public static let trendInformation = Supported(rawValue: 1 << 15)
        public static let quality = Supported(rawValue: 1 << 16)
    }

    public let supported: Supported
    public let sample: GlucoseSample

    /// The check sum is always there, and counts only where the feature says so.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        let whole = try reader.bytes(6, "CGM feature")
        var fields = ByteReader(whole)
        supported = Supported(rawValue: try fields.uint24("CGM feature"))
        sample = try GlucoseSample(from: &fields)
        if supported.contains(.e2eCRC) { _ = try E2ECRC.verified(whole) }
    }
}
