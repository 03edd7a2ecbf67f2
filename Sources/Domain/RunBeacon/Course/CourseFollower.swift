public import GatewayModel

/// Which of the places on the course that a position may stand for it does: where the course passes one place twice,
/// the earlier hypothesis decides.
///
/// Each place is a hypothesis; a position brings new ones, each as costly as the cheapest way to it from an old one:
/// how far it lies off, whether the distance along the course suits the time, the speed and the way in the air, and
/// whether it goes back. (Map matching by a hidden Markov model, Newson and Krumm 2009.) Costs are logarithms of
/// likelihoods: 5 is 1 to 150.
struct CourseFollower: Hashable, Sendable {
    struct Hypothesis: Hashable, Sendable {
        /// Metres from the start.
        let distance: Double
        var cost: Double
    }

    /// A position, as far as it matters here.
    struct Place: Hashable, Sendable {
        let coordinates: Coordinates
        /// Metres, one standard deviation.
        let error: Double
        /// Metres from the course at which it is on it.
        let gate: Double
        let at: BootInstant
    }

    enum Finding: Hashable, Sendable {
        /// - isSure: nowhere else, or on another lap, with any likelihood.
        case on(distance: Double, offset: Double, isSure: Bool)
        /// Farther from the course than the gate.
        case off(offset: Double)
        /// On the course, but where nobody can be so soon.
        case beyondReach(offset: Double)
    }

    private static let most = 8
    private static let hopeless = 15.0
    private static let sure = 5.0
    /// Metres: hypotheses that are closer together count as one.
    private static let alike = 60.0

    private var hypotheses: [Hypothesis] = []
    private var last: Place?

    /// - Parameters:
    ///   - speed: m/s, and one standard deviation.
    ///   - elapsed: seconds since the start of the runner's wave; negative before.
    mutating func follow(
        _ place: Place, on course: Course, speed: (mean: Double, error: Double), fastest: Double,
        elapsed: Double
    ) -> Finding {
        guard let last, !hypotheses.isEmpty else {
            return begin(place, on: course, elapsed: elapsed)
        }
        let step = Step(from: last, to: place, speed: speed, fastest: fastest)
        let known = hypotheses.map(\.distance)
        let low = max(0, (known.min() ?? 0) - step.backReach)
        let high = min(course.length, (known.max() ?? 0) + step.reach)
        let feet = course.feet(of: place.coordinates, in: low...max(low, high), within: place.gate)
        let new = feet.compactMap { foot in
            cheapest(step, to: foot).map {
                Hypothesis(
                    distance: foot.distance, cost: $0 + step.news * Self.square(foot.offset / place.error) / 2)
            }
        }
        guard let best = keep(new), let foot = feet.first(where: { $0.distance == best.distance }) else {
            let offset = course.offset(of: place.coordinates)
            return offset <= place.gate ? .beyondReach(offset: offset) : .off(offset: offset)
        }
        self.last = place
        return .on(distance: best.distance, offset: foot.offset, isSure: isSure)
    }

    /// All that was believed is given up: the next position begins anew.
    mutating func forget() {
        self = CourseFollower()
    }

    /// Hypotheses that a timed passing proves.
    mutating func anchor(_ place: Place, at distance: Double) {
        hypotheses = [Hypothesis(distance: distance, cost: 0)]
        last = place
    }

    private mutating func begin(_ place: Place, on course: Course, elapsed: Double) -> Finding {
        let feet = course.feet(of: place.coordinates, within: place.gate, limit: .max)
        let best = keep(
            feet.map {
                Hypothesis(
                    distance: $0.distance,
                    cost: Self.square($0.offset / place.error) / 2 + Self.cost(of: $0.distance, after: elapsed))
            })
        guard let best, let foot = feet.first(where: { $0.distance == best.distance }) else {
            return .off(offset: course.offset(of: place.coordinates))
        }
        last = place
        return .on(distance: best.distance, offset: foot.offset, isSure: isSure)
    }

