import GatewayModel
import RealModule

/// How far along the course a runner is and how fast, from distances that err: a Kalman filter of three states.
///
/// Speed is a base that drifts (hills, tiring) and a deviation from it that goes by itself (a corner, a drink). What is
/// ahead is foreseen from the first, and the second as far as it lasts.
struct Motion: Hashable, Sendable {
    /// m/s before anything is known: what most run in a road race, and how much they differ (95 % between 1 and 5).
    static let usualSpeed = (mean: 2.9, deviation: 1.0)
    /// Of the deviation: m/s, and the seconds it lasts.
    private static let wobble = (deviation: 0.6, seconds: 40.0)
    /// m²/s³: how fast the base drifts: 0.5 m/s in an hour.
    private static let drift = 0.5 * 0.5 / 3_600
    /// Errors of satellite positions hardly change within seconds, so ten in ten seconds tell as much as one.
    private static let likeness = 20.0
    /// Deviations of a measurement from what was foreseen, in a row, after which what was foreseen is given up: a long
    /// stop, or the end of one.
    private static let surprise = (deviations: 3.0, times: 4)

    /// Metres, m/s, m/s.
    private var distance: Double
    private var base = Motion.usualSpeed.mean
    private var deviation = 0.0
    private var errors: Errors
    private(set) var at: BootInstant
    private var surprises = 0

    /// The covariance, its upper half.
    private struct Errors: Hashable, Sendable {
        var dd, db, du, bb, bu, uu: Double
    }

    init(distance: Double, error: Double, at instant: BootInstant) {
        self.distance = distance
        errors = Errors(
            dd: error * error, db: 0, du: 0,
            bb: Self.usualSpeed.deviation * Self.usualSpeed.deviation, bu: 0,
            uu: Self.wobble.deviation * Self.wobble.deviation)
        at = instant
    }

    /// m/s. Below zero for one who goes back.
    var speed: Double { base + deviation }

    /// m/s, one standard deviation.
    var speedError: Double { max(0, errors.bb + 2 * errors.bu + errors.uu).squareRoot() }

    /// Metres, one standard deviation.
    var distanceError: Double { max(0, errors.dd).squareRoot() }

    /// Metres from the start. At an instant that lies before the last measurement, back along the last speed.
    func distance(at instant: BootInstant) -> Double {
        let seconds = Self.seconds(at, instant)
        return seconds < 0 ? distance + speed * seconds : foreseen(after: seconds).distance
    }

    /// - Parameter error: metres, one standard deviation.
    mutating func measure(distance measured: Double, error: Double, at instant: BootInstant) {
        let seconds = max(0, Self.seconds(at, instant))
        (distance, deviation, errors) = foreseen(after: seconds)
        at = max(at, instant)
        let noise = error * error * max(1, Self.likeness / max(seconds, 0.1))
        let spread = errors.dd + noise
        let innovation = measured - distance
        // Against a single measurement's error, not the noise of one among alike ones.
        let isSurprise =
            innovation * innovation > (errors.dd + error * error) * Self.surprise.deviations
            * Self.surprise.deviations
        surprises = isSurprise ? surprises + 1 : 0
        guard surprises < Self.surprise.times else {
            self = Motion(distance: measured, error: error, at: at)
            return
        }
        let gains = (errors.dd / spread, errors.db / spread, errors.du / spread)
        distance += gains.0 * innovation
        base += gains.1 * innovation
        deviation += gains.2 * innovation
        errors = Errors(
            dd: errors.dd - gains.0 * errors.dd, db: errors.db - gains.0 * errors.db,
            du: errors.du - gains.0 * errors.du, bb: errors.bb - gains.1 * errors.db,
            bu: errors.bu - gains.1 * errors.du, uu: errors.uu - gains.2 * errors.du)
    }

    /// When the runner will be at a distance, and one standard deviation of that: of speed, of what becomes of it,
    /// and of `error` metres. Nil for one who does not get there in `limit` seconds, or stands there.
    func arrival(at goal: Double, error: Double, limit: Double = 6 * 3_600) -> (
        seconds: Double, error: Double
    )? {
        guard goal >= distance, foreseen(after: limit).distance >= goal else { return nil }
        var (low, high) = (0.0, limit)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if foreseen(after: middle).distance < goal { low = middle } else { high = middle }
        }
        let then = foreseen(after: high)
        let speed = base + then.deviation
        guard speed > Self.standing else { return nil }
        return (high, (then.errors.dd + error * error).squareRoot() / speed)
    }

    /// m/s: who is slower stands.
    static let standing = 0.4

    private func foreseen(after seconds: Double) -> (distance: Double, deviation: Double, errors: Errors) {
        let tau = Self.wobble.seconds
        let stay = Double.exp(-seconds / tau)
        // d' = d + b t + k u, b' = b, u' = stay u
        let k = tau * (1 - stay)
        let e = errors
        let variance = Self.wobble.deviation * Self.wobble.deviation
        let drift = Self.drift * seconds
        let new = Errors(
            dd: e.dd + seconds * seconds * e.bb + k * k * e.uu + 2 * seconds * e.db + 2 * k * e.du
                + 2 * seconds * k * e.bu + drift * seconds * seconds / 3
                + variance * tau * tau * (2 * seconds / tau - 3 + 4 * stay - stay * stay),
            db: e.db + seconds * e.bb + k * e.bu + drift * seconds / 2,
            du: stay * (e.du + seconds * e.bu + k * e.uu) + variance * tau * (1 - stay) * (1 - stay),
            bb: e.bb + drift, bu: stay * e.bu,
            uu: stay * stay * e.uu + variance * (1 - stay * stay))
        return (distance + base * seconds + k * deviation, stay * deviation, new)
    }

    private static func seconds(_ from: BootInstant, _ to: BootInstant) -> Double {
        Double(from.duration(to: to).wholeNanoseconds) / 1e9
    }
}
