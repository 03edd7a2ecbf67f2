import GatewayModel
public import RunBeacon

/// How far what is told of a runner's way is from the truth.
public struct FollowScore: Sendable {
    /// Metres, of each position that was told with a distance and was not marked unsure.
    public private(set) var errors: [Double] = []
    /// Seconds that a foreseen time was off by, and how many of them its bound allowed.
    public private(set) var predictions: [Answer] = []
    /// The same of the times at checkpoints that no box heard.
    public private(set) var crossings: [Answer] = []
    /// Crossings that were not found.
    public private(set) var missed = 0
    /// Positions that were marked unsure, or had no distance.
    public private(set) var unsure = 0
    /// From one sure position to the next farther than anybody runs, metres beyond that; the worst.
    public private(set) var leap = 0.0

    public struct Answer: Hashable, Sendable {
        public let error: Double
        public let bound: Double
    }

    public init() {}

    /// Follows a runner past checkpoints at each of `points` metres.
    public mutating func play(_ jog: Jog, points: [Double], rules: TrackRules = TrackRules()) throws {
        let run = try Self.run(jog.course, points)
        var track = RunnerTrack(run, start: Jog.start.wall, rules: rules)
        var sureBefore: RunnerPosition?
        var seen: Set<Double> = []
        for sample in jog.samples {
            guard case .taken(let position, let isToTell, let found) = track.take(sample.report) else {
                continue
            }
            for crossing in found {
                seen.insert(crossing.point.distance)
                note(crossing.time, crossing.bound, at: crossing.point.distance, jog, \.crossings)
            }
            guard let distance = position.distance, !position.flags.contains(.unsure) else {
                unsure += 1
                continue
            }
            errors.append(abs(distance - sample.distance))
            if let before = sureBefore, let last = before.distance {
                let seconds =
                    Double(
                        before.measured.boot.duration(to: position.measured.boot).wholeNanoseconds) / 1e9
                leap = max(leap, abs(distance - last) - rules.fastest * seconds)
            }
            sureBefore = position
            if isToTell, let next = position.next,
                let point = run.points.first(where: { $0.checkpoint == next.checkpoint })
            {
                note(next.time, next.bound, at: point.distance, jog, \.predictions)
            }
        }
        missed += points.count { $0 > 30 && !seen.contains($0) }
    }

    /// One checkpoint for each: `at-5000` and the like.
    public static func run(_ course: Course, _ points: [Double]) throws -> Run {
        let wave = Wave(id: WaveID("all")!, start: Jog.start.wall)
        return try Run(
            id: RunID("jog")!, title: "Jog", end: Jog.start.advanced(by: .seconds(86_400)).wall,
            waves: [wave],
            checkpoints: points.compactMap {
                Checkpoint(id: CheckpointID("at-\(Int($0))")!, distances: [$0])
            }, course: course, participants: [])
    }

    private mutating func note(
        _ time: WallTime, _ bound: Duration, at distance: Double, _ jog: Jog,
        _ list: WritableKeyPath<FollowScore, [Answer]>
    ) {
        guard let truth = jog.time(at: distance) else { return }
        let error = Double(time.millisecondsSince1970 - truth.wall.millisecondsSince1970) / 1_000
        self[keyPath: list].append(
            Answer(error: abs(error), bound: Double(bound.wholeMilliseconds) / 1_000))
    }
}

extension [FollowScore.Answer] {
    /// Of 100, how many lie within the bound stated.
    public var coverage: Double {
        isEmpty ? .nan : 100 * Double(count { $0.error <= $0.bound }) / Double(count)
    }
}

extension [Double] {
    /// NaN where there is none.
    public func quantile(_ share: Double) -> Double {
        isEmpty ? .nan : sorted()[Swift.min(count - 1, Int(share * Double(count)))]
    }
}
