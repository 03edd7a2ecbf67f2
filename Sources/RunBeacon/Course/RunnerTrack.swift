public import GatewayModel

/// The positions of one runner: which are believed, where on the course they are, and which are told.
///
/// Pure: told each position as it comes. Of bounded size, however many come: the last position, what is believed of the
/// place on the course, and the checkpoints ahead.
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

    /// A box has timed the runner there: what the positions are on the course follows from it.
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
