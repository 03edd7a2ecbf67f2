import GatewayModel
import Hub
import RunBeacon
import TagAdverts
import WireFormats

/// Reports of runners' positions, made on the race thread.
struct PositionPublisher {
    struct Reports: Sendable {
        /// Whose positions are wanted from now on.
        var wants: @Sendable (Set<PositionBearer>) -> Void = { _ in }
        /// Where a runner is.
        var tell: @Sendable (Enrolment, RunnerPosition) -> Void = { _, _ in }
        /// How many could not be used since the start, by why; told when they are more, once a minute at most.
        var refused: @Sendable ([RunnerTrack.Refusal: Int]) -> Void = { _ in }
    }

    private let reports: Reports
    private var wanted: Set<PositionBearer> = []
    private var refused: (counts: [RunnerTrack.Refusal: Int], at: BootInstant?) = ([:], nil)

    init(_ reports: Reports) {
        self.reports = reports
    }

    private static let refusalRhythm = Duration.seconds(60)

    /// - Returns: passings at checkpoints that it has proven.
    func take(_ located: RaceInbox.Located, tracker: inout RaceTracker<AdvertRecogniser>) -> [RecordedPassing] {
        guard let report = located.report else {
            tracker.lose(located.bearer)
            return []
        }
        return told(tracker.locate(report, of: located.bearer))
    }

    /// Where the tag that sent it says that it is, if it does.
    func take(_ advert: Advert, tracker: inout RaceTracker<AdvertRecogniser>) -> [RecordedPassing] {
        told(tracker.locate(advert))
    }

    private func told(_ found: RunnersLocated) -> [RecordedPassing] {
        for (owner, position) in found.positions { reports.tell(owner, position) }
        return found.passings
    }

    mutating func tellState(of positions: PositionTracker, at now: BootInstant) {
        if positions.bearers != wanted {
            wanted = positions.bearers
            reports.wants(wanted)
        }
        guard positions.refused != refused.counts,
            refused.at.map({ $0.duration(to: now) >= Self.refusalRhythm }) ?? true
        else { return }
        refused = (positions.refused, now)
        reports.refused(positions.refused)
    }
}
