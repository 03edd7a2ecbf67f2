/// CGM Session Run Time, characteristic 0x2AAB (GATT Specification Supplement, "CGM Session Run Time"): how long the
/// sensor is expected to work.
public struct CGMSessionRunTime: Hashable, Sendable {
    public let hours: UInt16

    /// A check sum behind the field stays in `reader`.
    public init(from reader: inout ByteReader) throws(DecodeError) {
        hours = try reader.uint16("CGM session run time")
    }
}
