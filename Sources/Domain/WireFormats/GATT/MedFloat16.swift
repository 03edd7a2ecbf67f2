/// SFLOAT of IEEE 11073-20601, medfloat16 of the GATT Specification Supplement: a signed mantissa of 12 bits,
/// a signed exponent of 4 bits to the base of ten.
public struct MedFloat16: MedFloat {
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public init(from reader: inout ByteReader, _ field: String) throws(DecodeError) {
        rawValue = try reader.uint16(field)
    }

    /// Bits 0-11.
    public var mantissa: Int32 { Int32(Int16(bitPattern: rawValue << 4) >> 4) }
    /// Bits 12-15: -8...7.
    public var exponent: Int8 { Int8(Int16(bitPattern: rawValue) >> 12) }

    /// Only the exact words count: the same mantissa with another exponent is an ordinary number
    /// (0xF7FF is 204.7).
    public var special: MedFloatSpecial? {
        switch rawValue {
        case 0x07FE: .positiveInfinity
        case 0x07FF: .notANumber
        case 0x0800: .notAtThisResolution
        case 0x0801: .reserved
        case 0x0802: .negativeInfinity
        default: nil
        }
    }
}
