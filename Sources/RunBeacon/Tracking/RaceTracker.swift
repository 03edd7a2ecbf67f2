public import GatewayModel

/// The box at a checkpoint: which runs are underway, whose tag an advert is of, who passed when.
///
/// Pure: what it is told, with its instants, is all it knows. It idles until a run starts, tracks until its end, and
/// forgets at once whoever leaves.
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
    ///   - patience: how long what passes in a run may wait for `recall`, after the run begins here.
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

    /// Between two looks at who has gone: a passing is told so much later at most.
    private static var rhythm: Duration { .milliseconds(200) }
    /// So often the clock is looked at, for it to be set when the run begins.
    private static var longestWait: Duration { .seconds(1) }

    /// A clock that was set back by so much may have brought back what had begun or ended by then. By less, as it gets surer
    /// of the time, a run that has begun goes on: stopping it would lose who is at the line.
    private static var setBack: Duration { .seconds(60) }

    // MARK: Events

    /// The runs are these from now on.
    /// - Returns: what had come about by then in runs that are no longer underway.
    public mutating func follow(_ book: RunCatalog, at now: BootInstant) -> [RecordedPassing] {
        self.book = book
        return turn(to: now, isNews: true)
    }

    /// What the log says of the time: counts until something else has told it.
    /// - Returns: what had come about by then in runs that are no longer underway.
    public mutating func learn(_ logged: LoggedTime, at now: BootInstant) -> [RecordedPassing] {
        self.logged = logged
        return turn(to: now, isNews: false)
    }

    /// Of an earlier life of the box, what its log has of runs that are underway, in its order.
    /// - Parameter runs: those of which that is all.
    /// - Returns: what passed in them until now.
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
    /// - Returns: what it brings about: most often nothing.
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

    /// The box hears nothing from now on, for an orderly stop. Whoever is at the line is heard again after it; whoever has
    /// passed is not, or seems to pass by then.
    public mutating func end(at now: BootInstant) -> [RecordedPassing] {
        elapse(to: now) + detector.departing(at: now).flatMap { passings(of: $0) }
    }

    // MARK: What follows

    /// Runs begin and end by the clock of the race; while nobody has set it, also by what the log says.
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

    /// Whoever is near the box at the end of a run has passed it by now, or has not; in other runs they go on. A runner who
    /// leaves is told of no more, either.
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
