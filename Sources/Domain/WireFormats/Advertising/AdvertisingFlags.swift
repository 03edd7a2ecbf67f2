/// Flags, AD type 0x01 (Core Specification Supplement, Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let limitedDiscoverable = AdvertisingFlags(rawValue: 1 << 0)
    public static let generalDiscoverable = AdvertisingFlags(rawValue: 1 << 1)
    public static let noClassic = AdvertisingFlags(rawValue: 1 << 2)
    public static let simultaneousController = AdvertisingFlags(rawValue: 1 << 3)
}
