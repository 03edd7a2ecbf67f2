/// Alert Level, characteristic 0x2A06 (GATT Specification Supplement, "Alert Level"). Written without response to
/// the Immediate Alert Service 0x1802, where it alerts at once; written and read in the Link Loss Service 0x1803,
/// where the wearable alerts by itself when the link drops.
public enum AlertLevel: UInt8, Hashable, Sendable {
    case none = 0
    case mild = 1
    case high = 2

    public var bytes: [UInt8] { [rawValue] }

    public static func decode(from reader: inout ByteReader) throws(DecodeError) -> OpenCode<AlertLevel> {
        OpenCode(try reader.uint8("alert level"))
    }
}
