import RealModule

/// The noise of the hits of one passage: fading, new for each, and obstacles on the way, alike for a while.
///
/// It turns a column of values into one whose noise is white and of deviation 1: the innovations of a Kalman filter for
/// a process of Gauss and Markov under white noise. Its gains depend on the times alone, so they are found once for all
/// columns.
struct CorrelatedNoise {
    /// dB: bodies and things between a tag and the box. Measured rooms show 1.5 to 3.7 dB at one distance.
    static let usual = 3.0
    private static let range = 2.4...6.0

    /// A hit, and the filter's step at it.
    struct Step {
        /// Seconds.
        let time: Double
        let decay, gain, scale: Double
        /// The constant 1 and the received value, after whitening.
        var one = 0.0
        var value = 0.0

        /// The next of a column, in order.
        /// - Parameter belief: state of the filter from the column so far; zero before the first.
        @inline(__always)
        func whiten(_ value: Double, _ belief: inout Double) -> Double {
            let expected = decay * belief
            let surprise = value - expected
            belief = expected + gain * surprise
            return surprise * scale
        }
    }

    private(set) var steps: [Step]

    /// Correlation of neighbouring hits in the residuals of the best curve. Never less than the usual value: a
    /// curve that is free to bend takes some of it along.
    static func deviation(of residuals: [Double]) -> Double {
        guard residuals.count > 8 else { return usual }
        let common =
            zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / Double(residuals.count - 1)
        let deviation = max(0, 2 * common).squareRoot()
        return min(max(deviation, range.lowerBound), range.upperBound)
    }

    /// - Parameters:
    ///   - fading: dB; `deviation` too.
    /// - memory: seconds for which the obstacles on the way stay alike.
    init(_ hits: [PassageFit.Hit], _ weights: [Double], fading: Double, deviation: Double, memory: Double) {
        let variance = deviation * deviation
        var doubt = variance
        var time = hits.first?.time ?? 0
        var (one, value) = (0.0, 0.0)
        steps = []
        steps.reserveCapacity(hits.count)
        for (hit, weight) in zip(hits, weights) {
            let decay = Double.exp(-(hit.time - time) / memory)
            doubt = decay * decay * doubt + (1 - decay * decay) * variance
            let whole = doubt + fading * fading / weight
            var step = Step(time: hit.time, decay: decay, gain: doubt / whole, scale: 1 / whole.squareRoot())
            step.one = step.whiten(1, &one)
            step.value = step.whiten(hit.rssi, &value)
            steps.append(step)
            doubt *= 1 - doubt / whole
            time = hit.time
        }
    }
}
