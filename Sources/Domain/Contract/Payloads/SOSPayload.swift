import GatewayModel
import SOSLocal

/// Payload of `sos/<person>`: an emergency, confirmed or no longer one.
struct SOSPayload: Encodable {
    struct Cause: Encodable {
        /// `heart-rate-high`, or `sos-button`, `fall`, `shaking`: those have no reading.
        let rule: String
        /// Of a drill the help button whose press is a test; nil for a rehearsal.
        let device: String?
        let kind: String?
        let limit: Double?
        let value: Double?
        let newest: Double?
        let unit: String?
        let loinc: String?
        /// Reasons to doubt `value`; nil where there are none.
        var doubt: [String]?
    }

    /// One vital sign in the last minutes.
    struct TrendPoint: Encodable {
        let kind: String
        let device: String
        let value: Double
        let unit: String
        let loinc: String?
        /// RFC 3339.
        let time: String
        /// Reasons to doubt `value`; nil where there are none.
        let doubt: [String]?
    }

    struct Person: Encodable {
        let name: String
        let birthYear: Int?
        let gender: String?
        /// The person's own.
        let phone: String?
        let address: String
        let contacts: [Contact]
        let medicalNotes: [String]
    }

    struct Contact: Encodable {
        let name: String
        let phone: String
        let relation: String?
    }

    struct Location: Encodable {
        /// `fix`, `last-known` or `installed` (T9): always said.
        let source: String
        let latitude: Double?
        let longitude: Double?
        let altitudeM: Double?
        /// The receiver's own estimate, in most receivers at 95 %.
        let errorM: Double?
        /// How old the position was when the order was given; nil for the installed address.
        let ageSeconds: Double?
        /// Owner of the position: `wearable` (the person's own) or `box`; nil for the installed address.
        let of: String?
        /// The wearable.
        let device: String?
        let address: String?
    }

    struct Timeline: Encodable {
        /// RFC 3339.
        let crossing: String
        let confirmedAfterMs: Int64
        let orderedAfterMs: Int64
        /// Nil while no machine has acknowledged the call.
        let handedOverAfterMs: Int64?
    }

    struct Ending: Encodable {
        let how: String
        let by: String
        let means: String
        /// As in `Timeline`.
        let handedOverAfterMs: Int64?
    }

    let id: String
    let alarm: String
    /// `pending`, `confirmed`, `cancelled`, `resolved`, `accepted` or `lapsed`.
    let state: String
    /// `high`, `medium`.
    let priority: String
    /// Nobody is in danger: a rehearsal.
    let drill: Bool
    let person: String
    let profile: Person?
    let round: Int?
    /// `possible` where the values are doubtful and nothing supports them; nil otherwise.
    let certainty: String?
    let cause: Cause?
    let trend: [TrendPoint]?
    let location: Location?
    let timeline: Timeline?
    /// RFC 3339: when the person said by a button that they are all right, after the call had arrived. The call stands.
    let saidAllRight: String?
    let ending: Ending?
    let time: String

    init(_ order: DispatchOrder, of profile: PersonProfile, id: MessageID, at time: WallTime) {
        self.id = id.description
        (alarm, state) = (order.alarm.description, order.stage.rawValue)
        (priority, drill, person) = (order.priority.rawValue, order.isDrill, order.person.text)
        (self.profile, round) = (Person(profile), order.round)
        certainty = order.certainty == .possible ? order.certainty.rawValue : nil
        cause = Cause(order.cause, newest: order.newest)
        trend = order.trend.map(TrendPoint.init)
        location = Location(order.location)
        timeline = Timeline(
            crossing: order.cause.arrival.wall.rfc3339,
            confirmedAfterMs: order.cause.instant.duration(to: order.confirmation).wholeMilliseconds,
            orderedAfterMs: order.cause.instant.duration(to: order.ordered).wholeMilliseconds,
            handedOverAfterMs: order.callHandedOver.map {
                order.cause.instant.duration(to: $0).wholeMilliseconds
            })
        saidAllRight = order.saidAllRightWall?.rfc3339
        (ending, self.time) = (nil, time.rfc3339)
    }

    init(_ retraction: Retraction, id: MessageID, at time: WallTime) {
        self.id = id.description
        (alarm, state) = (retraction.alarm.description, retraction.ending.wireState)
        (priority, drill) = (retraction.priority.rawValue, retraction.isDrill)
        person = retraction.person.text
        (profile, round, certainty, cause, trend, location, timeline) = (nil, nil, nil, nil, nil, nil, nil)
        saidAllRight = nil
        ending = Ending(
            how: retraction.ending.word, by: retraction.ending.act.by,
            means: retraction.ending.act.means.rawValue,
            handedOverAfterMs: retraction.callHandedOver.map {
                retraction.cause.instant.duration(to: $0).wholeMilliseconds
            })
        self.time = time.rfc3339
    }
}

extension AlarmEnding {
    fileprivate var wireState: String {
        switch self {
        case .aborted: "cancelled"
        case .accepted: "accepted"
        case .resolved: "resolved"
        case .lapsed: "lapsed"
        }
    }
}

extension SOSPayload.TrendPoint {
    init(_ reading: Reading) {
        let coding = reading.quantity.kind.coding
        self.init(
            kind: reading.quantity.kind.rawValue, device: reading.device.text, value: reading.quantity.value,
            unit: coding.unit, loinc: coding.loinc, time: reading.measured.rfc3339,
            doubt: reading.doubts.isEmpty ? nil : reading.doubts.words)
    }
}

extension SOSPayload.Person {
    init(_ profile: PersonProfile) {
        self.init(
            name: profile.name, birthYear: profile.birthYear, gender: profile.gender?.rawValue,
            phone: profile.phone, address: profile.home.address,
            contacts: profile.contacts.map {
                SOSPayload.Contact(name: $0.name, phone: $0.phone, relation: $0.relation)
            },
            medicalNotes: profile.medicalNotes)
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
                newest: newest?.quantity.value, unit: coding.unit, loinc: coding.loinc,
                doubt: crossing.reading.doubts.isEmpty ? nil : crossing.reading.doubts.words)
        case .earlyWarning(let warning):
            self.init(
                rule: cause.name, device: nil, kind: nil, limit: Double(warning.limit),
                value: Double(warning.points), newest: nil, unit: "{score}", loinc: nil)
        case .signal, .silence, .drill:
            self.init(
                rule: cause.name, device: cause.device?.text, kind: nil, limit: nil, value: nil, newest: nil,
                unit: nil, loinc: nil)
        }
    }
}

extension SOSPayload.Location {
    init(_ location: AlarmLocation) {
        let installed: InstalledPlace? = if case .installed(let place) = location { place } else { nil }
        let coordinates = location.fix?.coordinates ?? installed?.coordinates
        self.init(
            source: location.source, latitude: coordinates?.latitude, longitude: coordinates?.longitude,
            altitudeM: location.fix?.altitude, errorM: location.fix?.horizontalError,
            ageSeconds: location.age.map { Double($0.wholeMilliseconds) / 1_000 }, of: location.bearer?.word,
            device: location.bearer?.device?.text, address: installed?.address)
    }
}
