public import GatewayModel

/// A runner at a checkpoint, as it is kept, sent and counted.
public struct Passing: Hashable, Sendable {
    /// Why it is to be looked at by a person, or does not count. Nothing is left out for any of them.
    public enum Flag: String, CaseIterable, Hashable, Codable, Sendable {
        // Of the passage itself.
        case fewHits = "few-hits"
        case noPeak = "no-peak"
        case oneSided = "one-sided"
        case lingered
        // Of its place in the run.
        /// Before the start of the runner's wave.
        case beforeStart = "before-start"
        case afterEnd = "after-end"
        /// Sooner after the one before, or the start, than anybody runs: it does not count.
        case tooSoon = "too-soon"
        /// Far weaker than others are heard here: it may be another stretch of the course, or somebody on the way to
        /// the start. It counts until a clear one comes, and beside that where a lap would be missing without it.
        case stray
        /// Told after a later one had been counted: it does not count.
        case outOfTurn = "out-of-turn"
        /// More often than the course passes here: it does not count.
        case surplus
        /// Took so much longer than the runner's laps before that another may lie in it, on which nothing was heard, or only a
        /// `stray`. It counts, with the next order: which one it is, a person has to say.
        case longLap = "long-lap"
        /// So fast that nobody is likely to have run it, or not this runner by their other laps: somebody who walks about near
        /// the box looks so. It counts: a person has to say.
        case fastLap = "fast-lap"
        // Of the tag.
        /// Two radios with this tag's identity were heard at a time: a clone, or a tag that was copied.
        case cloned
        // Of the clock.
        /// The clock was set by nothing that can be trusted since the box started.
        case clockUnset = "clock-unset"
        /// The wall clock was stepped while the runner was near.
        case clockStepped = "clock-stepped"
    }

    /// How the time was found.
    public enum Method: String, CaseIterable, Hashable, Codable, Sendable {
        case blePeak = "ble-peak"
        case gpsLine = "gps-line"
        case manual
    }

    public let id: MessageID
    public let run: RunID
    public let checkpoint: CheckpointID
    /// The box that heard it.
    public let gateway: GatewayID
    public let bib: Bib
    /// Which time at this checkpoint, 1 for the first; nil where it does not count. Where two of a runner have the
    /// same, the checkpoint's rule says which one counts.
    public let order: Int?
    public let time: WallTime
    /// The first and the last that was heard.
    public let first, last: WallTime
    public let clock: ClockState
    /// The true instant lies within ± this of `time` in 95 of 100 passings, the clock's error included; nil where
    /// nobody knows how wrong the clock is.
    public let bound: Duration?
    /// Advertisements the time rests on; one is a poor passing.
    public let hits: Int
    /// dBm, the strongest single one.
    public let strongest: Int8
    public let method: Method
    public let flags: Set<Flag>

    public init(
        id: MessageID, run: RunID, checkpoint: CheckpointID, gateway: GatewayID, bib: Bib, order: Int?,
        time: WallTime, first: WallTime, last: WallTime, clock: ClockState, bound: Duration?, hits: Int,
        strongest: Int8, method: Method = .blePeak, flags: Set<Flag>
    ) {
        (self.id, self.run, self.checkpoint, self.gateway, self.bib) = (id, run, checkpoint, gateway, bib)
        (self.order, self.time, self.first, self.last) = (order, time, first, last)
        (self.clock, self.bound, self.hits, self.strongest) = (clock, bound, hits, strongest)
        (self.method, self.flags) = (method, flags)
    }
}

extension Passing {
    /// Whether it counts before another one of the same runner, checkpoint and order. A total order, so that of many the
    /// same one counts, in whichever order they come.
    func counts(before other: Passing, by rule: Checkpoint.Rule) -> Bool {
        // A person's record, then a box's, then one from positions.
        if method != other.method { return method.rank < other.method.rank }
        // A clock that nobody has set tells no time of day.
        if (bound == nil) != (other.bound == nil) { return bound != nil }
        if rule.prefers(self, to: other) { return true }
        if rule.prefers(other, to: self) { return false }
        return (time, id.description) < (other.time, other.id.description)
    }
}

extension Passing.Method {
    fileprivate var rank: Int {
        switch self {
        case .manual: 0
        case .blePeak: 1
        case .gpsLine: 2
        }
    }
}
