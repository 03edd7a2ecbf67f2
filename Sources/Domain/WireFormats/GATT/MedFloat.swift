/// A decimal number of IEEE 11073-20601: mantissa times a power of ten, or a word that says why there is none.
///
/// Equal words are equal, equal values need not be: 2.0 and 2.00 differ in their precision.
public protocol MedFloat: Hashable, Sendable, CustomStringConvertible {
    /// Says why the word is not a number; nil where it is one.
    var special: MedFloatSpecial? { get }
    /// Value of the word's bits, also where the word is special.
    var mantissa: Int32 { get }
    /// Power of ten.
    var exponent: Int8 { get }
}

/// The words that are not numbers (IEEE 11073-20601; HL7 Personal Health Device guide, "FLOATS").
public enum MedFloatSpecial: Hashable, Sendable {
    /// Not a number: nothing was measured.
    case notANumber
    /// The value cannot be given at this resolution.
    case notAtThisResolution
    case positiveInfinity, negativeInfinity
    case reserved
}

extension MedFloat {
    /// The number, or nil where the word is special: no comparison with a limit can mistake it for one.
    public var value: Double? { value(timesTenTo: 0) }

    /// The number in a unit that differs by a power of ten. The shift is made in decimal, so that 0.00095 kg/L
    /// is 95 mg/dL and not 95.00000000000001.
    func value(timesTenTo power: Int) -> Double? {
        // Parsing rounds once, for any exponent; a product with a power of ten would round twice.
        special == nil ? Double("\(mantissa)e\(Int(exponent) + power)") : nil
    }

    /// Digits behind the decimal point that the device vouches for.
    public var fractionDigits: Int { max(0, -Int(exponent)) }

    /// The decimal as it was sent, with its precision ("36.60"), or the special word's name in 11073-20601.
    public var description: String {
        switch special {
        case .notANumber: "NaN"
        case .notAtThisResolution: "NRes"
        case .positiveInfinity: "+INFINITY"
        case .negativeInfinity: "-INFINITY"
        case .reserved: "reserved"
        case nil: decimal
        }
    }

    private var decimal: String {
        // Beyond the range of an SFLOAT, zeros say nothing: 8388605e127.
        guard (-8...7).contains(exponent) else { return "\(mantissa)e\(exponent)" }
        if mantissa == 0 || exponent >= 0 {
            let zeros = String(repeating: "0", count: mantissa == 0 ? fractionDigits : Int(exponent))
            return exponent < 0 ? "0." + zeros : mantissa == 0 ? "0" : "\(mantissa)" + zeros
        }
        let digits = String(mantissa.magnitude)
        let padded = String(repeating: "0", count: max(0, fractionDigits + 1 - digits.count)) + digits
        return (mantissa < 0 ? "-" : "") + padded.dropLast(fractionDigits) + "." + padded.suffix(fractionDigits)
    }
}

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
