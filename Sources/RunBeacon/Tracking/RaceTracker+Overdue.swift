public import GatewayModel

/// A runner who should have passed by now, however slowly they go: their tag is lost, or they are.
public struct OverdueRunner: Hashable, Sendable {
    public let owner: Enrolment
    public let checkpoint: CheckpointID
    /// Which time at the checkpoint is waited for, 1 for the first.
    public let order: Int
    /// When one of their tags was heard last; nil for never, since the box started.
    public let lastHeard: WallTime?
}

extension RaceTracker {
    /// m/s: a slow walk. Whoever is slower is looked for.
    private static var slowest: Double { 1.0 }
    /// For a start that takes its time, and a rest on the way.
    private static var grace: Duration { .seconds(600) }

    /// In the order of the runs, then of the bibs.
    public func overdue(at now: BootInstant) -> [OverdueRunner] {
        let time = clock.time(of: now).time
        let tags = table.tagsOfRunners
        return underway.flatMap { run -> [OverdueRunner] in
            // Of one whose log is not read yet nobody knows who has passed.
            guard let timer = timers[run.id], !past.isAwaited(run.id) else { return [] }
            let checkpoint = timer.checkpoint
            let late = checkpoint.distances.enumerated().flatMap { count, metres in
                timer.awaited(at: time, after: Self.grace + .seconds(metres / Self.slowest))
                    .filter { timer.count(of: $0) == count }
            }
            return Set(late).sorted().map { bib in
                let owner = Enrolment(run: run.id, bib: bib)
                let heard = (tags[owner] ?? []).compactMap { watch.lastHeard($0) }.max()
                return OverdueRunner(
                    owner: owner, checkpoint: checkpoint.id, order: timer.count(of: bib) + 1,
                    lastHeard: heard.map { clock.time(of: $0).time })
            }
        }
    }
}
