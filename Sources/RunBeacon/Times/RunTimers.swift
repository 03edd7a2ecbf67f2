public import GatewayModel

/// The timers of the runs that a box times at a time.
public struct RunTimers: Sendable {
    public let gateway: GatewayID
    private var timers: [RunID: CheckpointTimer] = [:]
    private var underway: Set<RunID> = []

    public init(gateway: GatewayID) {
        self.gateway = gateway
    }

    /// The runs that are underway, as they stand now.
    /// - Parameter known: those that there are: one of them may go on, by another end, and counts on then. Of any other
    ///   nothing is kept.
    public mutating func follow(_ runs: [Run], known: Set<RunID>) {
        timers = timers.filter { known.contains($0.key) }
        underway = Set(runs.map(\.id))
        for run in runs {
            guard let checkpoint = run.checkpoint(of: gateway) else {
                timers[run.id] = nil
                continue
            }
            if var timer = timers[run.id], timer.checkpoint.id == checkpoint.id {
                timer.follow(run, at: checkpoint)
                timers[run.id] = timer
            } else {
                timers[run.id] = CheckpointTimer(run, at: checkpoint, gateway: gateway)
            }
        }
    }

    /// Nil where the run was not timed yet, or the box stands at none of its checkpoints.
    public subscript(run: RunID) -> CheckpointTimer? { timers[run] }

    /// One that was told before a restart, in the order they were told.
    public mutating func fold(_ passing: Passing) {
        guard passing.gateway == gateway else { return }
        timers[passing.run]?.fold(passing)
    }

    /// A passing in each run that the tag is enrolled in.
    public mutating func take(
        _ passage: Passage, of owners: [Enrolment], marks: Set<Passing.Flag> = [],
        dating: CheckpointTimer.Dating,
        makeID: (WallTime) -> MessageID
    ) -> [Passing] {
        owners.filter { underway.contains($0.run) }.compactMap { owner in
            timers[owner.run]?.take(passage, of: owner.bib, marks: marks, dating: dating, makeID: makeID)
        }
    }
}
