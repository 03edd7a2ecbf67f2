import RealModule

/// The instant at which a tag was nearest, from how strong it was heard when.
/// A runner that goes straight past at the distance d and the speed v is heard at `A - 5 n log10(1 + u²) - S u
/// / √(1 + u²)` dBm, with `u = (t - t₀) / w` and `w = d / v`: the log-distance model with the exponent n, and a
/// body that stands in the way either before or after (S; the angle to the box turns by half a circle as one
/// passes). `t₀` is wanted. For each of a grid of t₀ and w the other three follow from a linear regression,
/// with priors of n and S; the likelihoods over the grid are then how sure one can be of each t₀. The answer is
/// the likeliest, and its bound covers 95 % of them, so any uncertainty of the hits widens it.
///
/// Fading makes single hits weak by 20 dB and more, never strong by so much: residuals are weighted down by Cauchy's
/// rule, which rejects outliers without a threshold. The effect of obstacles strays more slowly, as much for
/// one hit as for the next, and looks like a passage of its own: it is part of the noise, as a process of Gauss
/// and Markov (`CorrelatedNoise`), or a tag that is heard ten times a second would seem ten times as sure.
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

    struct Estimate {
        let nearest: Double
        /// Half of the interval that holds 95 %, in seconds.
        let bound: Double
        /// dB that the fitted signal at its peak lies above its ends.
        let prominence: Double
    }

    /// Path loss exponent. Facts: 2.4 fitted in a room, 2 to 2.5 over open ground, up to 4 in a crowd.
    private static let exponent = (mean: 2.4, deviation: 0.4)
    /// Half of the loss by a body from behind, dB: 10 to 20 in all, on either side of the passage.
    private static let shadow = 6.0
    /// Seconds: 0.5 m at 6 m/s to 8 m at 1.3 m/s.
    private static let widths: [Double] = [0.1, 0.2, 0.35, 0.6, 1, 1.7, 3, 6]
    private static let coarseWidths: [Double] = [0.2, 0.6, 1.7, 6]
    /// Of the logarithm of the width: two of three lie between 0.2 s, 1 m at 5 m/s, and 2.5 s, 5 m at 2 m/s.
    private static let width = (mean: -0.3, deviation: 1.2)
    private static let steps = 48
    private static let coarseSteps = 20
    /// Of the logarithm of a likelihood: a candidate that is less likely than the best by this, 1 in 3,000, is
    /// left out.
    private static let unlikely = 8.0
    /// Deviations at which a hit counts half, if it is weaker than the curve, and if it is stronger. Cauchy's rule has
    /// 2.4 for a normal law (95 % efficient); fading goes deep, and never as high.
    private static let doubt = (weaker: 1.7, stronger: 3.1)
    private let presence: Presence
    private let hits: [Hit]
    private var weights: [Double]
    /// dB: of the fading, and of the obstacles on the way.
    private var deviation, noise: Double

    /// - Parameter hits: at least two.
    private init(_ hits: [Hit], _ presence: Presence) {
        (self.hits, self.presence) = (hits, presence)
        weights = hits.map(\.count)
        (deviation, noise) = (5, CorrelatedNoise.usual)
    }

    static func estimate(_ hits: [Hit], _ presence: Presence = .passing) -> Estimate? {
        guard hits.count >= 2, let first = hits.first, let last = hits.last, first.time < last.time else {
            return nil
        }
        var fit = PassageFit(hits, presence)
        return fit.solve(from: first.time, to: last.time)
    }

    private struct Point {
        let curve: PassageCurve
        let score: Double
        let line: Line
    }

    /// A, n and S of one grid point.
    private struct Line {
        let level, exponent, shadow: Double

        func value(_ shape: (loss: Double, side: Double)) -> Double {
            level - exponent * shape.loss - shadow * shape.side
        }
    }

    private mutating func solve(from first: Double, to last: Double) -> Estimate? {
        var (low, high) = (first, last)
        var widths = Self.coarseWidths
        var ways = presence.ways
        var points: [Point] = []
        // Twice, coarsely, to find the weights and the part of the grid that matters; then for good.
        for round in 0..<3 {
            let isLast = round == 2
            let steps = isLast ? Self.steps : Self.coarseSteps
            points = grid(from: low, to: high, steps, widths, ways)
            guard let best = points.max(by: { $0.score < $1.score }), !isLast else { break }
            reweigh(by: best)
            let likely = points.filter { $0.score > best.score - Self.unlikely }
            guard let from = likely.map(\.curve.time).min(), let to = likely.map(\.curve.time).max() else {
                return nil
            }
            let step = (high - low) / Double(steps)
            (low, high) = (from - step, to + step)
            let found = Set(likely.map(\.curve.width))
            widths = round == 0 ? Self.widths : widths.filter(found.contains)
            let taken = Set(likely.map(\.curve.way))
            ways = ways.filter(taken.contains)
        }
        return answer(points, first, last, grain: (high - low) / Double(Self.steps))
    }

    private func grid(
        from low: Double, to high: Double, _ steps: Int, _ widths: [Double], _ ways: [PassageCurve.Way]
    ) -> [Point] {
        let noise = CorrelatedNoise(
            hits, weights, fading: deviation, deviation: noise, memory: presence.memory)
        return ways.flatMap { way in
            widths.flatMap { width in
                (0...steps).compactMap { index in
                    let time = low + (high - low) * Double(index) / Double(steps)
                    return point(noise, PassageCurve(way: way, time: time, width: width))
                }
            }
        }
    }

    private func point(_ noise: CorrelatedNoise, _ curve: PassageCurve) -> Point? {
        var sums = NormalEquations(exponent: Self.exponent, shadow: Self.shadow)
        var (loss, side) = (0.0, 0.0)
        for step in noise.steps {
            let shape = curve.shape(at: step.time)
            sums.add(
                one: step.one, loss: step.whiten(shape.loss, &loss), side: step.whiten(shape.side, &side),
                value: step.value)
        }
        guard let (level, exponent, shadow) = sums.solution else { return nil }
        return Point(
            curve: curve, score: odds(of: curve) - sums.misfit(level, exponent, shadow) / 2,
            line: Line(level: level, exponent: exponent, shadow: shadow))
    }

    /// The logarithm, before anything was heard.
    private func odds(of curve: PassageCurve) -> Double {
        let off = (Double.log(curve.width) - Self.width.mean) / Self.width.deviation
        return (curve.way == .past ? 0 : presence.odds) - off * off / 2
    }

    /// Cauchy's weights around the best curve so far.
    private mutating func reweigh(by best: Point) {
        let residuals = hits.map { $0.rssi - best.line.value(best.curve.shape(at: $0.time)) }
        let sizes = zip(residuals, hits).map { abs($0) * $1.count.squareRoot() }.sorted()
        // The median of absolute values is 0.6745 deviations of a normal law.
        let whole = sizes[sizes.count / 2] / 0.6745
        noise = CorrelatedNoise.deviation(of: residuals.map { max(-2.5 * whole, min(2.5 * whole, $0)) })
        // 2 dB: no radio is better.
        deviation = max(4, whole * whole - noise * noise).squareRoot()
        weights = zip(residuals, hits).map { residual, hit in
            let doubt = residual < 0 ? Self.doubt.weaker : Self.doubt.stronger
            let ratio = residual * hit.count.squareRoot() / (doubt * deviation)
            return hit.count / (1 + ratio * ratio)
        }
    }

    private func answer(_ points: [Point], _ first: Double, _ last: Double, grain: Double) -> Estimate? {
        guard let best = points.max(by: { $0.score < $1.score }) else { return nil }
        var byTime: [Double: Double] = [:]
        for point in points { byTime[point.curve.time, default: 0] += Double.exp(point.score - best.score) }
        // In the order of time: ties and sums do not depend on a hash.
        let masses = byTime.sorted { $0.key < $1.key }
        let total = masses.reduce(0) { $0 + $1.value }
        let nearest = masses.max { $0.value < $1.value }?.key ?? best.curve.time
        let distances = masses.map { (distance: abs($0.key - nearest), share: $0.value / total) }
            .sorted { $0.distance < $1.distance }
        var share = 0.0
        var bound = 0.0
        for entry in distances where share < 0.95 {
            share += entry.share
            bound = entry.distance
        }
        // Between two points of the grid nothing was tried.
        bound = presence.caution * max(bound, grain)
        let ends = [first, last].map { best.line.value(best.curve.shape(at: $0)) }
        // For a runner that comes or leaves, one end may be the nearest.
        let end = best.curve.way == .past ? ends.max() : ends.min()
        return Estimate(nearest: nearest, bound: bound, prominence: best.line.level - (end ?? 0))
    }
}

