public import GatewayModel

/// The timers of the runs that a box times at a time.
public struct RunTimers: Sendable {
    public let gateway: GatewayID
    private var timers: [RunID: CheckpointTimer] = [:]

    public init(gateway: GatewayID) {
        self.gateway = gateway
    }

    /// The runs that are underway, as they stand now. The others are not timed any more.
    public mutating func follow(_ runs: [Run]) {
        var timers: [RunID: CheckpointTimer] = [:]
        for run in runs {
            guard let checkpoint = run.checkpoint(of: gateway) else { continue }
            if var timer = self.timers[run.id], timer.checkpoint.id == checkpoint.id {
                timer.follow(run, at: checkpoint)
                timers[run.id] = timer
            } else {
                timers[run.id] = CheckpointTimer(run, at: checkpoint, gateway: gateway)
            }
        }
        self.timers = timers
    }

    /// Nil where the run is not timed, or the box stands at none of its checkpoints.
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
        owners.compactMap { owner in
            timers[owner.run]?.take(passage, of: owner.bib, marks: marks, dating: dating, makeID: makeID)
        }
    }
}
