public import GatewayModel

/// The timers of the runs that a box times at a time.
public struct RunTimers: Sendable {
    private struct Place: Hashable {
        let run: RunID
        let checkpoint: CheckpointID
    }

    public let gateway: GatewayID
    /// Also of places where the box was sent from: by mistake, it may be, and then it is back there soon.
    private var timers: [Place: CheckpointTimer] = [:]
    /// Where it stands now.
    private var places: [RunID: Place] = [:]
    private var underway: [RunID: Run] = [:]
    /// Since when the box listens for each of these.
    private var since: [RunID: BootInstant] = [:]

    public init(gateway: GatewayID) {
        self.gateway = gateway
    }

    /// The runs that are underway, as they stand now: for those that were not before, the box begins to listen.
    /// - Parameter known: those that there are: one of them may go on, by another end, and counts on then. Of any other
    ///   nothing is kept.
    public mutating func follow(_ runs: [Run], known: Set<RunID>, at now: BootInstant) {
        timers = timers.filter { known.contains($0.key.run) }
        places = places.filter { known.contains($0.key) }
        underway = Dictionary(runs.map { ($0.id, $0) }) { first, _ in first }
        let before = since
        since = underway.mapValues { before[$0.id] ?? now }
        for run in runs {
            guard let checkpoint = run.checkpoint(of: gateway) else {
                places[run.id] = nil
                continue
            }
            let place = place(run, at: checkpoint)
            places[run.id] = place
            timers[place]?.follow(run, at: checkpoint)
            timers[place]?.listen(from: since[run.id] ?? now)
        }
    }

    private mutating func place(_ run: Run, at checkpoint: Checkpoint) -> Place {
        let place = Place(run: run.id, checkpoint: checkpoint.id)
        if timers[place] == nil { timers[place] = CheckpointTimer(run, at: checkpoint, gateway: gateway) }
        return place
    }

    /// Nil where the run was not timed yet, or the box stands at none of its checkpoints.
    public subscript(run: RunID) -> CheckpointTimer? { places[run].flatMap { timers[$0] } }

    /// One that was told before a restart, in the order they were told.
    /// - Parameter instant: nil for one of an earlier start of the machine.
    public mutating func fold(_ passing: Passing, at instant: BootInstant? = nil) {
        guard passing.gateway == gateway, let run = underway[passing.run],
            let checkpoint = run.checkpoints.first(where: { $0.id == passing.checkpoint })
        else { return }
        timers[place(run, at: checkpoint)]?.fold(passing, at: instant)
    }

    /// A passing in each run that the tag is enrolled in.
    public mutating func take(
        _ passage: Passage, of owners: [Enrolment], marks: Set<Passing.Flag> = [],
        dating: CheckpointTimer.Dating,
        makeID: (WallTime) -> MessageID
    ) -> [Passing] {
        owners.filter { underway[$0.run] != nil }.compactMap { owner in
            places[owner.run].flatMap { place in
                timers[place]?.take(passage, of: owner.bib, marks: marks, dating: dating, makeID: makeID)
            }
        }
    }
}
