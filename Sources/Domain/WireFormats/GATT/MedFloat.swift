/// A decimal number of IEEE 11073-20601: mantissa times a power of ten, or a word that says why there is none.
///
/// Equal words are equal, equal values need not be: 2.0 and 2.00 differ in their precision.
public protocol MedFloat: Hashable, Sendable, CustomStringConvertible {
    /// Says why the word is not a number; nil where it is one.
    var special: MedFloatSpecial? { get }
    /// What the word's bits give, also where the word is special.
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
        // Parsing rounds once, whatever the exponent; a product with a power of ten would round twice.
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
        // Beyond what an SFLOAT can have, zeros say nothing: 8388605e127.
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
