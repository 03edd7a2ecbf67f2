import RealModule

/// The instant at which a tag was nearest, from how strong it was heard when.
///
/// A runner who goes straight past at the distance d and the speed v is heard at
/// `A - 5 n log10(1 + u²) - S u / √(1 + u²)` dBm, with `u = (t - t₀) / w` and `w = d / v`: the log-distance model with
/// the exponent n, and a body that stands in the way either before or after (S; the angle to the box turns by half a
/// circle as one passes). `t₀` is wanted. For each of a grid of t₀ and w the other three follow from a linear
/// regression, with what is known of n and S as priors; the likelihoods over the grid are then how sure one can be of
/// each t₀. The answer is their mean, and its bound covers 95 % of them, so what the hits do not decide widens it.
///
/// Fading makes single hits weak by 20 dB and more, never strong by so much: residuals are weighted down by Cauchy's
/// rule, which rejects outliers without a threshold. What stands on the way strays more slowly, as much for one hit as
/// for the next, and looks like a passage of its own: it is part of the noise, as a process of Gauss and Markov
/// (`Clutter`), or a tag that is heard ten times a second would seem ten times as sure.
///
/// Pure. Times are seconds from an instant of the caller's choice.
struct PassageFit {
    struct Hit {
        let time: Double
        /// dBm.
        let rssi: Double
        /// So many are averaged in it.
        var count = 1.0
    }

    /// What somebody does near the box.
    enum Way {
        case past
        /// Stays once nearest; the other way round.
        case coming, leaving
    }

    struct Estimate {
        let nearest: Double
        /// Half of the interval that holds 95 %, in seconds.
        let bound: Double
        /// dB that the fitted signal at its peak lies above its ends.
        let prominence: Double
        /// Of its best curve, a logarithm: of two ways, the more likely has the greater.
        var evidence = 0.0
    }

    /// Path loss exponent. Facts: 2.4 fitted in a room, 2 to 2.5 over open ground, up to 4 in a crowd.
    private static let exponent = (mean: 2.4, deviation: 0.5)
    /// Half of what a body takes from behind, dB: 10 to 20 in all, on either side of the passage.
    private static let shadow = 4.0
    /// Seconds: 0.5 m at 6 m/s to 8 m at 1.3 m/s.
    private static let widths: [Double] = [0.1, 0.2, 0.35, 0.6, 1, 1.7, 3, 6]
    private static let coarseWidths: [Double] = [0.2, 0.6, 1.7, 6]
    private static let steps = 48
    private static let coarseSteps = 20
    /// Of the logarithm of a likelihood: what is less likely than the best by this, 1 in 3,000, is left out.
    private static let unlikely = 8.0
    /// What the model does not know widens the bound: chosen so that 95 % lie within it in all simulated scenarios.
    private static let caution = 1.4
    private let way: Way
    private let hits: [Hit]
    private var weights: [Double]
    /// dB: of the fading, and of what stands on the way.
    private var deviation, clutter: Double

    /// - Parameter hits: at least two.
    init(_ hits: [Hit], _ way: Way) {
        (self.hits, self.way) = (hits, way)
        weights = hits.map(\.count)
        (deviation, clutter) = (5, Clutter.usual)
    }

    static func estimate(_ hits: [Hit], _ way: Way = .past) -> Estimate? {
        guard hits.count >= 2, let first = hits.first, let last = hits.last, first.time < last.time else {
            return nil
        }
        var fit = PassageFit(hits, way)
        return fit.solve(from: first.time, to: last.time)
    }

    private struct Point {
        let time, width, score: Double
        let line: Line
    }

    /// A, n and S of one grid point.
    private struct Line {
        let level, exponent, shadow: Double

        func value(_ shape: (loss: Double, side: Double)) -> Double {
            level - exponent * shape.loss - shadow * shape.side
        }
    }

