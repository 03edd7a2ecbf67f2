public import GatewayModel

/// State machine of the box at a checkpoint: the runs that are underway, the owners of tags, and the passings.
/// Pure: it knows its arguments only, with their instants. It idles until a run starts, tracks until its end,
/// and forgets a runner that leaves at once.
public struct RaceTracker<Recogniser: TagRecogniser>: Sendable {
    public let clock: any RaceTimekeeping
    public private(set) var watch = TagWatch()
    public internal(set) var table: TagTable<Recogniser>
    public private(set) var underway: [Run] = []
    public private(set) var timers: RunTimers
    public internal(set) var positions: PositionTracker
    /// Grows whenever other tags are to be heard.
    public private(set) var edition = 0
    /// When a run begins or ends next.
    public private(set) var nextChange: WallTime?
    /// When that was worked out, by the clock of the race.
    private var turned: WallTime?
    /// Counts while nothing has told the time.
    private var logged = LoggedTime()
    private(set) var book = RunCatalog()
    private var detector = PassageDetector()
    private(set) var past: PendingRecall
    let boot: String
    let makeID: @Sendable (WallTime) -> MessageID

    /// - Parameters:
    ///   - boot: this start of the machine.
    /// - patience: longest wait of a run's passings for `recall`, after the run begins here.
    ///   - makeID: of a passing at that time; never the same twice.
    public init(
        gateway: GatewayID, boot: String, clock: any RaceTimekeeping, recogniser: Recogniser,
        recallWithin patience: Duration = .zero, makeID: @escaping @Sendable (WallTime) -> MessageID
    ) {
        past = PendingRecall(patience: patience)
        table = TagTable(recogniser: recogniser)
        timers = RunTimers(gateway: gateway)
        positions = PositionTracker(gateway: gateway)
        (self.boot, self.clock, self.makeID) = (boot, clock, makeID)
    }

    /// Nothing is tracked: no run is underway.
    public var isIdle: Bool { underway.isEmpty }

    /// When `elapse` has to be called though nothing comes; nil where nothing is due.
    public func nextLook(after now: BootInstant) -> BootInstant? {
        if !isIdle { return now.advanced(by: Self.rhythm) }
        guard let nextChange else {
            // All are over, by a clock that nobody has set: it may turn out that they are not.
            return clock.isSet || book.runs.isEmpty ? nil : now.advanced(by: Self.longestWait)
        }
        let wait = clock.time(of: now).time.duration(to: nextChange)
        return now.advanced(by: min(max(wait, .zero), Self.longestWait))
    }

    /// Interval of the check for tags that have gone: a passing is told so much later at most.
    private static var rhythm: Duration { .milliseconds(200) }
    /// So often the clock is looked at, for it to be set when the run begins.
    private static var longestWait: Duration { .seconds(1) }

    /// A clock that was set back by so much may have brought back a run that had begun or ended by then. By
    /// less, as it gets surer of the time, a run that has begun goes on: stopping it would lose the runners at
    /// the line.
    private static var setBack: Duration { .seconds(60) }

    // MARK: Events

    /// The runs are these from now on.
    /// - Returns: the events until then in runs that are no longer underway.
    public mutating func follow(_ book: RunCatalog, at now: BootInstant) -> [RecordedPassing] {
        self.book = book
        return turn(to: now, isNews: true)
    }

    /// Time from the log: counts until something else has told it.
    /// - Returns: the events until then in runs that are no longer underway.
    public mutating func learn(_ logged: LoggedTime, at now: BootInstant) -> [RecordedPassing] {
        self.logged = logged
        return turn(to: now, isNews: false)
    }

    /// Passings of an earlier life of the box in runs that are underway, in the log's order.
    /// - Parameter runs: those of which that is all.
    /// - Returns: the passings in them until now.
    @discardableResult
    public mutating func recall(
        _ earlier: [RecordedPassing], of runs: Set<RunID> = []
    ) -> [RecordedPassing] {
        for record in earlier {
            // Of another start of the machine the clock that nobody sets says nothing in this one.
            timers.fold(record.passing, at: record.boot == boot ? record.nearest : nil)
            positions.fold(record.passing)
        }
        return told(past.end(runs))
    }

    /// - Parameter antenna: of the box's radios, the one that heard it.
    /// - Returns: the resulting events: most often none.
    public mutating func hear(_ advert: Recogniser.Advert, antenna: UInt8 = 0) -> [RecordedPassing] {
        guard let hit = table.hit(advert, antenna: antenna) else { return [] }
        watch.hear(hit)
        return detector.hear(hit).map { passings(of: $0) } ?? []
    }

