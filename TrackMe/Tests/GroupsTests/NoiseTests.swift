import GatewayModel
import Testing

@testable import Groups

/// The sampler and the margin.
struct NoiseTests {
    /// P(0) = (1 - r) / (1 + r), P(x) = P(0) r^|x|.
    private static func probability(_ value: Int) -> Double {
        let ratio = 0.606_530_659_712_633_4
        return (0..<abs(value)).reduce((1 - ratio) / (1 + ratio)) { result, _ in result * ratio }
    }

    /// 30 classes: -14 to 14 and all beyond. The 0.999 quantile of chi-square with 29 degrees is 58.3.
    @Test func `the sampler has the distribution of its formula`() {
        var numbers = DerivedNumbers(of: "discrete laplace")
        let draws = 200_000
        var seen = [Int](repeating: 0, count: 30)
        for _ in 0..<draws {
            let value = DiscreteLaplace.ofKind.sample(using: &numbers)
            seen[abs(value) <= 14 ? value + 14 : 29] += 1
        }
        var expected = (-14...14).map { Self.probability($0) * Double(draws) }
        expected.append(Double(draws) - expected.reduce(0, +))
        let square = zip(seen, expected).reduce(0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) / $1.1 }
        #expect(square < 58.3, "\(square)")
    }

    /// A sampler of another epsilon fails the same test.
    @Test func `the test of the sampler finds another epsilon`() {
        var numbers = DerivedNumbers(of: "discrete laplace")
        let other = DiscreteLaplace(numerator: 11, denominator: 20)
        let draws = 200_000
        let zeros = (0..<draws).count { _ in other.sample(using: &numbers) == 0 }
        let expected = Self.probability(0) * Double(draws)
        #expect(abs(Double(zeros) - expected) > 10 * expected.squareRoot())
    }

    /// The sum by repeated convolution of one value's distribution.
    private static func convolved(_ count: Int, reach: Int) -> [Double] {
        let one = (-reach...reach).map { probability($0) }
        var sum = one
        for _ in 1..<count {
            var next = [Double](repeating: 0, count: sum.count + one.count - 1)
            for (index, weight) in sum.enumerated() {
                for (other, factor) in one.enumerated() { next[index + other] += weight * factor }
            }
            sum = next
        }
        return sum
    }

    @Test(arguments: [1, 2, 3, 9])
    func `the tails are those of the repeated convolution`(count: Int) {
        let reach = 110
        let sums = Self.convolved(count, reach: reach)
        let noise = NoiseSum(of: count)
        for value in [-20, -1, 0, 1, 2, 5, 20, 40] {
            let tail = sums[(value + reach * count)...].reduce(0, +)
            #expect(abs(noise.tail(value) / tail - 1) < 1e-9, "\(value)")
        }
    }

    /// Tail of one value: r^m / (1 + r).
    @Test func `one bucket has the closed form`() {
        let noise = NoiseSum(of: 1)
        let ratio = 0.606_530_659_712_633_4
        var power = 1.0
        for value in 1...60 {
            power *= ratio
            #expect(abs(noise.tail(value) / (power / (1 + ratio)) - 1) < 1e-12)
        }
    }

    @Test(arguments: [1, 9, 81, 243, 432, 1_728, 2_430, 43_200])
    func `the margin is the least that holds a group of 1,000 back`(count: Int) {
        let noise = NoiseSum(of: count)
        // 1,000 + noise >= 1,001 + margin.
        #expect(noise.tail(noise.margin + 1) <= 1e-6)
        #expect(noise.tail(noise.margin) > 1e-6)
        #expect(noise.tail(noise.halfWidth + 1) <= 0.025)
        #expect(noise.tail(noise.halfWidth) > 0.025)
    }

    /// Margins of 1, 2, 27 and 270 cells, computed by another program out of logarithms of the gamma function.
    @Test(arguments: [(1, 48), (2, 63), (27, 210), (270, 657)])
    func `the margins are those of the documents`(cells: Int, margin: Int) {
        #expect(NoiseSum(of: cells * GroupKind.buckets).margin == margin)
    }

    /// 4.753 standard deviations leave 10^-6 beyond them in a normal distribution. One cell of 9 buckets has heavier tails.
    @Test func `the margin of one cell is above that of the normal approximation`() {
        func normal(_ count: Int) -> Double { 4.753 * (Double(count) * NoiseSum.variance).squareRoot() }
        #expect(Double(NoiseSum(of: 9).margin) > normal(9) + 2)
        #expect(abs(Double(NoiseSum(of: 43_200).margin) / normal(43_200) - 1) < 0.01)
    }

    /// The attacker knows each other person, so all of the bucket but the target's 1 and the noise. The best guess is
    /// "counted" from a value of 1 on. Of 100,000 games the standard deviation is 0.15 %.
    @Test func `an attacker who knows everybody else guesses no better than the bound`() {
        var numbers = DerivedNumbers(of: "attack")
        let games = 100_000
        var right = 0
        for _ in 0..<games {
            let isCounted = Bool.random(using: &numbers)
            let seen = (isCounted ? 1 : 0) + DiscreteLaplace.ofKind.sample(using: &numbers)
            if (seen >= 1) == isCounted { right += 1 }
        }
        // e^0.5 / (1 + e^0.5).
        let bound = 0.622_459
        #expect(abs(Double(right) / Double(games) - bound) < 4 * 0.00153)
    }

    /// A year of releases: the figures that the page tells.
    @Test(arguments: [(4, 0.680), (52, 0.963)])
    func `releases add up as the page says`(releases: Int, expected: Double) {
        var numbers = DerivedNumbers(of: "year")
        let games = 10_000
        var right = 0.0
        for _ in 0..<games {
            let isCounted = Bool.random(using: &numbers)
            let votes = (0..<releases).count { _ in
                (isCounted ? 1 : 0) + DiscreteLaplace.ofKind.sample(using: &numbers) >= 1
            }
            if votes * 2 == releases { right += 0.5 } else if (votes * 2 > releases) == isCounted { right += 1 }
        }
        #expect(abs(right / Double(games) - expected) < 0.015, "\(right / Double(games))")
    }
}