    @inline(__always)
    private func shape(_ time: Double, _ nearest: Double, _ width: Double) -> (loss: Double, side: Double) {
        var u = (time - nearest) / width
        switch way {
        case .past: break
        case .coming: u = min(0, u)
        case .leaving: u = max(0, u)
        }
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

    private mutating func solve(from first: Double, to last: Double) -> Estimate? {
        var (low, high) = (first, last)
        var widths = Self.coarseWidths
        var points: [Point] = []
        // Twice, coarsely, to find the weights and the part of the grid that matters; then for good.
        for round in 0..<3 {
            let isLast = round == 2
            let steps = isLast ? Self.steps : Self.coarseSteps
            points = grid(from: low, to: high, steps, widths)
            guard let best = points.max(by: { $0.score < $1.score }), !isLast else { break }
            reweigh(by: best)
            let likely = points.filter { $0.score > best.score - Self.unlikely }
            guard let from = likely.map(\.time).min(), let to = likely.map(\.time).max() else { return nil }
            let step = (high - low) / Double(steps)
            (low, high) = (from - step, to + step)
            let found = Set(likely.map(\.width))
            widths = round == 0 ? Self.widths : widths.filter(found.contains)
        }
        return answer(points, first, last)
    }

    private func grid(from low: Double, to high: Double, _ steps: Int, _ widths: [Double]) -> [Point] {
        let clutter = Clutter(hits, weights, fading: deviation, deviation: clutter)
        return widths.flatMap { width in
            (0...steps).compactMap { index in
                point(clutter, at: low + (high - low) * Double(index) / Double(steps), width)
            }
        }
    }

    private func point(_ clutter: Clutter, at time: Double, _ width: Double) -> Point? {
        var sums = NormalEquations(exponent: Self.exponent, shadow: Self.shadow)
        var (loss, side) = (0.0, 0.0)
        for step in clutter.steps {
            let shape = shape(step.time, time, width)
            sums.add(
                one: step.one, loss: step.whiten(shape.loss, &loss), side: step.whiten(shape.side, &side),
                value: step.value)
        }
        guard let (level, exponent, shadow) = sums.solution else { return nil }
        return Point(
            time: time, width: width, score: -sums.misfit(level, exponent, shadow) / 2,
            line: Line(level: level, exponent: exponent, shadow: shadow))
    }

    /// Cauchy's weights around the best curve so far, at 2.4 deviations (95 % efficient on normal errors).
    private mutating func reweigh(by best: Point) {
        let residuals = hits.map { $0.rssi - best.line.value(shape($0.time, best.time, best.width)) }
        let sizes = zip(residuals, hits).map { abs($0) * $1.count.squareRoot() }.sorted()
        // The median of absolute values is 0.6745 deviations of a normal law.
        let whole = sizes[sizes.count / 2] / 0.6745
        clutter = Clutter.deviation(of: residuals.map { max(-2.5 * whole, min(2.5 * whole, $0)) })
        // 2 dB: no radio is better.
        deviation = max(4, whole * whole - clutter * clutter).squareRoot()
        weights = zip(residuals, hits).map { residual, hit in
            let ratio = residual * hit.count.squareRoot() / (2.385 * deviation)
            return hit.count / (1 + ratio * ratio)
        }
    }

    private func answer(_ points: [Point], _ first: Double, _ last: Double) -> Estimate? {
        guard let best = points.max(by: { $0.score < $1.score }) else { return nil }
        var byTime: [Double: Double] = [:]
        for point in points { byTime[point.time, default: 0] += Double.exp(point.score - best.score) }
        let total = byTime.values.reduce(0, +)
        let nearest = byTime.max { $0.value < $1.value }?.key ?? best.time
        let distances = byTime.map { (distance: abs($0.key - nearest), share: $0.value / total) }
            .sorted { $0.distance < $1.distance }
        var share = 0.0
        var bound = 0.0
        for entry in distances where share < 0.95 {
            share += entry.share
            bound = entry.distance
        }
        bound *= Self.caution
        let ends = [first, last].map { best.line.value(shape($0, best.time, best.width)) }
        // Of who comes or leaves, one end is the nearest.
        let end = way == .past ? ends.max() : ends.min()
        return Estimate(
            nearest: nearest, bound: bound, prominence: best.line.level - (end ?? 0), evidence: best.score)
    }
}
