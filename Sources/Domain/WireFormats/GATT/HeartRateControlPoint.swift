/// Heart Rate Control Point, characteristic 0x2A39 (Heart Rate Service 1.0, section 3.3). Only where energy expended
/// is measured; an unknown value is refused with ATT error 0x80.
public enum HeartRateControlPoint: UInt8, Hashable, Sendable {
    case resetEnergyExpended = 1

    public var bytes: [UInt8] { [rawValue] }
}
