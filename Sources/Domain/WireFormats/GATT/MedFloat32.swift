/// FLOAT of IEEE 11073-20601, medfloat32 of the GATT Specification Supplement: a signed mantissa of 24 bits,
/// a signed exponent of 8 bits to the base of ten.
public struct MedFloat32: MedFloat {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public init(from reader: inout ByteReader, _ field: String) throws(DecodeError) {
        rawValue = try reader.uint32(field)
    }

    /// Bits 0-23.
    public var mantissa: Int32 { Int32(bitPattern: rawValue << 8) >> 8 }
    /// Bits 24-31: -128...127.
    public var exponent: Int8 { Int8(truncatingIfNeeded: rawValue >> 24) }

    /// Only the exact words count, as with `MedFloat16`.
    public var special: MedFloatSpecial? {
        switch rawValue {
        case 0x007F_FFFE: .positiveInfinity
        case 0x007F_FFFF: .notANumber
        case 0x0080_0000: .notAtThisResolution
        case 0x0080_0001: .reserved
        case 0x0080_0002: .negativeInfinity
        default: nil
        }
    }
}
