public import GatewayModel

/// What disciplined the wall clock when a passing was timed, best first.
public enum ClockQuality: String, CaseIterable, Hashable, Sendable {
    case pps, gps, ntp
    /// Nothing: the time is as good as the oscillator since it last knew.
    case freeRunning = "free-running"
}

/// A runner at a checkpoint.
public struct Passing: Hashable, Sendable {
    public let id: MessageID
    public let run: RunID
    public let checkpoint: CheckpointID
    public let bib: Int
    public let moment: Moment
    public let clock: ClockQuality
    /// The true instant lies within ± this of `moment`, in 95 of 100 passings.
    public let errorBound: Duration
    /// Advertisements the time rests on; one is a poor passing.
    public let hits: Int

    public init(
        id: MessageID, run: RunID, checkpoint: CheckpointID, bib: Int, moment: Moment, clock: ClockQuality,
        errorBound: Duration, hits: Int
    ) {
        self.id = id
        self.run = run
        self.checkpoint = checkpoint
        self.bib = bib
        self.moment = moment
        self.clock = clock
        self.errorBound = errorBound
        self.hits = hits
    }
}