extension PassageFit {
    /// One estimate of those of several antennas, which stand on one line across the course.
    ///
    /// They hear the same tag with different distances, bodies in the way and fading, so their errors have little to do
    /// with each other: the mean, weighted by the certainty of each, is more certain than either. One that
    /// contradicts the surest by more than both bounds allow has heard something else, a reflection mostly: it
    /// is left out.
    static func joined(_ estimates: [Estimate]) -> Estimate? {
        guard let surest = estimates.min(by: { $0.bound < $1.bound }) else { return nil }
        let agreeing = estimates.filter { other in
            let allowed = (surest.bound * surest.bound + other.bound * other.bound).squareRoot()
            return abs(other.nearest - surest.nearest) <= allowed
        }
        guard agreeing.count > 1 else { return surest }
        let weights = agreeing.map { 1 / max(1e-6, $0.bound * $0.bound) }
        let whole = weights.reduce(0, +)
        let sum = zip(agreeing, weights).reduce(0) { $0 + $1.0.nearest * $1.1 }
        return Estimate(
            nearest: sum / whole, bound: (1 / whole).squareRoot(),
            prominence: agreeing.map(\.prominence).max() ?? surest.prominence)
    }
}

/// How a tag's strength goes as somebody moves near the box: its shape, without level, exponent and shadow.
struct PassageCurve {
    /// Movement of a runner near the box, in `u`: the distance from the line in multiples of the nearest
    /// distance.
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

