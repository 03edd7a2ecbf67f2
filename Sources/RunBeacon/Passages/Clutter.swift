import RealModule

/// The noise of the hits of one passage: fading, anew with each, and what stands on the way, alike for a while.
///
/// It turns a column of values into one whose noise is white and of deviation 1: the innovations of a Kalman filter for
/// a process of Gauss and Markov under white noise. Its gains depend on the times alone, so they are found once for all
/// columns.
struct Clutter {
    /// dB: bodies and things between a tag and the box. Measured rooms show 1.5 to 3.7 dB at one distance.
    static let usual = 3.0
    private static let range = 2.4...6.0
    /// Seconds: some 2 m at 3 m/s.
    private static let memory = 0.6

    /// What a column has let the filter believe so far.
    struct Column {
        fileprivate var belief = 0.0
    }

    private struct Step {
        let decay, gain, scale: Double
    }

    private let steps: [Step]
    /// Of the constant 1, and of the values heard.
    private(set) var ones: [Double] = []
    private(set) var values: [Double] = []

    /// From what is left of a passage once the best curve is taken away: how much neighbouring hits have in common.
    /// Never less than what is usual anywhere: a curve that is free to bend takes some of it along.
    static func deviation(of residuals: [Double]) -> Double {
        guard residuals.count > 8 else { return usual }
        let common =
            zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / Double(residuals.count - 1)
        let deviation = max(0, 2 * common).squareRoot()
        return min(max(deviation, range.lowerBound), range.upperBound)
    }

    /// - Parameters: both dB.
    init(_ hits: [PassageFit.Hit], _ weights: [Double], fading: Double, deviation: Double) {
        let variance = deviation * deviation
        var doubt = variance
        var time = hits.first?.time ?? 0
        var steps: [Step] = []
        steps.reserveCapacity(hits.count)
        for (hit, weight) in zip(hits, weights) {
            let decay = Double.exp(-(hit.time - time) / Self.memory)
            doubt = decay * decay * doubt + (1 - decay * decay) * variance
            let whole = doubt + fading * fading / weight
            steps.append(Step(decay: decay, gain: doubt / whole, scale: 1 / whole.squareRoot()))
            doubt *= 1 - doubt / whole
            time = hit.time
        }
        self.steps = steps
        var (one, value) = (Column(), Column())
        ones = hits.indices.map { whiten(1, $0, &one) }
        values = hits.indices.map { whiten(hits[$0].rssi, $0, &value) }
    }

    /// The next of a column, in order.
    func whiten(_ value: Double, _ index: Int, _ column: inout Column) -> Double {
        let step = steps[index]
        let expected = step.decay * column.belief
        let surprise = value - expected
        column.belief = expected + step.gain * surprise
        return surprise * step.scale
    }
}
