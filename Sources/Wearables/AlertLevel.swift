/// How loud a wearable is to be: Alert Level, characteristic 0x2A06.
public enum AlertLevel: UInt8, Hashable, Sendable {
    case none = 0
    case mild = 1
    case high = 2
}
