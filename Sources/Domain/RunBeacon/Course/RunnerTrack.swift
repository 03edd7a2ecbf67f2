public import GatewayModel

/// The positions of one runner: which are believed, where on the course they are, and which are told.
///
/// Pure: told each position as it comes. Of bounded size, however many come: the last position, the belief
/// about the place on the course, and the checkpoints ahead.
public struct RunnerTrack: Sendable {
    /// Why a position says nothing of where the runner is.
    public enum Refusal: String, CaseIterable, Hashable, Codable, Sendable {
        /// Not newer than one that was taken: late, doubled or replayed.
        case late
        /// Too old on arrival.
        case old
        case inaccurate
        /// Nobody can be there so soon. It is held out until others agree with it.
        case leap
        /// The receiver itself says that it is no place of now.
        case noFix = "no-fix"
    }

    public enum Verdict: Hashable, Sendable {
        /// - isToTell: far or long enough after the last one that was.
        /// - crossings: checkpoints that were passed since the position before.
        case taken(RunnerPosition, isToTell: Bool, crossings: [LineCrossing])
        case refused(Refusal)
    }

    private let rules: TrackRules
    private let start: WallTime
    private var gate = SpeedGate()
    private var order = ReportOrder()
    private var onCourse: CourseTrack?
    private var told: RunnerPosition?
    /// The newest that was taken.
    public private(set) var latest: RunnerPosition?

    /// - Parameters:
    ///   - start: of the runner's wave.
    ///   - hasPassedLast: the last of the run's checkpoints, as is known from before a restart.
    public init(
        _ run: Run, start: WallTime, hasPassedLast: Bool = false, rules: TrackRules = TrackRules()
    ) {
        self.rules = rules
        self.start = start
        onCourse = run.course.map { CourseTrack($0, points: run.points, rules, hasPassedLast: hasPassedLast) }
    }

    public mutating func take(_ report: PositionReport) -> Verdict {
        let accuracy = report.accuracy ?? rules.usualAccuracy
        guard accuracy <= rules.worstAccuracy else { return .refused(.inaccurate) }
        guard report.measured.boot.duration(to: report.arrival.boot) <= rules.oldest else {
            return .refused(.old)
        }
        guard order.isNewer(report) else { return .refused(.late) }
        // ± 95 % are 1.96 deviations. No receiver on a wrist is better than 2 m.
        let error = max(2, accuracy / 1.96)
        let seen = SpeedGate.Seen(coordinates: report.coordinates, error: error, at: report.measured.boot)
        let verdict = gate.judge(seen, rules)
        guard verdict != .held else { return .refused(.leap) }
        order.take(report)
        return taken(report, seen, hasLeapt: verdict == .believed)
    }

    /// A box has timed the runner there: the meaning of positions on the course follows from it.
    public mutating func passed(_ point: RunPoint, at time: Moment) {
        onCourse?.passed(point, at: time.boot)
    }

    private mutating func taken(
        _ report: PositionReport, _ seen: SpeedGate.Seen, hasLeapt: Bool
    ) -> Verdict {
        let elapsed =
            Double(report.measured.wall.millisecondsSince1970 - start.millisecondsSince1970) / 1_000
        let place = onCourse?.follow(seen, elapsed: elapsed, hasLeapt: hasLeapt)
        var flags: Set<RunnerPosition.Flag> = place?.flags ?? []
        if hasLeapt { flags.insert(.leapt) }
        if report.accuracy == nil { flags.insert(.unknownAccuracy) }
        let position = RunnerPosition(
            coordinates: report.coordinates, accuracy: report.accuracy, measured: report.measured,
            arrival: report.arrival, distance: place?.distance, offset: place?.offset, speed: place?.speed,
            next: place?.next.map { next in
                RunnerPosition.Prediction(
                    checkpoint: next.point.checkpoint, time: report.measured.advanced(by: next.after).wall,
                    bound: next.bound)
            }, flags: flags)
        latest = position
        let isToTell = isToTell(position)
        if isToTell { told = position }
        let crossings = (place?.crossings ?? []).map {
            LineCrossing(
                point: $0.point, at: report.measured.advanced(by: $0.after), bound: $0.bound)
        }
        return .taken(position, isToTell: isToTell, crossings: crossings)
    }

