/// PLX Features, characteristic 0x2A60 (GATT Specification Supplement, "PLX Features").
public struct PLXFeatures: Hashable, Sendable {
    public struct Supported: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let measurementStatus = Supported(rawValue: 1 << 0)
        public static let deviceAndSensorStatus = Supported(rawValue: 1 << 1)
        public static let measurementStorage = Supported(rawValue: 1 << 2)
        public static let timeStamp = Supported(rawValue: 1 << 3)
        public static let fast = Supported(rawValue: 1 << 4)
        public static let slow = Supported(rawValue: 1 << 5)
        public static let pulseAmplitudeIndex = Supported(rawValue: 1 << 6)
        public static let multipleBonds = Supported(rawValue: 1 << 7)
    }

    public let supported: Supported
    /// The status bits the device can set.
    public let measurementStatus: PLXMeasurementStatus?
    /// The status bits the device can set.
    public let deviceAndSensorStatus: PLXDeviceAndSensorStatus?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        supported = Supported(rawValue: try reader.uint16("supported features"))
        measurementStatus =
            supported.contains(.measurementStatus)
            ? PLXMeasurementStatus(rawValue: try reader.uint16("measurement status support")) : nil
        deviceAndSensorStatus =
            supported.contains(.deviceAndSensorStatus)
            ? PLXDeviceAndSensorStatus(rawValue: try reader.uint24("device and sensor status support")) : nil
    }
}
