/// The type of an AD structure (Assigned Numbers, 2.3 "Common Data Types"). Open: unknown codes are kept.
public struct ADType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let flags = ADType(rawValue: 0x01)
    public static let incompleteServices16 = ADType(rawValue: 0x02)
    public static let completeServices16 = ADType(rawValue: 0x03)
    public static let incompleteServices32 = ADType(rawValue: 0x04)
    public static let completeServices32 = ADType(rawValue: 0x05)
    public static let incompleteServices128 = ADType(rawValue: 0x06)
    public static let completeServices128 = ADType(rawValue: 0x07)
    public static let shortenedName = ADType(rawValue: 0x08)
    public static let completeName = ADType(rawValue: 0x09)
    public static let txPowerLevel = ADType(rawValue: 0x0A)
    public static let serviceData16 = ADType(rawValue: 0x16)
    public static let appearance = ADType(rawValue: 0x19)
    public static let serviceData32 = ADType(rawValue: 0x20)
    public static let serviceData128 = ADType(rawValue: 0x21)
    public static let manufacturerData = ADType(rawValue: 0xFF)
}