    /// Call it at `nextLook`, and as often as one likes.
    public mutating func elapse(to now: BootInstant) -> [RecordedPassing] {
        turn(to: now, isNews: false) + told(past.end(past.overdue(at: now)))
            + detector.elapse(to: now).flatMap { passings(of: $0) }
    }

    /// The box hears nothing from now on, for an orderly stop. A runner at the line is heard again after it; a
    /// runner that has passed is not, or seems to pass by then.
    public mutating func end(at now: BootInstant) -> [RecordedPassing] {
        elapse(to: now) + detector.departing(at: now).flatMap { passings(of: $0) }
    }

    // MARK: Consequences

    /// Runs begin and end by the clock of the race; while nobody has set it, also by the time of the log.
    private mutating func turn(to now: BootInstant, isNews: Bool) -> [RecordedPassing] {
        let wall = clock.time(of: now).time
        let isByLog = !clock.isSet && !logged.saysNothing
        let time = isByLog ? logged.time(by: wall, at: now) : wall
        let isBack = turned.map { time.duration(to: $0) > Self.setBack } ?? false
        // By the log a run may end at another time than by the clock.
        if !isNews, !isBack, !isByLog, let nextChange, time < nextChange { return [] }
        turned = time
        let runs = isByLog ? logged.underway(in: book, by: wall, at: now) : book.underway(at: wall)
        nextChange = book.nextChange(after: time)
        guard isNews || runs.map(\.id) != underway.map(\.id) else { return [] }
        let tags = RunCatalog.tags(of: runs)
        let ended = lastPassings(in: Set(underway.map(\.id)).subtracting(runs.map(\.id)))
        underway = runs
        past.begin(runs.map(\.id), at: now)
        let gone = table.enrol(tags)
        edition += 1
        detector.forget(gone)
        watch.forget(gone)
        positions.forget(gone)
        timers.follow(runs, known: Set(book.enrolments.keys), at: now)
        positions.follow(runs, enrolled: book.enrolments)
        return ended
    }

    /// A runner near the box at the end of a run has passed it by now, or has not; in other runs they go on. A
    /// runner who leaves is told of no more, either.
    private mutating func lastPassings(in runs: Set<RunID>) -> [RecordedPassing] {
        let tags = table.tagsOfRunners.filter { runs.contains($0.key.run) }.values.joined()
        let held = told(past.end(runs))
        return (held + detector.passages(of: Set(tags)).flatMap { passings(of: $0, in: runs) })
            .filter { isIn($0.passing.bib, $0.passing.run) }
    }

    private func isIn(_ bib: Bib, _ run: RunID) -> Bool { book.enrolments[run]?.contains(bib) == true }

    /// - Parameter runs: nil for all that are underway.
    private mutating func passings(of passage: Passage, in runs: Set<RunID>? = nil) -> [RecordedPassing] {
        let owners = table.owners(of: passage.tag).filter { runs?.contains($0.run) ?? true }
        var marks = clock.flags(from: passage.first, to: passage.last)
        if table.isCloned(passage.tag, since: passage.first) { marks.insert(.cloned) }
        return told([past.hold(PendingRecall.Held(passage: passage, owners: owners, marks: marks))])
    }

    private mutating func told(_ all: [PendingRecall.Held]) -> [RecordedPassing] {
        var recorded: [RecordedPassing] = []
        for one in all {
            let passings = timers.take(
                one.passage, of: one.owners, marks: one.marks,
                dating: { [clock] in clock.time(of: $0) }, makeID: makeID)
            for passing in passings { positions.passed(passing, at: one.passage.nearest) }
            recorded += passings.map { RecordedPassing($0, from: one.passage, boot: boot) }
        }
        return recorded
    }
}

/// A runner that should have passed by now, however slowly they go: their tag is lost, or they are.
public struct OverdueRunner: Hashable, Sendable {
    public let owner: Enrolment
    public let checkpoint: CheckpointID
    /// Which time at the checkpoint is waited for, 1 for the first.
    public let order: Int
    /// When one of their tags was heard last; nil for never, since the box started.
    public let lastHeard: WallTime?
}

extension RaceTracker {
    /// m/s: a slow walk. A slower runner is looked for.
    private static var slowest: Double { 1.0 }
    /// For a start that takes its time, and a rest on the way.
    private static var grace: Duration { .seconds(600) }

