/// The three octets of CGM Measurement's Sensor Status Annunciation, and of CGM Status, as one set (GATT
/// Specification Supplement, "CGM Measurement").
public struct CGMStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    // Status octet.
    public static let sessionStopped = CGMStatus(rawValue: 1 << 0)
    public static let deviceBatteryLow = CGMStatus(rawValue: 1 << 1)
    public static let sensorTypeIncorrect = CGMStatus(rawValue: 1 << 2)
    public static let sensorMalfunction = CGMStatus(rawValue: 1 << 3)
    public static let deviceSpecificAlert = CGMStatus(rawValue: 1 << 4)
    public static let generalDeviceFault = CGMStatus(rawValue: 1 << 5)
    // Cal/Temp octet.
    public static let timeSynchronizationRequired = CGMStatus(rawValue: 1 << 8)
    public static let calibrationNotAllowed = CGMStatus(rawValue: 1 << 9)
    public static let calibrationRecommended = CGMStatus(rawValue: 1 << 10)
    public static let calibrationRequired = CGMStatus(rawValue: 1 << 11)
    public static let temperatureTooHigh = CGMStatus(rawValue: 1 << 12)
    public static let temperatureTooLow = CGMStatus(rawValue: 1 << 13)
    public static let calibrationPending = CGMStatus(rawValue: 1 << 14)
    // Warning octet.
    public static let belowPatientLow = CGMStatus(rawValue: 1 << 16)
    public static let abovePatientHigh = CGMStatus(rawValue: 1 << 17)
    public static let belowHypo = CGMStatus(rawValue: 1 << 18)
    public static let aboveHyper = CGMStatus(rawValue: 1 << 19)
    public static let rateOfDecreaseExceeded = CGMStatus(rawValue: 1 << 20)
    public static let rateOfIncreaseExceeded = CGMStatus(rawValue: 1 << 21)
    public static let resultTooLow = CGMStatus(rawValue: 1 << 22)
    public static let resultTooHigh = CGMStatus(rawValue: 1 << 23)
}
