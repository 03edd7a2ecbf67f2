import GatewayModel
import Glibc
import RaceSimulation
import RunBeacon

/// Lower bound of a box's timing error: an estimator with full knowledge of each runner's line, speed, tag and radio
/// channel, which has to find only the time, within 10 s.
enum Floor: String, CaseIterable {
    case all = "knows all but the time"
    /// The body's shadow, by side, is estimated from the hits.
    case allButBody = "and but the body"

    func answers(_ hits: [TagNumber: [TagHit]], _ race: Race) -> [Score.Answer] {
        race.truths.compactMap { truth in
            let near = (hits[truth.tag] ?? []).filter {
                $0.antenna == 0 && abs(seconds(truth.nearest.duration(to: $0.arrival))) < 20
            }
            let air = Column(near, truth, race.scenario)
            guard air.isEnough else { return nil }
            let rough = nearest(stride(from: -10.0, through: 10, by: 0.1), air)
            let best = rough.flatMap { nearest(stride(from: $0 - 0.1, through: $0 + 0.1, by: 0.005), air) }
            return best.map { Score.Answer(tag: truth.tag, nearest: truth.nearest.advanced(by: .seconds($0))) }
        }
    }

    private func nearest(_ shifts: some Sequence<Double>, _ air: Column) -> Double? {
        shifts.map { ($0, air.misfit(at: $0, self)) }.min { $0.1 < $1.1 }?.0
    }
}

/// The hits of one passage, in seconds from the truth, and the noise that the simulator gave them.
private struct Column {
    private let curve: Race.Curve
    private let times, values: [Double]
    /// Coefficients at each sample of a Kalman filter for the correlated noise.
    private let decays, gains, scales: [Double]
    /// dB, of Rician fading with factors of 5 and 2 dB.
    private static let fading = (open: (mean: -1.1, deviation: 3.7), crowd: (mean: -1.7, deviation: 4.7))
    /// dB above the weakest received signal: closer to it, only upward fades are received.
    private static let margin = 8.0
    /// Standard deviations: a sample with a deeper fade carries no information, and the estimator with full knowledge
    /// leaves it out.
    private static let fade = 2.5
    private static let fewest = 10
    /// dB: standard deviation of the shadow, which is uniform in 0 to 15 dB.
    private static let shadow = 4.3

    init(_ hits: [TagHit], _ truth: Race.Truth, _ scenario: Scenario) {
        curve = truth.curve
        let noise = scenario.rician > 3 ? Self.fading.open : Self.fading.crowd
        let hits = hits.filter {
            let u = seconds(truth.nearest.duration(to: $0.arrival)) / truth.curve.width
            let level = truth.curve.level(at: u)
            return level > scenario.floor + Self.margin
                && abs(Double($0.rssi) - noise.mean - level) < Self.fade * noise.deviation
        }
        times = hits.map { seconds(truth.nearest.duration(to: $0.arrival)) }
        values = hits.map { Double($0.rssi) - noise.mean }
        let variance = scenario.clutter.deviation * scenario.clutter.deviation
        var (doubt, last) = (variance, times.first ?? 0)
        var (decays, gains, scales): ([Double], [Double], [Double]) = ([], [], [])
        for time in times {
            let decay = exp(-(time - last) * truth.curve.speed / scenario.clutter.metres)
            doubt = decay * decay * doubt + (1 - decay * decay) * variance
            let whole = doubt + noise.deviation * noise.deviation
            decays.append(decay)
            gains.append(doubt / whole)
            scales.append(1 / whole.squareRoot())
            doubt *= 1 - doubt / whole
            last = time
        }
        (self.decays, self.gains, self.scales) = (decays, gains, scales)
    }

    var isEnough: Bool { times.count >= Self.fewest }

    /// Returns the misfit of the curve after a shift in seconds.
    func misfit(at shift: Double, _ floor: Floor) -> Double {
        var (belief, sideBelief) = (0.0, 0.0)
        var (square, cross, side) = (0.0, 0.0, 1 / (Self.shadow * Self.shadow))
        for index in times.indices {
            let u = (times[index] - shift) / curve.width
            let sine = u / (1 + u * u).squareRoot()
            let level = curve.level(at: u) + (floor == .all ? 0 : curve.shadow * sine)
            let innovation = whiten(values[index] - level, &belief, index)
            let turned = whiten(sine, &sideBelief, index)
            square += innovation * innovation
            cross += innovation * turned
            side += turned * turned
        }
        return floor == .all ? square : square - cross * cross / side
    }

    private func whiten(_ value: Double, _ belief: inout Double, _ index: Int) -> Double {
        let expected = decays[index] * belief
        belief = expected + gains[index] * (value - expected)
        return (value - expected) * scales[index]
    }
}
