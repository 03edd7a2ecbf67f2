/// DST Offset, characteristic 0x2A0D (GATT Specification Supplement, "DST Offset"): what daylight saving adds to
/// standard time.
public struct DSTOffset: Hashable, Sendable {
    /// 0, 30, 60 or 120. Nil: unknown (255), or a reserved code.
    public let minutes: Int16?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        minutes =
            switch try reader.uint8("DST offset") {
            case 0: 0
            case 2: 30
            case 4: 60
            case 8: 120
            default: nil
            }
    }
}
