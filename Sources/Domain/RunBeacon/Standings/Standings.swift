public import GatewayModel

/// Standings of a run, from its passings in any order, doubled or not.
///
/// Pure. Kept for each runner is one passing for each point of the run: it does not grow with the number of
/// passings.
public struct Standings: Sendable {
    /// Effect of a passing on them.
    public enum Change: Hashable, Sendable {
        case changed
        /// A better one is known, it came before, or it does not count.
        case unchanged
        /// Of another run, or a bib, a checkpoint or an order that this one does not have: nothing can be said of it.
        case unknown
    }

    public let run: RunID
    /// From the start to the finish.
    public let points: [RunPoint]
    private let places: [RunPointKey: Int]
    private let checkpoints: [CheckpointID: Checkpoint]
    private var records: [Bib: RunnerRecord] = [:]

    /// Key of a point.
    private struct RunPointKey: Hashable {
        let checkpoint: CheckpointID
        let order: Int
    }

    public init(_ run: Run) {
        self.run = run.id
        let points = run.points
        self.points = points
        places = Dictionary(
            points.enumerated().map {
                (RunPointKey(checkpoint: $0.element.checkpoint, order: $0.element.order), $0.offset)
            },
            uniquingKeysWith: { first, _ in first })
        checkpoints = Dictionary(run.checkpoints.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for participant in run.participants {
            let start = run.wave(participant.wave)?.start ?? run.start
            records[participant.bib] = RunnerRecord(participant, start: start, points: points.count)
        }
    }

    @discardableResult
    public mutating func add(_ passing: Passing) -> Change {
        guard passing.run == run, let checkpoint = checkpoints[passing.checkpoint],
            records[passing.bib] != nil
        else { return .unknown }
        guard let order = passing.order else { return .unchanged }
        guard let place = places[RunPointKey(checkpoint: passing.checkpoint, order: order)] else {
            return .unknown
        }
        let isNew = records[passing.bib]?.add(passing, at: place, by: checkpoint.rule(forOrder: order))
        return isNew == true ? .changed : .unchanged
    }

    /// A runner has been taken out of the run, or is back in it.
    public mutating func leave(_ bib: Bib, hasLeft: Bool = true) {
        records[bib]?.hasLeft = hasLeft
    }

    /// A person has given the runner this state; nil takes it back.
    public mutating func mark(_ bib: Bib, as mark: RaceCorrection.Mark?) {
        records[bib]?.mark = mark
    }

    /// The table.
    /// Finishers by their times; then runners under way, by their distance and time there; then runners that
    /// were not heard, and those that left, by their bibs.
    ///
    /// - Parameter category: nil for all.
    public func table(category: String? = nil, by basis: StandingsBasis = .gun) -> [Standing] {
        StandingsTable(points: points, basis: basis).rows(
            records.values.filter { category == nil || $0.participant.category == category })
    }

    /// Those that the run's participants name, in the order of the alphabet.
    public var categories: [String] {
        Set(records.values.compactMap(\.participant.category)).sorted()
    }
}

/// One runner in the standings.
public struct Standing: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// Not heard yet.
        case expected
        case running
        case finished
        /// Taken out of the run before the finish.
        case left
        case didNotStart = "dns"
        case didNotFinish = "dnf"
        case disqualified = "dsq"
    }

    public let bib: Bib
    public let name: String?
    public let category: String?
    public let wave: WaveID
    public let state: State
    /// 1 for the first; equal runners share a rank, and the next one's counts them all (1, 2, 2, 4). Nil for a
    /// runner that has not been heard, or has left before the finish.
    public let rank: Int?
    /// Points that were passed, from the start on. Points may be missing.
    public let splits: [Split]
    /// Metres: of the farthest point that was passed; nil for a runner that has not been heard.
    public let distance: Double?
    /// To the farthest point.
    public let gun: Duration?
    public let net: Duration?
    /// How much later than the first of the table at the same point; nil where that is not known, or for the first.
    public let gap: Duration?
    /// ± 95 %, of the time that ranks, at the farthest point: of a net time the error of the start is in it.
    public let bound: Duration?
    /// The difference to the runner before is smaller than the error of both times: a photograph may say
    /// otherwise.
    public let isUndecided: Bool
}

/// A runner at a point of the run, as it counts.
public struct Split: Hashable, Sendable {
    public let point: RunPoint
    public let time: WallTime
    /// Since the start of the wave.
    public let gun: Duration
    /// Since the runner's own passing of the start; nil where the run has no point there, or the runner was not heard.
    public let net: Duration?
    /// ± 95 %, of `time`, and so of `gun`; nil where nobody knows how wrong the clock was.
    public let bound: Duration?
    /// ± 95 %, of `net`: of this time and of the runner's start. Nil where there is no `net`, or one of the two has no bound.
    public let netBound: Duration?
    public let method: Passing.Method
    /// The passing that counts.
    public let passing: MessageID

    /// From which clock a time counts.
    func elapsed(_ basis: StandingsBasis) -> Duration {
        switch basis {
        case .gun: gun
        // A runner that was not heard at the start has started with the gun, as far as anybody can prove.
        case .net: net ?? gun
        }
    }

    /// ± 95 %, of `elapsed`.
    func bound(_ basis: StandingsBasis) -> Duration? {
        switch basis {
        case .gun: bound
        case .net: net == nil ? bound : netBound
        }
    }
}

/// Which time ranks.
public enum StandingsBasis: String, CaseIterable, Hashable, Sendable {
    /// From the start of the wave: as winners are ranked.
    case gun
    /// From each runner's own passing of the start: as age groups often are.
    case net
}

/// One runner's passings, so far as they count.
struct RunnerRecord: Sendable {
    let participant: Participant
    let start: WallTime
    /// One for each point of the run, in its order.
    private var passings: [Passing?]
    var hasLeft = false
    var mark: RaceCorrection.Mark?

    init(_ participant: Participant, start: WallTime, points: Int) {
        self.participant = participant
        self.start = start
        passings = Array(repeating: nil, count: points)
    }

    /// - Returns: whether it changes anything.
    mutating func add(_ passing: Passing, at point: Int, by rule: Checkpoint.Rule) -> Bool {
        if let old = passings[point], old.id == passing.id || !passing.counts(before: old, by: rule) {
            return false
        }
        passings[point] = passing
        return true
    }

    func splits(_ points: [RunPoint]) -> [Split] {
        // The start, where the run has a point there: the first of the points lies at zero.
        let own = points.first.flatMap { $0.distance == 0 ? passings.first ?? nil : nil }
        return zip(points, passings).compactMap { point, passing in
            guard let passing else { return nil }
            return Split(
                point: point, time: passing.time, gun: Self.duration(start, passing.time),
                net: own.map { Self.duration($0.time, passing.time) }, bound: passing.bound,
                netBound: own.flatMap { Self.bound(from: $0, to: passing) }, method: passing.method,
                passing: passing.id)
        }
    }

    /// In quadrature, as the clock's error is put to a passage's and as two runners are compared: the start and this are two
    /// passages, which err by nothing that they have in common. Where one box timed both, the error of its
    /// clock is in both bounds and not in the difference: then this is too much, and never too little. From a
    /// start to itself is zero, exactly.
    private static func bound(from start: Passing, to passing: Passing) -> Duration? {
        if start.id == passing.id { return .zero }
        guard let own = start.bound, let bound = passing.bound else { return nil }
        return own.combined(with: bound)
    }

    private static func duration(_ from: WallTime, _ to: WallTime) -> Duration {
        .milliseconds(to.millisecondsSince1970 - from.millisecondsSince1970)
    }
}
