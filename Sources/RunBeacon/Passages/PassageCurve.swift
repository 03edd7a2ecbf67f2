import RealModule

/// How a tag's strength goes as somebody moves near the box: its shape, without level, exponent and shadow.
struct PassageCurve {
    /// What somebody does near the box, in `u`: how many times the nearest distance they are from the line.
    struct Way: Hashable {
        /// They stand at the first until they set off, and go no further than the second.
        let from, to: Double

        static let past = Way(from: -.infinity, to: .infinity)
        /// Stays once nearest.
        static let coming = Way(from: -.infinity, to: 0)
        /// Stands so far before the line, and goes past it then.
        static func leaving(from behind: Double) -> Way { Way(from: -behind, to: .infinity) }
    }

    let way: Way
    /// Seconds: when it is nearest, and the nearest distance by the speed.
    let time, width: Double

    /// At an instant, what the exponent and the shadow are multiplied by.
    @inline(__always)
    func shape(at instant: Double) -> (loss: Double, side: Double) {
        let u = min(max((instant - time) / width, way.from), way.to)
        let square = 1 + u * u
        return (1.5051499783199060 * Self.log2(square), u / square.squareRoot())
    }

    /// To 1e-7, for what is 1 at least: three of four instructions of the estimate are its logarithms, and the
    /// library's knows far more digits than a strength has. The mantissa by the series of the inverse hyperbolic tangent.
    @inline(__always)
    private static func log2(_ value: Double) -> Double {
        let bits = value.bitPattern
        let exponent = Double(Int64(truncatingIfNeeded: bits &>> 52) &- 1_023)
        let mantissa = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
        let ratio = (mantissa - 1.4142135623730951) / (mantissa + 1.4142135623730951)
        let square = ratio * ratio
        let series = ratio * (2 + square * (2.0 / 3 + square * (2.0 / 5 + square * (2.0 / 7))))
        return exponent + 0.5 + series * 1.4426950408889634
    }
}
