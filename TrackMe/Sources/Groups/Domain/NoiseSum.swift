/// Exact distribution of the sum of `count` values of the discrete Laplace noise of a kind.
///
/// One value is the difference of two geometric variables, so the sum is the difference of two negative binomial variables.
/// Their convolution gives each tail; there is no normal approximation. The sums run over positive terms alone, so a
/// probability of 10^-6 has ten right digits.
public struct NoiseSum: Sendable {
    /// exp(-1/2).
    private static let ratio = 0.606_530_659_712_633_4
    /// Weights relative to the greatest one below which the negative binomial distribution is cut.
    private static let negligible = 1e-30
    /// Probability with which a group of 1,000 persons may get through.
    public static let leak = 1e-6
    /// Probability outside of an error that an answer states.
    public static let outside = 0.05

    public let count: Int
    /// Probabilities of the negative binomial variable, from its first value that is not negligible.
    private let weights: [Double]
    /// Sums of `weights` from an index to the end.
    private let tails: [Double]

    /// - Parameter count: values of the sum, at least 1.
    public init(of count: Int) {
        self.count = max(count, 1)
        let (n, ratio) = (Double(self.count), Self.ratio)
        // P(j + 1) / P(j) = ratio (n + j) / (j + 1). The walk begins near the mode.
        let mode = max(Int((n - 1) * ratio / (1 - ratio)), 0)
        var below: [Double] = []
        var (weight, index) = (1.0, mode)
        while index > 0, weight > Self.negligible {
            weight *= Double(index) / (ratio * (n + Double(index) - 1))
            below.append(weight)
            index -= 1
        }
        var above = [1.0]
        (weight, index) = (1.0, mode)
        while weight > Self.negligible {
            weight *= ratio * (n + Double(index)) / Double(index + 1)
            above.append(weight)
            index += 1
        }
        let raw = below.reversed() + above
        let total = raw.reduce(0, +)
        weights = raw.map { $0 / total }
        var (sum, sums) = (0.0, [Double](repeating: 0, count: raw.count))
        for index in raw.indices.reversed() {
            sum += weights[index]
            sums[index] = sum
        }
        tails = sums
    }

    /// Probability that the sum is at least `value`.
    public func tail(_ value: Int) -> Double {
        guard value > 0 else { return 1 - tail(1 - value) }
        // The first variable exceeds the second one by `value` or more.
        var sum = 0.0
        for index in weights.indices where index + value < weights.count {
            sum += weights[index] * tails[index + value]
        }
        return sum
    }

    /// Least value that the sum exceeds with a probability of `probability` at most.
    public func quantile(_ probability: Double) -> Int {
        var (low, high) = (0, weights.count)
        while low < high {
            let middle = (low + high) / 2
            if tail(middle + 1) <= probability { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Persons above 1,001 that a noisy count needs, so that a group of 1,000 gets through with a probability of 10^-6 at
    /// most.
    public var margin: Int { quantile(Self.leak) }

    /// Half width of the interval that has 95 % of the sums.
    public var halfWidth: Int { quantile(Self.outside / 2) }

    /// Variance of one value: 2 r / (1 - r)^2.
    public static var variance: Double { 2 * ratio / ((1 - ratio) * (1 - ratio)) }
}