    /// How unlikely it is to be so far after so long: by the speed of most, in which people differ widely.
    private static func cost(of distance: Double, after elapsed: Double) -> Double {
        let usual = Motion.usualSpeed
        // 50 m: of the crowd that stands before the start.
        let time = max(0, elapsed)
        return square((distance - usual.mean * time) / (usual.deviation * time + 50)) / 2
    }

    private func cheapest(_ step: Step, to foot: Course.Foot) -> Double? {
        hypotheses.compactMap { old in step.cost(of: foot.distance - old.distance).map { old.cost + $0 } }.min()
    }

    /// - Returns: the best one; nil, and all stays as it was, where there is none.
    private mutating func keep(_ new: [Hypothesis]) -> Hypothesis? {
        let sorted = new.sorted { ($0.cost, $0.distance) < ($1.cost, $1.distance) }
        guard let best = sorted.first else { return nil }
        hypotheses = sorted.prefix(Self.most).map {
            Hypothesis(distance: $0.distance, cost: $0.cost - best.cost)
        }
        .filter { $0.cost < Self.hopeless }
        return best
    }

    private var isSure: Bool {
        guard let best = hypotheses.first else { return false }
        return hypotheses.allSatisfy {
            $0.cost >= Self.sure || abs($0.distance - best.distance) <= Self.alike
        }
    }

    fileprivate static func square(_ value: Double) -> Double { value * value }
}

/// The way from one position to the next.
private struct Step {
    /// Metres along the course that can be covered, and that one can have gone back.
    let reach, backReach: Double
    /// How much of the position's error is its own: errors of satellite positions last, and the same one ten times over
    /// would prove a false position.
    let news: Double
    private let expected, spread, air, blur: Double

    init(
        from last: CourseFollower.Place, to place: CourseFollower.Place, speed: (mean: Double, error: Double),
        fastest: Double
    ) {
        let seconds = max(0, Double(last.at.duration(to: place.at).wholeNanoseconds) / 1e9)
        blur = (last.error * last.error + place.error * place.error).squareRoot()
        news = min(1, seconds / 10)
        // 3 deviations, of 1,000 positions 997.
        reach = fastest * seconds + 3 * blur
        // A runner that goes back does not run.
        backReach = 2 * seconds + 3 * blur
        expected = max(0, speed.mean) * seconds
        // Speeds change by a third from one minute to the next.
        let change = max(speed.error, 0.3 * max(1, speed.mean))
        spread = (blur * blur + change * change * seconds * seconds).squareRoot()
        air = LocalPlane.metres(last.coordinates, place.coordinates)
    }

    /// Of so many metres along the course; nil where nobody can.
    func cost(of metres: Double) -> Double? {
        guard metres <= reach, metres >= -backReach else { return nil }
        let pace = (metres - expected) / spread
        // No way along the course is shorter than the one through the air.
        let shortcut = max(0, air - abs(metres)) / blur
        return pace * pace / 2 + shortcut * shortcut / 2 + (metres < -2 * blur ? 4 : 0)
    }
}

/// A runner was at a checkpoint by their positions: where no box stands, or none has heard the tag.
public struct LineCrossing: Hashable, Sendable {
    public let point: RunPoint
    public let at: Moment
    /// The true instant lies within ± this in 95 of 100 cases.
    public let bound: Duration

    public init(point: RunPoint, at: Moment, bound: Duration) {
        (self.point, self.at, self.bound) = (point, at, bound)
    }

    public var time: WallTime { at.wall }

    /// As it is kept and counted beside the passings of the boxes, which have better times.
    ///
    /// - Parameters:
    ///   - gateway: the box that has worked it out.
    ///   - clock: then.
    /// - marks: doubts that come from the clock.
    public func passing(
        id: MessageID, run: RunID, bib: Bib, gateway: GatewayID, clock: ClockState,
        marks: Set<Passing.Flag> = []
    ) -> Passing {
        Passing(
            id: id, run: run, checkpoint: point.checkpoint, gateway: gateway, bib: bib, order: point.order,
            time: time, first: time, last: time, clock: clock, bound: clock.bound.map { $0 + bound }, hits: 0,
            strongest: -127, method: .gpsLine, flags: marks.union(clock.bound == nil ? [.clockUnset] : []))
    }
}
