/// ITU-T G.711: speech of 14 and 13 bits a sample in 8. Pure.
public enum G711 {
    /// µ-law: sign, exponent and mantissa, all bits inverted.
    public static func muLaw(_ sample: Int16) -> UInt8 {
        let sign: UInt8 = sample < 0 ? 0x80 : 0
        // The bias of 33 in units of 14 bits, 132 in units of 16; above it the code has no value.
        let magnitude = min(Int(sample.magnitude), 32_635) + 132
        let exponent = max(Int.bitWidth - magnitude.leadingZeroBitCount - 8, 0)
        let mantissa = UInt8(magnitude >> (exponent + 3) & 0x0F)
        return ~(sign | UInt8(exponent) << 4 | mantissa)
    }

    /// A-law: sign, exponent and mantissa, each second bit inverted. The sign bit stands for positive values.
    public static func aLaw(_ sample: Int16) -> UInt8 {
        let sign: UInt8 = sample < 0 ? 0 : 0x80
        // A negative value is inverted, not negated: the code has no zero.
        let magnitude = Int(sample < 0 ? ~sample : sample)
        let exponent = max(Int.bitWidth - magnitude.leadingZeroBitCount - 8, 0)
        let mantissa = UInt8(magnitude >> (exponent == 0 ? 4 : exponent + 3) & 0x0F)
        return (sign | UInt8(exponent) << 4 | mantissa) ^ 0x55
    }
}
