/// Discrete Laplace noise: P(x) is proportional to exp(-epsilon |x|).
///
/// Exact sampling by Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020), algorithms 1 and 2:
/// whole numbers alone, since the gaps of floating-point Laplace noise disclose its input (Mironov 2012).
public struct DiscreteLaplace: Hashable, Sendable {
    /// Epsilon of one kind of a week, 1/2: one person changes one bucket by 1.
    public static let ofKind = DiscreteLaplace(numerator: 1, denominator: 2)

    /// Epsilon is `numerator` / `denominator`, both positive.
    let numerator, denominator: UInt64

    init(numerator: UInt64, denominator: UInt64) {
        precondition(numerator > 0 && denominator > 0 && denominator < 1 << 32, "epsilon is a positive ratio")
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    public func sample(using generator: inout some RandomNumberGenerator) -> Int {
        // Algorithm 2, with t = denominator and s = numerator. Each round ends with a probability above 1/4.
        while true {
            let unit = generator.next(upperBound: denominator)
            guard Self.trueByExp(unit, denominator, using: &generator) else { continue }
            var whole: UInt64 = 0
            while Self.trueByExp(1, 1, using: &generator) { whole += 1 }
            let size = (unit + denominator * whole) / numerator
            let isNegative = generator.next(upperBound: 2 as UInt64) == 1
            if isNegative && size == 0 { continue }
            return isNegative ? -Int(size) : Int(size)
        }
    }

    /// True with the probability exp(-n/d), for n <= d: algorithm 1.
    private static func trueByExp(
        _ n: UInt64, _ d: UInt64, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        // The round k is reached with a probability of at most 1/(k-1)!, so d k does not overflow.
        var k: UInt64 = 1
        while generator.next(upperBound: d * k) < n { k += 1 }
        return k % 2 == 1
    }
}
