public import GatewayModel

/// News of a runner that is no passing: that nobody knows where they are, that they are found, that they have left the run.
public struct RunnerNews: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        /// The runner should have passed a checkpoint, however slowly they go: their tag is lost, or they are.
        ///
        /// `order`: the time at the checkpoint that is waited for, 1 for the first. `lastHeard`: nil for never, since the
        /// box started.
        case overdue(CheckpointID, order: Int, lastHeard: WallTime?)
        /// An overdue runner has passed the checkpoint.
        case found(CheckpointID)
        /// The tracker of a runner on the course tells no position any more.
        case trackerLost(lastPosition: WallTime)
        case trackerBack
        /// The runner is no longer enrolled. No message about them leaves from here on.
        case left

        /// Name on the wire.
        public var name: String {
            switch self {
            case .overdue: "overdue"
            case .found: "found"
            case .trackerLost: "tracker-lost"
            case .trackerBack: "tracker-back"
            case .left: "left"
            }
        }
    }

    public let owner: Enrolment
    public let event: Event
    /// When the box found it.
    public let time: WallTime
    /// Number of the run's news at this box, from 1: the same when it is sent again after a kill.
    public let number: Int64

    public init(of owner: Enrolment, _ event: Event, at time: WallTime, number: Int64) {
        (self.owner, self.event, self.time, self.number) = (owner, event, time, number)
    }
}

/// Finds news of runners: each is told once, over restarts too. Pure.
///
/// A runner gives at most one pair of `overdue` and `found` for each time at a checkpoint, and at most ten pairs of
/// `tracker-lost` and `tracker-back` an hour: 5 minutes of silence and one of sound lie between two.
public struct RunnerNewsMachine: Sendable {
    /// A watch tells a position each few seconds. A tunnel or a ravine takes a runner some minutes.
    static let silence = Duration.seconds(300)
    /// After a start the passings of the log come first (30 s at most), and runners are judged each 30 s.
    static let certainty = Duration.seconds(90)

    /// State of a run that outlives a restart.
    public struct Record: Codable, Hashable, Sendable {
        /// A time at a checkpoint.
        public struct Due: Codable, Hashable, Sendable {
            let checkpoint: String
            let order: Int
        }

        /// News so far.
        var count: Int64 = 0
        var enrolled: [Int] = []
        /// By bib.
        var overdue: [Int: Due] = [:]
        var lost: [Int] = []
    }

    /// Facts about the runs at one instant.
    public struct Situation: Sendable {
        public let now: Moment
        /// Enrolments in the runs that are not over.
        public let enrolments: [RunID: Set<Bib>]
        let underway: Set<RunID>
        let overdue: [OverdueRunner]
        /// The newest position of each runner with any.
        let located: [(owner: Enrolment, position: RunnerPosition)]

        /// - Parameter status: nil before the race thread has looked for the first time.
        public init(now: Moment, enrolments: [RunID: Set<Bib>], status: RaceStatus?) {
            self.init(
                now: now, enrolments: enrolments, underway: Set(status?.underway.map(\.id) ?? []),
                overdue: status?.overdue ?? [], located: status?.located ?? [])
        }

        init(
            now: Moment, enrolments: [RunID: Set<Bib>], underway: Set<RunID>, overdue: [OverdueRunner],
            located: [(owner: Enrolment, position: RunnerPosition)]
        ) {
            (self.now, self.enrolments, self.underway) = (now, enrolments, underway)
            (self.overdue, self.located) = (overdue, located)
        }
    }

    public private(set) var records: [RunID: Record]
    /// Since when an overdue runner has not been overdue any more.
    private var foundSince: [Enrolment: BootInstant] = [:]

    /// - Parameter records: of the last run of the program.
    public init(_ records: [RunID: Record] = [:]) { self.records = records }

