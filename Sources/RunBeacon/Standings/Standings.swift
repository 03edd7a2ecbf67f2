public import GatewayModel

/// Who is where in a run, from its passings in whatever order they come, doubled or not.
///
/// Pure. Kept for each runner is one passing for each point of the run: it does not grow with what comes.
public struct Standings: Sendable {
    /// What a passing does to them.
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

    /// What names a point.
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

    /// The table.
    ///
    /// Those who have finished, by their times; then those under way, by how far they are, and when they were there;
    /// then those who were not heard, and those who left, by their bibs.
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
