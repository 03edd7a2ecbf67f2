import GatewayModel
import WireFormats

/// Where those runners are of whom positions come, in the runs that are underway.
///
/// Pure. A track is made with a runner's first position and gone the moment they leave or the run ends; of anybody else
/// nothing is kept, or looked at.
public struct PositionTracker: Sendable {
    /// What came of a position in one run.
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
    }

    private let gateway: GatewayID
    private var runs: [RunID: Run] = [:]
    private var owners: [PositionBearer: [Enrolment]] = [:]
    private var tracks: [Enrolment: RunnerTrack] = [:]
    private var crossed: [Enrolment: Set<Crossed>] = [:]
    /// What each tag said last of where it is: it says so several times.
    private var said: [TagNumber: RemoteID.Location] = [:]
    /// Since the box started.
    public private(set) var refused: [RunnerTrack.Refusal: Int] = [:]

    init(gateway: GatewayID) {
        self.gateway = gateway
    }

    /// Whose positions are wanted: nobody else's are looked at.
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
        runs = Dictionary(underway.map { ($0.id, $0) }) { first, _ in first }
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
        guard passing.method == .gpsLine, let order = passing.order else { return }
        let owner = Enrolment(run: passing.run, bib: passing.bib)
        guard runs[owner.run]?.participant(owner.bib) != nil else { return }
        crossed[owner, default: []].insert(Crossed(checkpoint: passing.checkpoint, order: order))
    }

    /// - Parameter report: by the clock of the race.
    /// - Returns: one for each run in which it counts.
    mutating func take(_ report: PositionReport, of bearer: PositionBearer) -> [Found] {
        take(report, of: owners[bearer] ?? [])
    }

    /// Whether a tag says something else than before.
    mutating func isNews(_ location: RemoteID.Location, of tag: TagNumber) -> Bool {
        said.updateValue(location, forKey: tag) != location
    }

    /// Nothing more is kept of these.
    mutating func forget(_ tags: [TagNumber]) {
        for tag in tags { said[tag] = nil }
    }

    /// - Parameter owners: whose a tag is.
    mutating func take(_ report: PositionReport, of owners: [Enrolment]) -> [Found] {
        owners.compactMap { owner in
            guard let run = runs[owner.run], let start = run.start(of: owner.bib) else { return nil }
            switch tracks[owner, default: RunnerTrack(run, start: start)].take(report) {
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

    /// The box has timed a runner: of one without positions nothing follows.
    mutating func passed(_ passing: Passing, at instant: BootInstant) {
        let owner = Enrolment(run: passing.run, bib: passing.bib)
        guard tracks[owner] != nil, let order = passing.order,
            let point = runs[passing.run]?.points.first(where: {
                $0.checkpoint == passing.checkpoint && $0.order == order
            })
        else { return }
        tracks[owner]?.passed(point, at: Moment(boot: instant, wall: passing.time))
    }

    // MARK: Parts

    private mutating func isNew(_ point: RunPoint, of owner: Enrolment) -> Bool {
        crossed[owner, default: []].insert(Crossed(checkpoint: point.checkpoint, order: point.order)).inserted
    }

    /// A track stands on the course, the checkpoints and the start that it was made with.
    private func isAsBefore(_ owner: Enrolment, _ before: Run?, _ now: Run?) -> Bool {
        guard let before, let now else { return false }
        return before.start(of: owner.bib) == now.start(of: owner.bib)
            && before.checkpoints == now.checkpoints && before.course == now.course
    }
}

extension Run {
    /// Of the runner's wave; nil for who is not in the run.
    fileprivate func start(of bib: Bib) -> WallTime? {
        participant(bib).flatMap { wave($0.wave)?.start }
    }
}
