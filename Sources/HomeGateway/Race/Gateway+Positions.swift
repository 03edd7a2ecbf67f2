import Alarms
import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import Readings
import RealTime
import RunBeacon
import SOSLocal

// Where runners are: what the box itself and the wearables of the house tell, and where that goes.
extension Gateway {
    static func positionReports(
        _ positions: RacePositions.Bearers, _ followed: FollowedPersons, _ feed: Feed, _ gate: ConsentGate,
        _ queue: OutboundQueue, _ topics: Topics,
        _ log: Logger
    ) -> PositionPublisher.Reports {
        PositionPublisher.Reports(
            wants: { bearers in
                positions.replace(bearers)
                followed.setRunners(
                    Set(bearers.compactMap { if case .person(let person) = $0 { person } else { nil } }))
            },
            tell: { tell($1, of: $0, feed, gate, queue, topics) },
            refused: { counts in
                log.info(
                    "positions of runners are not used",
                    metadata: ["since_start": "\(PositionTable.words(on: counts))"])
            })
    }

    // MARK: Race thread

    /// Of a runner who has left meanwhile nobody is told.
    private static func tell(
        _ position: RunnerPosition, of owner: Enrolment, _ feed: Feed, _ gate: ConsentGate,
        _ queue: OutboundQueue, _ topics: Topics
    ) {
        let id = MessageID.random(at: position.arrival.wall)
        let envelope = Envelope.runPosition(position, of: owner.bib, in: owner.run, id: id, topics: topics)
        guard let cleared = try? gate.clear(envelope) else { return }
        feed.put(.runner(owner, at: position, id: id))
        queue.enqueue(cleared)
    }

    // MARK: Control thread

    /// The newest position of each runner, or of those in the run that is named.
    func showPositions(
        _ request: ControlRequest, _ race: RaceService, _ reply: @escaping ControlAnswer
    ) {
        let rows = race.status?.positionRows(at: Clock.boot()) ?? []
        let asked = rows.filter { request.subject == nil || $0.run == request.subject }
        var answer = ControlReply(isDone: true, lines: PositionTable(rows: asked).lines)
        answer.positions = asked
        reply(answer)
    }
}
