public import GatewayModel

/// Positions of runners in the runs that are underway.
///
/// Pure. A track is made with a runner's first position and gone the moment they leave or the run ends; of anybody else
/// nothing is kept, or looked at.
public struct PositionTracker: Sendable {
    /// Effect of a position in one run.
    struct Found {
        let owner: Enrolment
        let position: RunnerPosition
        let isToTell: Bool
        /// Each once, over a restart too.
        let crossings: [LineCrossing]
    }

    private struct Crossed: Hashable {
        let checkpoint: CheckpointID
        let order: Int

        init(_ point: RunPoint) {
            (checkpoint, order) = (point.checkpoint, point.order)
        }

        /// Nil for one that does not count.
        init?(_ passing: Passing) {
            guard let order = passing.order else { return nil }
            (checkpoint, self.order) = (passing.checkpoint, order)
        }
    }

    private let gateway: GatewayID
    private var runs: [RunID: Run] = [:]
    private var owners: [PositionBearer: [Enrolment]] = [:]
    private var tracks: [Enrolment: RunnerTrack] = [:]
    /// By positions; the last checkpoint of a run also by the box.
    private var crossed: [Enrolment: Set<Crossed>] = [:]
    private var enrolled: [RunID: Set<Bib>] = [:]
    /// Of each run that is underway.
    private var lasts: [RunID: Crossed] = [:]
    /// The last position that each tag stated: it states one several times.
    private var said: [TagNumber: TagLocation] = [:]
    /// Since the box started.
    public private(set) var refused: [RunnerTrack.Refusal: Int] = [:]

    init(gateway: GatewayID) {
        self.gateway = gateway
    }

    /// Wearers with wanted positions: others are ignored.
    public var bearers: Set<PositionBearer> { Set(owners.keys) }

    /// The newest of each runner, by run and bib.
    public var latest: [(owner: Enrolment, position: RunnerPosition)] {
        tracks.compactMap { owner, track in track.latest.map { (owner: owner, position: $0) } }
            .sorted { $0.owner < $1.owner }
    }

    // MARK: Events

    /// The runs that are underway, as they stand now.
    /// - Parameter enrolled: in all runs that there are: one of them may go on, by another end.
    mutating func follow(_ underway: [Run], enrolled: [RunID: Set<Bib>]) {
        let before = runs
        self.enrolled = enrolled
        runs = Dictionary(underway.map { ($0.id, $0) }) { first, _ in first }
        lasts = runs.compactMapValues { $0.points.last.map(Crossed.init) }
        owners = [:]
        for run in underway {
            for (bearer, bib) in run.bearers(of: gateway) {
                owners[bearer, default: []].append(Enrolment(run: run.id, bib: bib))
            }
        }
        let tagged = underway.flatMap { run in
            run.participants.filter { !$0.tags.isEmpty }.map { Enrolment(run: run.id, bib: $0.bib) }
        }
        let known = Set(owners.values.flatMap(\.self) + tagged)
        tracks = tracks.filter { owner, _ in
            known.contains(owner) && isAsBefore(owner, before[owner.run], runs[owner.run])
        }
        crossed = crossed.filter { enrolled[$0.key.run]?.contains($0.key.bib) == true }
    }

    /// One that was told before a restart.
    mutating func fold(_ passing: Passing) {
        note(passing)
        // One that began since then does not know it.
        guard let last = lasts[passing.run], Crossed(passing) == last else { return }
        tracks[Enrolment(run: passing.run, bib: passing.bib)] = nil
    }

    /// - Parameter report: by the clock of the race.
    /// - Returns: one for each run in which it counts.
    mutating func take(_ report: PositionReport, of bearer: PositionBearer) -> [Found] {
        take(report, of: owners[bearer] ?? [])
    }

    /// It does not know where it is.
    mutating func lose(_ bearer: PositionBearer) {
        guard owners[bearer] != nil else { return }
        refused[.noFix, default: 0] += 1
    }

    /// Whether a tag says something else than before.
    mutating func isNews(_ location: TagLocation, of tag: TagNumber) -> Bool {
        said.updateValue(location, forKey: tag) != location
    }

    /// Nothing more is kept of these.
    mutating func forget(_ tags: [TagNumber]) {
        for tag in tags { said[tag] = nil }
    }

    /// - Parameter owners: owners of a tag.
    mutating func take(_ report: PositionReport, of owners: [Enrolment]) -> [Found] {
        owners.compactMap { owner in
            guard let run = runs[owner.run], let start = run.start(of: owner.bib),
                // The clock is looked at some times a second, and may have been set back since: that waits for no look.
                run.state(at: report.measured.wall) == .underway
            else { return nil }
            if tracks[owner] == nil { tracks[owner] = track(of: owner, in: run, from: start) }
            switch tracks[owner]?.take(report) {
            case nil: return nil
            case .refused(let reason):
                refused[reason, default: 0] += 1
                return nil
            case .taken(let position, let isToTell, let crossings):
                return Found(
                    owner: owner, position: position, isToTell: isToTell,
                    crossings: crossings.filter { isNew($0.point, of: owner) })
            }
        }
    }

    /// The box has timed a runner.
    mutating func passed(_ passing: Passing, at instant: BootInstant) {
        note(passing)
        let owner = Enrolment(run: passing.run, bib: passing.bib)
        guard tracks[owner] != nil, let order = passing.order,
            let point = runs[passing.run]?.points.first(where: {
                $0.checkpoint == passing.checkpoint && $0.order == order
            })
        else { return }
        tracks[owner]?.passed(point, at: Moment(boot: instant, wall: passing.time))
    }

    // MARK: Parts

    private mutating func note(_ passing: Passing) {
        guard let one = Crossed(passing), passing.method == .gpsLine || one == lasts[passing.run],
            enrolled[passing.run]?.contains(passing.bib) == true
        else { return }
        crossed[Enrolment(run: passing.run, bib: passing.bib), default: []].insert(one)
    }

    private func track(of owner: Enrolment, in run: Run, from start: WallTime) -> RunnerTrack {
        let hasPassedLast = lasts[run.id].map { crossed[owner]?.contains($0) == true } ?? false
        return RunnerTrack(run, start: start, hasPassedLast: hasPassedLast)
    }

    private mutating func isNew(_ point: RunPoint, of owner: Enrolment) -> Bool {
        crossed[owner, default: []].insert(Crossed(point)).inserted
    }

    /// A track stands on the course, the checkpoints and the start that it was made with.
    private func isAsBefore(_ owner: Enrolment, _ before: Run?, _ now: Run?) -> Bool {
        guard let before, let now else { return false }
        return before.start(of: owner.bib) == now.start(of: owner.bib)
            && before.checkpoints == now.checkpoints && before.course == now.course
    }
}

extension Run {
    /// Of the runner's wave; nil for a person outside the run.
    fileprivate func start(of bib: Bib) -> WallTime? {
        participant(bib).flatMap { wave($0.wave)?.start }
    }
}

/// Source of a runner's positions.
public enum PositionBearer: Hashable, Sendable {
    /// This box, which the runner carries.
    case box
    /// The wearables of a person of the house.
    case person(PersonID)
}

extension Run {
    /// Owners of the positions that this box may get.
    func bearers(of gateway: GatewayID) -> [PositionBearer: Bib] {
        var bearers: [PositionBearer: Bib] = [:]
        for participant in participants {
            if participant.carries == gateway { bearers[.box] = participant.bib }
            if let person = participant.person { bearers[.person(person)] = participant.bib }
        }
        return bearers
    }
}
