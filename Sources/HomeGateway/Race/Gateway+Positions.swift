import Alarms
import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import RealTime
import RunBeacon
import SOSLocal

// Where runners are: what the box itself and the wearables of the house tell, and where that goes.
extension Gateway {
    static func positionReports(
        _ wanted: WantedPositions, _ feed: Feed, _ gate: ConsentGate, _ queue: OutboundQueue, _ topics: Topics,
        _ log: Logger
    ) -> PositionDesk.Reports {
        PositionDesk.Reports(
            wants: { wanted.want($0) },
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

    // MARK: gpsd thread, Bluetooth thread

    func locate(_ fix: Fix) {
        guard wantedPositions.contains(.box) else { return }
        race.inbox.put(PositionReport(fix), of: .box)
    }

    /// Where nobody has a right to it any more, it ends here.
    func locate(_ position: WearablePosition) {
        // First: help goes to the person.
        inbox.submit(.position(position), at: position.arrival.boot)
        health.set(HealthCondition(.undecodableReadings, subject: position.device.text), false)
        let bearer = PositionBearer.person(position.person)
        guard wantedPositions.contains(bearer) else { return }
        race.inbox.put(PositionReport(position), of: bearer)
    }

    /// Its receiver does not know where it is.
    func lost(_ device: DeviceID, of person: PersonID) {
        health.set(HealthCondition(.undecodableReadings, subject: device.text), false)
        let bearer = PositionBearer.person(person)
        guard wantedPositions.contains(bearer) else { return }
        race.inbox.put(nil, of: bearer)
    }

    // MARK: Control thread

    /// The newest position of each runner, or of those in the run that is named.
    func showPositions(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        let rows = race.status?.positionRows(at: Clock.boot()) ?? []
        let asked = rows.filter { request.subject == nil || $0.run == request.subject }
        var answer = ControlReply(isDone: true, lines: PositionTable(rows: asked).lines)
        answer.positions = asked
        reply(answer)
    }
}