    private func isToTell(_ position: RunnerPosition) -> Bool {
        guard let told else { return true }
        let pause = told.measured.boot.duration(to: position.measured.boot)
        guard pause >= rules.tellPause else { return false }
        return pause >= rules.tellTime || position.flags != told.flags
            || LocalPlane.metres(told.coordinates, position.coordinates) >= rules.tellMetres
    }
}

/// Where a runner is, on the ground and on the course, as it is told.
public struct RunnerPosition: Hashable, Sendable {
    public enum Flag: String, CaseIterable, Hashable, Codable, Sendable {
        /// Farther from the course than its width and the position's error explain.
        case offCourse = "off-course"
        /// The course passes here more than once, and which time it is is not certain.
        case unsure
        /// After positions that nobody could have reached, others agreed with them.
        case leapt
        /// Nobody knows how accurate it is: the source does not say.
        case unknownAccuracy = "unknown-accuracy"
        /// Nobody has told the box the time since it started: the times of this are as far off as its clock.
        case clockUnset = "clock-unset"
    }

    /// When the runner is likely to be at a checkpoint.
    public struct Prediction: Hashable, Sendable {
        public let checkpoint: CheckpointID
        public let time: WallTime
        /// The true time lies within ± this in 95 of 100 cases.
        public let bound: Duration

        public init(checkpoint: CheckpointID, time: WallTime, bound: Duration) {
            (self.checkpoint, self.time, self.bound) = (checkpoint, time, bound)
        }
    }

    public let coordinates: Coordinates
    /// Metres, ± in 95 of 100 cases.
    public let accuracy: Double?
    public let measured: Moment
    /// When it was worked out.
    public let arrival: Moment
    /// Metres from the start along the course; nil where there is no course, or the runner is off it.
    public let distance: Double?
    /// Metres from the course; nil where there is none.
    public let offset: Double?
    /// m/s along the course, smoothed; nil before it is known.
    public let speed: Double?
    /// Nil for a runner that stands, has no course, or no checkpoint ahead.
    public let next: Prediction?
    public internal(set) var flags: Set<Flag>

    public init(
        coordinates: Coordinates, accuracy: Double?, measured: Moment, arrival: Moment, distance: Double? = nil,
        offset: Double? = nil, speed: Double? = nil, next: Prediction? = nil, flags: Set<Flag> = []
    ) {
        (self.coordinates, self.accuracy) = (coordinates, accuracy)
        (self.measured, self.arrival) = (measured, arrival)
        (self.distance, self.offset, self.speed, self.next) = (distance, offset, speed, next)
        self.flags = flags
    }

    /// On arrival.
    public var age: Duration { max(.zero, measured.boot.duration(to: arrival.boot)) }

    /// Nil for a runner that stands: under 0.5 m/s a figure would say nothing.
    public var secondsPerKilometre: Double? { speed.flatMap { $0 >= 0.5 ? 1_000 / $0 : nil } }
}

/// When a position is believed, and when it is told. Every default says where it comes from.
public struct TrackRules: Hashable, Sendable {
    /// m/s; nobody runs faster (the world's best over 100 m reach 12.4 for a moment), so a faster move is a
    /// leap of the receiver, a lie or a car.
    public var fastest = 12.0
    /// A leap is believed once so many positions in a row, over so long, agree with each other.
    public var leapPositions = 4
    public var leapTime: Duration = .seconds(10)
    /// Metres, ± in 95 of 100 cases: a worse position says nothing of a runner's place on a course.
    public var worstAccuracy = 100.0
    /// Of a position without a stated error: the error of receivers on a wrist among houses and trees.
    public var usualAccuracy = 15.0
    /// Metres. Farther from the course, and farther than twice the accuracy, is off it: the width of a road,
    /// and the distance that a course that was drawn by hand is off by.
    public var offCourse = 40.0
    /// Older on arrival is told to nobody as where somebody is.
    public var oldest: Duration = .seconds(120)
    /// A position is told when the last one told is so far away,
    public var tellMetres = 25.0
    /// or so long ago,
    public var tellTime: Duration = .seconds(30)
    /// but never sooner than this after it.
    public var tellPause: Duration = .seconds(5)

    public init() {}
}
