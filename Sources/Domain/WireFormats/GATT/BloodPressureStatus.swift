/// Measurement Status of the Blood Pressure characteristics (GATT Specification Supplement, "Blood Pressure
/// Measurement").
public struct BloodPressureStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let bodyMovement = BloodPressureStatus(rawValue: 1 << 0)
    public static let cuffTooLoose = BloodPressureStatus(rawValue: 1 << 1)
    public static let irregularPulse = BloodPressureStatus(rawValue: 1 << 2)
    public static let improperPosition = BloodPressureStatus(rawValue: 1 << 5)

    public enum PulseRange: UInt16, Hashable, Sendable {
        case within = 0
        case aboveUpperLimit = 1
        case belowLowerLimit = 2
        case reserved = 3
    }

    /// Bits 3 and 4, against the device's own limits.
    public var pulseRange: PulseRange { PulseRange(rawValue: rawValue >> 3 & 0b11) ?? .reserved }
}
