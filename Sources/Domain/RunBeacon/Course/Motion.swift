import GatewayModel
import RealModule

/// How far along the course a runner is and how fast, from distances that err: a Kalman filter of three states.
///
/// Speed is a base that drifts (hills, tiring) and a deviation from it that goes by itself (a corner, a drink).
/// Future speed is predicted from the base, and from the deviation as far as it lasts.
struct Motion: Hashable, Sendable {
    /// m/s before anything is known: the usual speed in a road race, and its spread (95 % between 1 and 5).
    static let usualSpeed = (mean: 2.9, deviation: 1.0)
    /// Of the deviation: m/s, and the seconds it lasts.
    private static let wobble = (deviation: 0.6, seconds: 40.0)
    /// m²/s³: how fast the base drifts: 0.5 m/s in an hour.
    private static let drift = 0.5 * 0.5 / 3_600
    /// Errors of satellite positions hardly change within seconds, so ten in ten seconds tell as much as one.
    private static let likeness = 20.0
    /// Deviations of a measurement from the prediction, in a row, after which the prediction is given up: a
    /// long stop, or the end of one.
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

    /// m/s. Below zero for a runner that goes back.
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

    /// When the runner will be at a distance, and one standard deviation of that: of speed, of its drift, and
    /// of `error` metres. Nil for a runner that does not get there in `limit` seconds, or stands there.
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

    /// m/s: a slower runner stands.
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

/// Holds out positions that nobody can have reached, until enough others agree with them.
struct SpeedGate: Hashable, Sendable {
    struct Seen: Hashable, Sendable {
        let coordinates: Coordinates
        /// Metres, one standard deviation.
        let error: Double
        let at: BootInstant
    }

    enum Verdict: Hashable, Sendable {
        case passed, held
        /// The position that was held out is the runner's.
        case believed
    }

    /// Positions far away that agree with each other.
    private struct Suspects: Hashable, Sendable {
        let first: Seen
        var count: Int
        var latest: Seen
    }

    /// Over so long a speed shows that two positions in a row hide in their errors.
    private static let stretch = Duration.seconds(15)

    private var last: Seen?
    /// One and two stretches ago, or a little more.
    private var before: Seen?
    private var longBefore: Seen?
    private var suspects: Suspects?

    mutating func judge(_ seen: Seen, _ rules: TrackRules) -> Verdict {
        guard
            [last, longBefore].contains(where: { $0.map { !Self.isReachable(seen, from: $0, rules) } ?? false })
        else {
            pass(seen)
            return .passed
        }
        guard var suspects, Self.isReachable(seen, from: suspects.latest, rules),
            Self.isReachable(seen, from: suspects.first, rules)
        else {
            suspects = Suspects(first: seen, count: 1, latest: seen)
            return .held
        }
        suspects.count += 1
        suspects.latest = seen
        self.suspects = suspects
        guard suspects.count >= rules.leapPositions,
            suspects.first.at.duration(to: seen.at) >= rules.leapTime
        else { return .held }
        (before, longBefore) = (nil, nil)
        pass(seen)
        return .believed
    }

    private mutating func pass(_ seen: Seen) {
        (last, suspects) = (seen, nil)
        if before.map({ $0.at.duration(to: seen.at) >= Self.stretch }) ?? true {
            (before, longBefore) = (seen, before)
        }
    }

    private static func isReachable(_ seen: Seen, from last: Seen, _ rules: TrackRules) -> Bool {
        let seconds = Double(last.at.duration(to: seen.at).wholeNanoseconds) / 1e9
        // 3 deviations of the difference, of 1,000 positions 997.
        let blur = 3 * (last.error * last.error + seen.error * seen.error).squareRoot()
        return LocalPlane.metres(last.coordinates, seen.coordinates) - blur <= rules.fastest * max(0, seconds)
    }
}
