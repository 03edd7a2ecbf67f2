import GatewayModel

/// One runner's way along the course: distance, speed, the next checkpoint, and those that were passed.
struct CourseTrack: Sendable {
    /// Evidence of one position.
    struct Place: Sendable {
        /// Something that is, or was, so long after the position was measured; below zero before it.
        struct Due: Sendable {
            let point: RunPoint
            let after: Duration
            /// ± 95 %.
            let bound: Duration
        }

        var distance: Double?
        var offset: Double?
        var speed: Double?
        var next: Due?
        var crossings: [Due] = []
        var flags: Set<RunnerPosition.Flag> = []
    }

    /// Metres: so close to the start one stands, walks about and waits, which says nothing of how one runs.
    private static let startArea = 30.0
    /// Metres, one deviation: where the line of a checkpoint is, beside where the course says.
    private static let lineError = 5.0
    /// Of a distance ahead: difference in length between the drawn course and the course that is run.
    private static let courseError = 0.004

    /// Of the course: possible difference between the drawn and the measured length.
    private static let finish = 0.95
    private static let farthest = 1.05

    private let course: Course
    private let rules: TrackRules
    private let points: [RunPoint]
    private var follower = CourseFollower()
    private var motion: Motion?
    /// Of `points`: those ahead.
    private var ahead: Int
    private var unreached = UnreachedPlaces()
    /// Whether the last point is where the course ends.
    private let hasFinish: Bool
    /// The finish has been passed. Where the runner goes from there is not on the course any more.
    private var hasFinished: Bool

    /// - Parameter hasPassedLast: the last of `points`.
    init(_ course: Course, points: [RunPoint], _ rules: TrackRules, hasPassedLast: Bool) {
        (self.course, self.rules) = (course, rules)
        self.points = points
        hasFinish = (points.last?.distance ?? 0) >= Self.finish * course.length
        ahead = points.firstIndex { $0.distance > Self.startArea } ?? points.count
        hasFinished = hasFinish && hasPassedLast
    }

    mutating func follow(_ seen: SpeedGate.Seen, elapsed: Double, hasLeapt: Bool) -> Place {
        guard !hasFinished else { return Place(distance: course.length) }
        if hasLeapt { restart() }
        let place = self.place(seen)
        let speed = motion.map { ($0.speed, $0.speedError) }
        let usual = Motion.usualSpeed
        let finding = follower.follow(
            place, on: course, speed: speed ?? (elapsed > 0 ? usual.mean : 0, usual.deviation),
            fastest: rules.fastest, elapsed: elapsed)
        switch finding {
        case .off(let offset):
            return Place(offset: offset, flags: [.offCourse])
        case .beyondReach(let offset):
            guard unreached.add(seen.at, rules) else { return Place(offset: offset, flags: [.unsure]) }
            restart()
            var place = follow(seen, elapsed: elapsed, hasLeapt: false)
            place.flags.insert(.leapt)
            return place
        case .on(let distance, let offset, let isSure):
            unreached = UnreachedPlaces()
            return on(distance, offset, isSure, seen, isRunning: elapsed > 0)
        }
    }

    mutating func passed(_ point: RunPoint, at instant: BootInstant) {
        let place = CourseFollower.Place(
            coordinates: course.place(at: point.distance), error: Self.lineError, gate: rules.offCourse,
            at: instant)
        follower.anchor(place, at: point.distance)
        ahead = points.firstIndex { $0.distance > point.distance } ?? points.count
        hasFinished = hasFinish && ahead == points.count && point.distance > Self.startArea
        if let motion, abs(motion.distance(at: instant) - point.distance) > 10 * rules.offCourse {
            self.motion = nil
        }
    }

    private func place(_ seen: SpeedGate.Seen) -> CourseFollower.Place {
        CourseFollower.Place(
            coordinates: seen.coordinates, error: (seen.error * seen.error + 25).squareRoot(),
            gate: max(rules.offCourse, 2 * 1.96 * seen.error), at: seen.at)
    }

    private mutating func restart() {
        follower.forget()
        motion = nil
        unreached = UnreachedPlaces()
    }

