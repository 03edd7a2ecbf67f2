/// Temperature Type, characteristic 0x2A1D, and a part of Temperature Measurement (GATT Specification Supplement,
/// "Temperature Type"): where on the body.
public enum TemperatureType: UInt8, Hashable, Sendable {
    case armpit = 1
    case body = 2
    case earLobe = 3
    case finger = 4
    case gastrointestinalTract = 5
    case mouth = 6
    case rectum = 7
    case toe = 8
    case tympanum = 9
}