    /// In the order of the runs, then of the bibs.
    public func overdue(at now: BootInstant) -> [OverdueRunner] {
        let time = clock.time(of: now).time
        let tags = table.tagsOfRunners
        return underway.flatMap { run -> [OverdueRunner] in
            // Before the log of a run is read, its passings are unknown.
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

extension RaceTracker {
    /// Until when persons of the house are in a run of their own (`RunCatalog.exercise`). Nil while that cannot be told: by a
    /// clock that nobody has set nobody's limits are changed.
    public func ownRuns(at now: BootInstant) -> [PersonID: BootInstant]? {
        guard clock.isSet else { return book.runs.isEmpty ? [:] : nil }
        let wall = clock.time(of: now).time
        return book.exercise(at: wall).mapValues { end in
            now.advanced(by: .milliseconds(end.millisecondsSince1970 - wall.millisecondsSince1970))
        }
    }
}

// MARK: Positions
public struct RunnersLocated: Sendable {
    /// To be told.
    public var positions: [(owner: Enrolment, position: RunnerPosition)] = []
    /// At the checkpoints between the position before and this one.
    public var passings: [RecordedPassing] = []

    public init(
        positions: [(owner: Enrolment, position: RunnerPosition)] = [], passings: [RecordedPassing] = []
    ) {
        (self.positions, self.passings) = (positions, passings)
    }
}

extension RaceTracker {
    /// A position of a runner in a run that is underway; anybody else's is ignored.
    public mutating func locate(_ report: PositionReport, of bearer: PositionBearer) -> RunnersLocated {
        guard positions.bearers.contains(bearer) else { return RunnersLocated() }
        return located(positions.take(report.dated(by: clock), of: bearer))
    }

    /// The source of a runner's positions does not know its place.
    public mutating func lose(_ bearer: PositionBearer) { positions.lose(bearer) }

    /// Where the tag of a runner says that it is, if it does (Remote ID).
    public mutating func locate(_ advert: Recogniser.Advert) -> RunnersLocated {
        guard let (tag, told, heard) = table.location(in: advert), positions.isNews(told, of: tag),
            let coordinates = Coordinates(latitude: told.latitude, longitude: told.longitude)
        else { return RunnersLocated() }
        let arrival = Moment(boot: heard, wall: clock.time(of: heard).time)
        let sourceTime = told.timeInHour.map {
            $0.time(near: arrival.wall, aheadBy: clock.isSet ? Self.mostAhead : Self.halfAnHour)
        }
        let report = PositionReport(
            coordinates: coordinates, accuracy: told.horizontalAccuracy, source: DeviceID("tag-\(tag)"),
            sourceTime: sourceTime, age: age(of: sourceTime, at: arrival.wall), arrival: arrival)
        return located(positions.take(report, of: table.owners(of: tag)))
    }

    /// Where both know the time, a tag's cannot be ahead, but for the error of the two.
    private static var mostAhead: Duration { .seconds(60) }
    /// Else the nearest hour is as good as any.
    private static var halfAnHour: Duration { .seconds(1_800) }

    /// Of a position too old for a present place: a recording, or the last fix of a receiver that has lost the
    /// sky. Of anything newer the arrival dates it as well as the tag's own time does.
    private func age(of sourceTime: WallTime?, at arrival: WallTime) -> Duration {
        guard clock.isSet, let age = sourceTime?.duration(to: arrival), age > TrackRules().oldest else {
            return .zero
        }
        return age
    }

    private func located(_ all: [PositionTracker.Found]) -> RunnersLocated {
        var located = RunnersLocated()
        for found in all {
            if found.isToTell {
                var position = found.position
                if !clock.isSet { position.flags.insert(.clockUnset) }
                located.positions.append((owner: found.owner, position: position))
            }
            located.passings += found.crossings.map { passing(of: $0, by: found.owner) }
        }
        return located
    }

    private func passing(of crossing: LineCrossing, by owner: Enrolment) -> RecordedPassing {
        let instant = crossing.at.boot
        let passing = crossing.passing(
            id: makeID(crossing.time), run: owner.run, bib: owner.bib, gateway: timers.gateway,
            clock: clock.time(of: instant).clock, marks: clock.flags(from: instant, to: instant))
        return RecordedPassing(
            passing, boot: boot, nearest: instant, first: instant, last: instant, passageBound: crossing.bound)
    }
}

extension UInt16 {
    /// Tenths of a second since a full hour, of the last hour in which that is ahead of `wall` by no more than `limit`.
    fileprivate func time(near wall: WallTime, aheadBy limit: Duration) -> WallTime {
        let hour: Int64 = 3_600_000
        let now = wall.millisecondsSince1970
        let inHour = now - now % hour + Int64(self) * 100
        let ahead = inHour - now
        let limit = limit.wholeMilliseconds
        return WallTime(
            millisecondsSince1970: ahead > limit
                ? inHour - hour : ahead <= limit - hour ? inHour + hour : inHour)
    }
}