    private mutating func on(
        _ distance: Double, _ offset: Double, _ isSure: Bool, _ seen: SpeedGate.Seen, isRunning: Bool
    ) -> Place {
        var place = Place(distance: distance, offset: offset, flags: isSure ? [] : [.unsure])
        guard isRunning, distance > Self.startArea else { return place }
        let before = motion
        advance(to: distance, seen)
        guard let motion else { return place }
        place.distance = min(course.length, max(0, motion.distance(at: seen.at)))
        place.speed = motion.speed
        let isAtEnd = distance >= course.length
        if isSure { place.crossings = crossings(from: before, seen, isAtEnd: isAtEnd) }
        // Points ahead there come on laps that were not drawn.
        if !isAtEnd { place.next = next(motion, seen.error) }
        return place
    }

    private mutating func advance(to distance: Double, _ seen: SpeedGate.Seen) {
        // Another time round than was believed: no speed follows from that.
        if let motion, abs(motion.distance(at: seen.at) - distance) > 5 * rules.offCourse { self.motion = nil }
        if motion == nil { motion = Motion(distance: distance, error: seen.error, at: seen.at) }
        // At the end of the line all places are one, wherever the runner goes from there.
        guard distance < course.length else { return }
        motion?.measure(distance: distance, error: seen.error, at: seen.at)
    }

    private func next(_ motion: Motion, _ error: Double) -> Place.Due? {
        guard ahead < points.count else { return nil }
        let point = points[ahead]
        let rest = max(0, point.distance - motion.distance(at: motion.at))
        let blur =
            (error * error + Self.lineError * Self.lineError + Self.courseError * Self.courseError * rest * rest)
            .squareRoot()
        return motion.arrival(at: point.distance, error: blur).map {
            Place.Due(point: point, after: Self.duration($0.seconds), bound: Self.duration(1.96 * $0.error))
        }
    }

    /// The points between where the runner was and is.
    private mutating func crossings(
        from before: Motion?, _ seen: SpeedGate.Seen, isAtEnd: Bool
    ) -> [Place.Due] {
        guard let before, let motion else { return [] }
        let (from, to) = (before.distance(at: before.at), motion.distance(at: seen.at))
        let pause = Self.seconds(before.at, seen.at)
        var found: [Place.Due] = []
        while ahead < points.count {
            let point = points[ahead]
            guard point.distance <= Self.farthest * course.length else { break }
            let line = min(point.distance, course.length)
            guard to >= line || (isAtEnd && line >= course.length) else { break }
            ahead += 1
            hasFinished = hasFinish && ahead == points.count
            // Passed before it was known where the runner was: nobody can say when.
            guard line > from else { continue }
            let speed = max(Motion.standing, motion.speed, pause > 0 ? (to - from) / pause : 0)
            let share = min(pause, (line - from) / speed)
            let own = motion.distanceError
            let blur = (seen.error * seen.error + Self.lineError * Self.lineError + own * own).squareRoot()
            // Between two positions anything may happen: the farther they are apart, the less is known.
            let bound = 1.96 * blur / speed + min(share, pause - share) / 4
            found.append(
                Place.Due(
                    point: point, after: Self.duration(share - pause), bound: Self.duration(bound)))
        }
        return found
    }

    private static func seconds(_ from: BootInstant, _ to: BootInstant) -> Double {
        max(0, Double(from.duration(to: to).wholeNanoseconds) / 1e9)
    }

    private static func duration(_ seconds: Double) -> Duration {
        .nanoseconds(Int64(max(-1e15, min(1e15, seconds * 1e9))))
    }
}

/// On the course, but out of reach: believed once enough of them came.
private struct UnreachedPlaces: Sendable {
    private var since: BootInstant?
    private var count = 0

    /// - Returns: whether that is enough.
    mutating func add(_ instant: BootInstant, _ rules: TrackRules) -> Bool {
        let first = since ?? instant
        (since, count) = (first, count + 1)
        return count >= rules.leapPositions && first.duration(to: instant) >= rules.leapTime
    }
}
