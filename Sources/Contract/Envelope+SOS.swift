import Consent
public import GatewayModel
public import SOSLocal

/// `sos/<person>`: an emergency, confirmed or no longer one.
struct SOSPayload: Encodable {
    struct Cause: Encodable {
        /// `heart-rate-high`, or `sos-button`, `fall`, `shaking`: those have no reading.
        let rule: String
        let device: String
        let kind: String?
        let limit: Double?
        let value: Double?
        let newest: Double?
        let unit: String?
        let loinc: String?
    }

    struct Location: Encodable {
        /// `fix`, `last-known` or `installed` (T9): always said.
        let source: String
        let latitude: Double?
        let longitude: Double?
        let altitudeM: Double?
        /// The receiver's own estimate, in most receivers at 95 %.
        let errorM: Double?
        let ageSeconds: Double?
        let address: String?
    }

    struct Timeline: Encodable {
        /// RFC 3339.
        let crossing: String
        let confirmedAfterMs: Int64
        let orderedAfterMs: Int64
    }

    struct Ending: Encodable {
        let how: String
        let by: String
        let means: String
    }

    let id: String
    let alarm: String
    let state: String
    let person: String
    let name: String?
    let round: Int?
    let cause: Cause?
    let location: Location?
    let timeline: Timeline?
    let ending: Ending?
    let time: String
}

extension Envelope {
    /// The call for help. One message a round; the alarm's id is the same in all.
    public static func sos(
        _ order: DispatchOrder, personName: String, id: MessageID, at time: WallTime, topics: Topics
    ) -> Envelope {
        let payload = SOSPayload(
            id: id.description, alarm: order.alarm.description, state: "confirmed", person: order.person.text,
            name: personName, round: order.round,
            cause: SOSPayload.Cause(order.cause, newest: order.newest),
            location: SOSPayload.Location(order.location),
            timeline: SOSPayload.Timeline(
                crossing: order.cause.arrival.wall.rfc3339,
                confirmedAfterMs: order.cause.instant.duration(to: order.confirmation).wholeMilliseconds,
                orderedAfterMs: order.cause.instant.duration(to: order.ordered).wholeMilliseconds),
            ending: nil, time: time.rfc3339)
        return sos(payload, of: order.person, id: id, topics: topics)
    }

    /// The word that the call no longer holds: `cancelled`, or `resolved` where the house has dealt
    /// with it, or `accepted` to the channels that were told besides the one that took it.
    public static func sos(
        _ retraction: Retraction, id: MessageID, at time: WallTime, topics: Topics
    ) -> Envelope {
        let payload = SOSPayload(
            id: id.description, alarm: retraction.alarm.description, state: retraction.ending.wireState,
            person: retraction.person.text, name: nil, round: nil, cause: nil, location: nil, timeline: nil,
            ending: SOSPayload.Ending(
                how: retraction.ending.word, by: retraction.ending.act.by,
                means: retraction.ending.act.means.rawValue),
            time: time.rfc3339)
        return sos(payload, of: retraction.person, id: id, topics: topics)
    }

    private static func sos(
        _ payload: SOSPayload, of person: PersonID, id: MessageID, topics: Topics
    ) -> Envelope {
        Envelope(
            id: id, lane: .alarm, disclosure: .emergency(of: person), topic: topics.sos(of: person),
            payload: WireJSON.encode(payload))
    }
}

extension AlarmEnding {
    fileprivate var wireState: String {
        switch self {
        case .aborted: "cancelled"
        case .accepted: "accepted"
        case .resolved: "resolved"
        }
    }
}

extension SOSPayload.Cause {
    init(_ cause: AlarmCause, newest: Reading?) {
        switch cause {
        case .crossing(let crossing):
            let coding = crossing.rule.kind.coding
            self.init(
                rule: cause.name, device: crossing.reading.device.text, kind: crossing.rule.kind.rawValue,
                limit: crossing.rule.limit, value: crossing.reading.quantity.value,
                newest: newest?.quantity.value, unit: coding.unit, loinc: coding.loinc)
        case .signal(let signal):
            self.init(
                rule: cause.name, device: signal.device.text, kind: nil, limit: nil, value: nil, newest: nil,
                unit: nil, loinc: nil)
        }
    }
}

extension SOSPayload.Location {
    init(_ location: AlarmLocation) {
        switch location {
        case .fix(let fix):
            self.init(source: "fix", fix: fix, age: nil)
        case .lastKnown(let fix, let age):
            self.init(source: "last-known", fix: fix, age: Double(age.wholeMilliseconds) / 1_000)
        case .installed(let place):
            self.init(
                source: "installed", latitude: place.coordinates?.latitude,
                longitude: place.coordinates?.longitude, altitudeM: nil, errorM: nil, ageSeconds: nil,
                address: place.address)
        }
    }

    private init(source: String, fix: Fix, age: Double?) {
        self.init(
            source: source, latitude: fix.coordinates.latitude, longitude: fix.coordinates.longitude,
            altitudeM: fix.altitude, errorM: fix.horizontalError, ageSeconds: age, address: nil)
    }
}
