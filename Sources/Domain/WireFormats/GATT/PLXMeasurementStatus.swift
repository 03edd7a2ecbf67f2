/// Measurement Status of the Pulse Oximeter Service (GATT Specification Supplement, "PLX Spot-Check Measurement").
/// Bits 0-4 are reserved.
public struct PLXMeasurementStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let measurementOngoing = PLXMeasurementStatus(rawValue: 1 << 5)
    public static let earlyEstimatedData = PLXMeasurementStatus(rawValue: 1 << 6)
    public static let validatedData = PLXMeasurementStatus(rawValue: 1 << 7)
    public static let fullyQualifiedData = PLXMeasurementStatus(rawValue: 1 << 8)
    public static let dataFromMeasurementStorage = PLXMeasurementStatus(rawValue: 1 << 9)
    public static let dataForDemonstration = PLXMeasurementStatus(rawValue: 1 << 10)
    public static let dataForTesting = PLXMeasurementStatus(rawValue: 1 << 11)
    public static let calibrationOngoing = PLXMeasurementStatus(rawValue: 1 << 12)
    public static let measurementUnavailable = PLXMeasurementStatus(rawValue: 1 << 13)
    public static let questionableMeasurement = PLXMeasurementStatus(rawValue: 1 << 14)
    public static let invalidMeasurement = PLXMeasurementStatus(rawValue: 1 << 15)
}