    /// Factors of the exponent and of the shadow at an instant.
    @inline(__always)
    func shape(at instant: Double) -> (loss: Double, side: Double) {
        let u = min(max((instant - time) / width, way.from), way.to)
        let square = 1 + u * u
        return (1.5051499783199060 * Self.log2(square), u / square.squareRoot())
    }

    /// To 1e-7, for arguments of 1 at least: three of four instructions of the estimate are its logarithms, and
    /// the library's knows far more digits than a strength has. The mantissa by the series of the inverse
    /// hyperbolic tangent.
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

/// The least squares of level, exponent and shadow in `value = level - exponent · loss - shadow · side`, with priors on
/// the last two. Everything is in units of its own deviation.
struct NormalEquations {
    private var w = 0.0, l = 0.0, s = 0.0, ll = 0.0, ls = 0.0, ss = 0.0
    private var y = 0.0, ly = 0.0, sy = 0.0, yy = 0.0

    /// - Parameter shadow: its deviation around zero.
    init(exponent: (mean: Double, deviation: Double), shadow: Double) {
        ll = 1 / (exponent.deviation * exponent.deviation)
        ly = -ll * exponent.mean
        yy = ll * exponent.mean * exponent.mean
        ss = 1 / (shadow * shadow)
    }

    mutating func add(one: Double, loss: Double, side: Double, value: Double) {
        w += one * one
        l += one * loss
        s += one * side
        ll += loss * loss
        ls += loss * side
        ss += side * side
        y += one * value
        ly += loss * value
        sy += side * value
        yy += value * value
    }

    /// By Cramer's rule; nil where nothing is determined.
    var solution: (level: Double, exponent: Double, shadow: Double)? {
        let determinant = w * (ll * ss - ls * ls) - l * (l * ss - ls * s) + s * (l * ls - ll * s)
        guard abs(determinant) > 1e-12 else { return nil }
        let level = y * (ll * ss - ls * ls) - l * (ly * ss - ls * sy) + s * (ly * ls - ll * sy)
        let loss = w * (ly * ss - ls * sy) - y * (l * ss - ls * s) + s * (l * sy - ly * s)
        let side = w * (ll * sy - ly * ls) - l * (l * sy - ly * s) + y * (l * ls - ll * s)
        return (level / determinant, -loss / determinant, -side / determinant)
    }

    /// Sum of squared residuals, those of the priors included.
    func misfit(_ level: Double, _ exponent: Double, _ shadow: Double) -> Double {
        let (a, b, c) = (level, -exponent, -shadow)
        let cross = a * y + b * ly + c * sy
        let square = a * a * w + b * b * ll + c * c * ss + 2 * (a * b * l + a * c * s + b * c * ls)
        return max(0, yy - 2 * cross + square)
    }
}