    /// Returns the news since the last call. Call every few seconds. The records of their runs have changed then; those of
    /// a run that is over are removed.
    public mutating func look(_ situation: Situation) -> [RunnerNews] {
        for run in records.keys where situation.enrolments[run] == nil { records[run] = nil }
        foundSince = foundSince.filter { situation.enrolments[$0.key.run]?.contains($0.key.bib) == true }
        return situation.enrolments.keys.sorted { $0.text < $1.text }.flatMap { run in
            look(at: run, enrolled: situation.enrolments[run] ?? [], situation)
        }
    }

    private mutating func look(
        at run: RunID, enrolled: Set<Bib>, _ situation: Situation
    ) -> [RunnerNews] {
        let isKnown = records[run] != nil
        var record = records[run] ?? Record()
        var news: [RunnerNews] = []
        func tell(_ bib: Bib, _ event: RunnerNews.Event) {
            record.count += 1
            news.append(
                RunnerNews(
                    of: Enrolment(run: run, bib: bib), event, at: situation.now.wall, number: record.count))
        }
        // Those of a run that is seen for the first time were never here.
        for number in record.enrolled where isKnown {
            guard let bib = Bib(number), !enrolled.contains(bib) else { continue }
            tell(bib, .left)
            record.overdue[number] = nil
            record.lost.removeAll { $0 == number }
        }
        record.enrolled = enrolled.map(\.number).sorted()
        if situation.underway.contains(run) {
            let found =
                overdueNews(of: run, enrolled, situation, &record)
                + trackerNews(of: run, enrolled, situation, &record)
            for (bib, event) in found { tell(bib, event) }
        }
        records[run] = record
        return news
    }

    private mutating func overdueNews(
        of run: RunID, _ enrolled: Set<Bib>, _ situation: Situation, _ record: inout Record
    ) -> [(Bib, RunnerNews.Event)] {
        var news: [(Bib, RunnerNews.Event)] = []
        let now = situation.now.boot
        let overdue = situation.overdue.filter { $0.owner.run == run && enrolled.contains($0.owner.bib) }
        for runner in overdue {
            foundSince[runner.owner] = nil
            let due = Record.Due(checkpoint: runner.checkpoint.text, order: runner.order)
            guard record.overdue[runner.owner.bib.number] != due else { continue }
            record.overdue[runner.owner.bib.number] = due
            news.append(
                (
                    runner.owner.bib,
                    .overdue(runner.checkpoint, order: runner.order, lastHeard: runner.lastHeard)
                ))
        }
        let missing = Set(overdue.map(\.owner.bib.number))
        for (number, due) in record.overdue.sorted(by: { $0.key < $1.key }) where !missing.contains(number) {
            guard let bib = Bib(number), let checkpoint = CheckpointID(due.checkpoint) else { continue }
            let owner = Enrolment(run: run, bib: bib)
            let since = foundSince[owner] ?? now
            foundSince[owner] = since
            guard since.duration(to: now) >= Self.certainty else { continue }
            foundSince[owner] = nil
            record.overdue[number] = nil
            news.append((bib, .found(checkpoint)))
        }
        return news
    }

    /// Only of runners with a checkpoint before them: after the finish a runner may switch the tracker off.
    private func trackerNews(
        of run: RunID, _ enrolled: Set<Bib>, _ situation: Situation, _ record: inout Record
    ) -> [(Bib, RunnerNews.Event)] {
        var news: [(Bib, RunnerNews.Event)] = []
        for (owner, position) in situation.located where owner.run == run && enrolled.contains(owner.bib) {
            let isSilent = position.arrival.boot.duration(to: situation.now.boot) >= Self.silence
            let wasLost = record.lost.contains(owner.bib.number)
            if isSilent, !wasLost, position.next != nil {
                record.lost.append(owner.bib.number)
                news.append((owner.bib, .trackerLost(lastPosition: position.arrival.wall)))
            } else if !isSilent, wasLost {
                record.lost.removeAll { $0 == owner.bib.number }
                news.append((owner.bib, .trackerBack))
            }
        }
        return news
    }
}
