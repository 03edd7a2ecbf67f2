public import GatewayModel

/// How the box at the checkpoint is, at an instant.
public struct RaceStatus: Sendable {
    public struct Timed: Sendable {
        public let id: RunID
        public let end: WallTime
        /// Nil where the box stands at none of the run's.
        public let checkpoint: CheckpointID?
        /// Carrier of the box; nil for nobody.
        public let carrier: Bib?
        public let runners: Int
        /// Of these, runners with a tag that was heard since the gateway started.
        public let heard: Int
        /// Runners with a tag of which none was heard since the gateway started.
        public let unheard: [Bib]
    }

    /// One of several radios of the box.
    public struct Radio: Hashable, Sendable {
        public let name: String
        /// Its scanner hears adverts, as far as that can be told without any.
        public let canHear: Bool
        /// It hears no tag, while others do.
        public let isQuiet: Bool
        public let readsPerMinute: Int
        /// When it last heard a tag; nil for never, since the gateway started.
        public let last: BootInstant?

        public init(name: String, canHear: Bool, isQuiet: Bool, readsPerMinute: Int, last: BootInstant?) {
            (self.name, self.canHear, self.isQuiet) = (name, canHear, isQuiet)
            (self.readsPerMinute, self.last) = (readsPerMinute, last)
        }
    }

    public let underway: [Timed]
    /// When the next run begins or one ends; nil where none will.
    public let nextChange: WallTime?
    public let readsPerMinute: Int
    /// The last tag that was heard, and its owner.
    public let last: (owners: [Enrolment], hit: TagHit)?
    public let clock: ClockState
    /// Sources that contradict the clock and are not believed.
    public let disputing: Set<ClockSource>
    /// Empty where there is but one.
    public let radios: [Radio]
    /// Adverts that the race thread was too slow for, since the start.
    public let dropped: Int
    /// Of adverts of tags, since the start: also those that gave no time.
    public let adverts: TagCounts
    /// Passings since the start.
    public let passings: Int
    /// Runners that should have passed by now, by run and bib.
    public let overdue: [OverdueRunner]
    /// The newest position of each runner with any, by run and bib.
    public let located: [(owner: Enrolment, position: RunnerPosition)]
    /// Positions that said nothing of where the runner was, since the start.
    public let refusedPositions: [RunnerTrack.Refusal: Int]
}

extension RaceTracker {
    /// Sources that contradict the time: before one was believed, each is only not believed yet.
    public func disputing(at now: BootInstant) -> Set<ClockSource> {
        clock.isSet ? clock.disputing(at: now) : []
    }

    /// - Parameters: counted by the caller.
    public func status(
        at now: BootInstant, radios: [RaceStatus.Radio] = [], dropped: Int, passings: Int,
        overdue: [OverdueRunner]
    ) -> RaceStatus {
        let tags = table.tagsOfRunners
        let last = watch.latest.map { hit in
            (owners: table.owners(of: hit.tag), hit: hit)
        }
        return RaceStatus(
            underway: underway.map { run in
                let own = tags.filter { $0.key.run == run.id }
                let unheard = own.filter { _, tags in !tags.contains { watch.lastHeard($0) != nil } }
                return RaceStatus.Timed(
                    id: run.id, end: run.end, checkpoint: timers[run.id]?.checkpoint.id,
                    carrier: run.carrier(of: timers.gateway),
                    runners: run.participants.count, heard: own.count - unheard.count,
                    unheard: unheard.map(\.key.bib).sorted())
            },
            nextChange: nextChange, readsPerMinute: watch.readsPerMinute(at: now), last: last,
            clock: clock.time(of: now).clock, disputing: disputing(at: now), radios: radios, dropped: dropped,
            adverts: table.counts, passings: passings, overdue: overdue, located: positions.latest,
            refusedPositions: positions.refused)
    }
}

/// The clock that a race is timed by.
public protocol RaceTimekeeping: Sendable {
    /// The time of an instant of this start of the machine, and the state of the clock then.
    func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState)
    /// Doubts of the clock about a passing that lasted from `first` to `last`.
    func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag>
    /// Whether anything that can be trusted has told the time since the box started.
    var isSet: Bool { get }
    /// Sources that are heard and not believed.
    func disputing(at instant: BootInstant) -> Set<ClockSource>
}

extension RaceTimekeeping {
    /// Of one that hears a single source: nothing contradicts it.
    public func disputing(at instant: BootInstant) -> Set<ClockSource> { [] }
}

extension RaceClock: RaceTimekeeping {}
