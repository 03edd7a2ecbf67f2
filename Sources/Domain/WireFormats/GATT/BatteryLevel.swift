/// Battery Level, characteristic 0x2A19 (GATT Specification Supplement, "Battery Level").
public struct BatteryLevel: Hashable, Sendable {
    /// Nil: a reserved value, 101...255.
    public let percent: UInt8?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let level = try reader.uint8("battery level")
        percent = level <= 100 ? level : nil
    }
}
