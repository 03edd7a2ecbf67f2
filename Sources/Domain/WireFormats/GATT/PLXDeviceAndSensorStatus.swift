/// Device and Sensor Status of the Pulse Oximeter Service, three bytes (GATT Specification Supplement, "PLX
/// Spot-Check Measurement"). Bits 16-23 are reserved.
public struct PLXDeviceAndSensorStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let extendedDisplayUpdateOngoing = PLXDeviceAndSensorStatus(rawValue: 1 << 0)
    public static let equipmentMalfunction = PLXDeviceAndSensorStatus(rawValue: 1 << 1)
    public static let signalProcessingIrregularity = PLXDeviceAndSensorStatus(rawValue: 1 << 2)
    public static let inadequateSignal = PLXDeviceAndSensorStatus(rawValue: 1 << 3)
    public static let poorSignal = PLXDeviceAndSensorStatus(rawValue: 1 << 4)
    public static let lowPerfusion = PLXDeviceAndSensorStatus(rawValue: 1 << 5)
    public static let erraticSignal = PLXDeviceAndSensorStatus(rawValue: 1 << 6)
    public static let nonpulsatileSignal = PLXDeviceAndSensorStatus(rawValue: 1 << 7)
    public static let questionablePulse = PLXDeviceAndSensorStatus(rawValue: 1 << 8)
    public static let signalAnalysisOngoing = PLXDeviceAndSensorStatus(rawValue: 1 << 9)
    public static let sensorInterference = PLXDeviceAndSensorStatus(rawValue: 1 << 10)
    public static let sensorUnconnectedToUser = PLXDeviceAndSensorStatus(rawValue: 1 << 11)
    public static let unknownSensorConnected = PLXDeviceAndSensorStatus(rawValue: 1 << 12)
    public static let sensorDisplaced = PLXDeviceAndSensorStatus(rawValue: 1 << 13)
    public static let sensorMalfunctioning = PLXDeviceAndSensorStatus(rawValue: 1 << 14)
    public static let sensorDisconnected = PLXDeviceAndSensorStatus(rawValue: 1 << 15)
}
