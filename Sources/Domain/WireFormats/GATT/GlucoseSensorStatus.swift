/// Sensor Status Annunciation of Glucose Measurement. Bits 12-15 are reserved.
public struct GlucoseSensorStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let deviceBatteryLow = GlucoseSensorStatus(rawValue: 1 << 0)
    public static let sensorMalfunction = GlucoseSensorStatus(rawValue: 1 << 1)
    public static let sampleSizeInsufficient = GlucoseSensorStatus(rawValue: 1 << 2)
    public static let stripInsertionError = GlucoseSensorStatus(rawValue: 1 << 3)
    public static let stripTypeIncorrect = GlucoseSensorStatus(rawValue: 1 << 4)
    public static let resultTooHigh = GlucoseSensorStatus(rawValue: 1 << 5)
    public static let resultTooLow = GlucoseSensorStatus(rawValue: 1 << 6)
    public static let temperatureTooHigh = GlucoseSensorStatus(rawValue: 1 << 7)
    public static let temperatureTooLow = GlucoseSensorStatus(rawValue: 1 << 8)
    public static let readInterrupted = GlucoseSensorStatus(rawValue: 1 << 9)
    public static let generalDeviceFault = GlucoseSensorStatus(rawValue: 1 << 10)
    public static let timeFault = GlucoseSensorStatus(rawValue: 1 << 11)
}
