public import Consent
public import GatewayModel
public import RunBeacon
public import SOSLocal

/// One message of the contract, ready for the broker: topic, payload, and the data that it discloses.
///
/// Made only by the factories below, so the disclosure always describes the payload.
public struct Envelope: Disclosable, Hashable, Sendable {
    /// Order of sending: the lane with the lower number goes first.
    public enum Lane: Int, CaseIterable, Comparable, Codable, Sendable {
        case alarm = 0
        case live = 1
        case backlog = 2

        public static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }
    }

    /// Rule for keeping a message that cannot be sent.
    public enum Retention: String, CaseIterable, Hashable, Sendable {
        /// A state of the box at one moment. It has no value later, and is not kept when the gateway stops.
        case moment
        /// One of many: may be dropped if the store is full, and a gap record reports it.
        case sample
        /// Never dropped: alarms, and the report that samples are missing.
        case certain
    }

    /// State of the box in `status`.
    public enum Presence: String, Sendable {
        case online, offline
    }

    /// Stable ID of the contract, also inside the payload.
    public let id: MessageID
    /// Arrival of the content at the gateway. It is the time of the ID, except for a stored record of a wearable: the
    /// ID of such a record begins with the device's time.
    public let arrived: WallTime
    public let lane: Lane
    public let retention: Retention
    public let disclosure: Disclosure
    public let topic: String
    /// UTF-8 JSON.
    public let payload: [UInt8]
    /// The broker keeps the message for later subscribers.
    public let isRetained: Bool
    /// Whole seconds after which the broker drops the message for an absent subscriber (MQTT 5 section 3.3.2.3.3); nil
    /// for a message that must arrive however late. The broker counts from its own reception. Only messages of the
    /// retention `moment` have one, and they are never stored on disk.
    public let expiry: Duration?
    /// The payload has the form for several readings, each with its own ID (`gathered`).
    public let isGathered: Bool
    /// ID of the content: messages with the same one have the same content. For several readings it is made of all
    /// their IDs, while `id` is the first reading's.
    let contentID: MessageID
    /// The message must not leave before it is sealed to the key of its third party (`sealed`).
    public let awaitsSealing: Bool

    init(
        id: MessageID, lane: Lane, retention: Retention, disclosure: Disclosure, topic: String,
        payload: [UInt8], isRetained: Bool = false, expiry: Duration? = nil,
        isGathered: Bool = false, contentID: MessageID? = nil, awaitsSealing: Bool = false,
        arrived: WallTime? = nil
    ) {
        self.id = id
        self.contentID = contentID ?? id
        self.arrived = arrived ?? id.wall
        self.lane = lane
        self.retention = retention
        self.disclosure = disclosure
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.expiry = expiry
        self.isGathered = isGathered
        self.awaitsSealing = awaitsSealing
    }

    // MARK: The box

    /// Returns the retained message about the box. The last will says `offline`; its `time` is then the time of its
    /// creation, at connecting. The message has no expiry, because the broker would otherwise lose its information
    /// about the gateway.
    public static func status(
        _ presence: Presence, version: String, conditions: [HealthCondition], id: MessageID, at time: WallTime,
        topics: Topics
    ) -> Envelope {
        let payload = StatusPayload(presence, version: version, conditions, id: id, at: time)
        return Envelope(
            id: id, lane: .live, retention: .moment, disclosure: .gateway, topic: topics.status,
            payload: WireJSON.encode(payload), isRetained: true)
    }

    /// - Parameter interval: time until the next heartbeat, and expiry of this one for an absent subscriber: an old
    ///   heartbeat proves nothing.
    public static func heartbeat(
        _ heartbeat: Heartbeat, version: String, interval: Duration, id: MessageID, at time: WallTime,
        topics: Topics
    ) -> Envelope {
        let payload = HeartbeatPayload(heartbeat, version: version, interval: interval, id: id, at: time)
        return Envelope(
            id: id, lane: .live, retention: .moment,
            disclosure: .household(Set(heartbeat.wearables.map(\.person))),
            topic: topics.heartbeat, payload: WireJSON.encode(payload), expiry: interval)
    }

    // MARK: Readings

    /// Returns a reading for the cloud: `samples/<person>/<kind>`.
    ///
    /// - Parameter intervals: RR intervals in milliseconds that leave with a heart rate. For a third party each kind is
    ///   granted separately, so in its copies they are separate readings.
    public static func sample(
        _ reading: Reading, intervals: [Double] = [], as format: ReadingFormat = .samples, topics: Topics
    ) -> Envelope {
        let payload = SamplePayload(reading, intervals: intervals, id: reading.id)
        return Envelope(
            id: reading.id, lane: .live, retention: .sample, disclosure: reading.disclosure,
            topic: topics.samples(of: reading.person, reading.quantity.kind), payload: payload.json(as: format),
            arrived: reading.arrival.wall)
    }

    /// Returns the same reading for one third party, in the requested form: `parties/<party>/<person>/<kind>`. If the
    /// party has registered a key, the copy is sealed when it leaves, together with the copies that leave with it.
    ///
    /// - Parameter id: created for this copy. Two parties that compare their copies cannot tell by the ID that they are
    ///   one reading.
    public static func share(_ shared: Shared<Reading>, id: MessageID, topics: Topics) -> Envelope {
        let payload = SamplePayload(
            shared.value, id: id, by: SamplePayload.Share(grant: shared.grant, house: topics.gateway))
        return share(shared, payload.json(as: shared.grant.request.format), .sample, id: id, topics: topics)
    }

    /// Returns a position for one third party, with the precision of its request: `parties/<party>/<person>/location`.
    ///
    /// - Parameter id: created for this copy. Of a coarse position it must not tell the time more exactly than the
    ///   payload.
    public static func share(_ shared: Shared<PositionSample>, id: MessageID, topics: Topics) -> Envelope {
        let payload = LocationPayload(shared, id: id)
        return share(
            shared, WireJSON.encode(payload), .sample, id: id, topics: topics,
            arrived: shared.value.arrival.wall)
    }

    /// Returns an item of a profile, or the limits of the alarms, for one third party: `parties/<party>/<person>/profile-<item>`
    /// and `…/limits`. It is never dropped.
    public static func share(_ shared: Shared<PersonFact>, id: MessageID, topics: Topics) -> Envelope {
        share(
            shared, WireJSON.encode(FactPayload(shared, id: id)), .certain, id: id, topics: topics,
            arrived: shared.value.time)
    }

    private static func share<Value>(
        _ shared: Shared<Value>, _ payload: [UInt8], _ retention: Retention, id: MessageID, topics: Topics,
        arrived: WallTime? = nil
    ) -> Envelope {
        let (value, party) = (shared.value, shared.grant.party)
        return Envelope(
            id: id, lane: .live, retention: retention, disclosure: shared.disclosure,
            topic: topics.share(of: value.person, value.dataKind, with: party.id), payload: payload,
            awaitsSealing: party.sealingKey != nil, arrived: arrived)
    }

    /// Returns the message about missing data of a series, with the reason.
    ///
    /// - Parameters:
    ///   - id: ID of the gap: the same whenever it is sent again.
    ///   - time: time of the record.
    ///   - request: accepted by the grant of a third party's series; nil for the cloud's.
    public static func gap(
        _ gap: SampleGap, of series: SampleSeries, answering request: RequestID? = nil, id: MessageID,
        at time: WallTime, topics: Topics
    ) -> Envelope {
        let payload = GapPayload(gap, of: series, answering: request, id: id, at: time)
        return Envelope(
            id: id, lane: .live, retention: .certain, disclosure: series.disclosure,
            topic: topics.gaps(of: series), payload: WireJSON.encode(payload))
    }

    // MARK: Several readings in one message

    private var gatheredForm: GatheredForm? { GatheredForm(of: payload) }

    /// Whether it is a reading that may leave in one message with others.
    public var isGatherable: Bool { retention == .sample && disclosure.series != nil && gatheredForm != nil }

    /// Returns whether one message may hold both: readings of one person, for one recipient, in one form. For a third
    /// party they must also be of one kind, since each kind has its own grant, topic and gaps.
    public func isGatherable(with other: Envelope) -> Bool {
        guard retention == .sample, other.retention == .sample else { return false }
        switch (disclosure, other.disclosure) {
        case (.readings(let person, _), .readings(let someone, _)):
            guard person == someone else { return false }
        case (.share, .share): guard disclosure == other.disclosure, topic == other.topic else { return false }
        default: return false
        }
        guard let form = gatheredForm, awaitsSealing == other.awaitsSealing else { return false }
        return form == other.gatheredForm
    }

    /// Returns one message of several readings, each with its own ID: `samples/<person>`, or the topic of a third
    /// party's kind.
    ///
    /// Its `id`, by which it is acknowledged, is that of the first reading. The payload has no ID of its own.
    ///
    /// - Parameter parts: gatherable with each other, in order.
    /// - Returns: nil if a payload cannot be read as a reading.
    public static func gathered(_ parts: [Envelope]) -> Envelope? {
        guard let first = parts.first, let form = first.gatheredForm,
            let disclosure = Disclosure.joined(parts.map(\.disclosure)), let topic = gatheredTopic(of: first)
        else { return nil }
        let payload: [UInt8]? =
            switch form {
            case .samples: GatheredSamples.payload(of: parts.map(\.payload))
            case .fhir: FHIR.bundle(of: parts.map { (id: $0.id, observation: $0.payload) })
            }
        guard let payload else { return nil }
        return Envelope(
            id: first.id, lane: first.lane, retention: .sample, disclosure: disclosure, topic: topic,
            payload: payload, isGathered: true,
            contentID: parts.count == 1 ? first.id : first.id.joined(with: parts.dropFirst().map(\.id)),
            awaitsSealing: first.awaitsSealing, arrived: first.arrived)
    }

    /// Returns the topic: for the cloud that of the person, which is that of a kind without its last level.
    private static func gatheredTopic(of part: Envelope) -> String? {
        guard case .readings = part.disclosure else { return part.topic }
        return part.topic.lastIndex(of: "/").map { String(part.topic[..<$0]) }
    }

    /// Upper limit of the bytes that this reading adds to the payload of a gathered message.
    public var gatheredBytes: Int {
        // A comma, and the request of a Bundle's entry (`FHIR.bundle`).
        let plain = payload.count + (gatheredForm == .fhir ? 100 : 1)
        return awaitsSealing ? (plain * 4 + 2) / 3 : plain
    }

    /// Upper limit of the bytes of a gathered message's payload besides those of its readings. `samples` or the frame
    /// of a Bundle has 50 bytes. In a sealed message, they and the 48 bytes of key and tag take 132 bytes in base64url,
    /// ID and name of the key take 140, and the request 45.
    public static let gatheredOverhead = 320

    /// Returns the same message, sealed for the owner of one key.
    ///
    /// - Parameter request: that it answers.
    /// - Returns: nil if sealing to the key fails. The message must not leave unsealed then.
    public func sealed(
        to key: ThirdParty.SealingKey, answering request: RequestID? = nil, by sealer: any MessageSealer
    ) -> Envelope? {
        let sealed = SealedPayload.json(
            of: payload, topic: topic, id: contentID, answering: request, to: key, by: sealer)
        guard let payload = sealed else { return nil }
        return Envelope(
            id: id, lane: lane, retention: retention, disclosure: disclosure, topic: topic,
            payload: payload, isRetained: isRetained, expiry: expiry, isGathered: isGathered,
            contentID: contentID, arrived: arrived)
    }

    // MARK: Emergencies

    /// Returns the call for help. One message a round; the alarm's ID is the same in all.
    public static func sos(
        _ order: DispatchOrder, of profile: PersonProfile, id: MessageID, at time: WallTime, topics: Topics
    ) -> Envelope {
        let payload = SOSPayload(order, of: profile, id: id, at: time)
        return sos(payload, .emergency(of: order.person), of: order.person, id: id, topics: topics)
    }

    /// Returns the message that the call no longer holds: `cancelled`, or `resolved` if the house has dealt with it, or
    /// `accepted` for the other informed channels after one of them has taken the call.
    public static func sos(
        _ retraction: Retraction, id: MessageID, at time: WallTime, topics: Topics
    ) -> Envelope {
        let disclosure: Disclosure =
            retraction.isOfWhatIsKnown
            ? .emergencyOver(of: retraction.person) : .emergency(of: retraction.person)
        let payload = SOSPayload(retraction, id: id, at: time)
        return sos(payload, disclosure, of: retraction.person, id: id, topics: topics)
    }

    private static func sos(
        _ payload: SOSPayload, _ disclosure: Disclosure, of person: PersonID, id: MessageID, topics: Topics
    ) -> Envelope {
        Envelope(
            id: id, lane: .alarm, retention: .certain, disclosure: disclosure, topic: topics.sos(of: person),
            payload: WireJSON.encode(payload))
    }

    /// Whether it is a call for help, or the message that a call no longer holds. These have a short form.
    public var isCall: Bool {
        switch disclosure {
        case .emergency, .emergencyOver: true
        case .notice, .question, .readings, .severalReadings, .share, .gateway, .household, .receipt, .runner,
            .runnerLeft, .dashboard, .dashboardEmptied:
            false
        }
    }

    /// Returns the short form of a call for help. It discloses no more than the full form.
    ///
    /// - Parameters:
    ///   - limit: maximum size of the payload in bytes.
    ///   - id: ID of the short form; nil for that of the message.
    /// - Returns: nil if `limit` is too small for any short form, and for a message that is no call.
    public func shortened(to limit: Int, id: MessageID? = nil) -> Envelope? {
        guard isCall, let short = ShortSOS(payload: payload, id: id ?? self.id),
            let payload = short.payload(within: limit)
        else { return nil }
        return Envelope(
            id: id ?? self.id, lane: lane, retention: retention, disclosure: disclosure, topic: topic,
            payload: payload, isRetained: isRetained, expiry: expiry, arrived: arrived)
    }

    // MARK: Notices

    /// Returns news about a person that is no emergency. It is kept until the broker has it.
    public static func notice(_ notice: PersonNotice, topics: Topics) -> Envelope {
        Envelope(
            id: notice.id, lane: .live, retention: .certain, disclosure: notice.disclosure,
            topic: topics.notices(of: notice.person), payload: WireJSON.encode(NoticePayload(notice)))
    }

    // MARK: Receipts

    /// Returns a receipt. It is kept until the broker has it.
    ///
    /// - Parameters:
    ///   - signed: a compact JWS. The `jti` of its claims is `id`.
    ///   - person: subject of the receipt; nil if it concerns no person.
    public static func receipt(
        signed: [UInt8], id: MessageID, of person: PersonID?, topics: Topics
    ) -> Envelope {
        Envelope(
            id: id, lane: .live, retention: .certain, disclosure: .receipt(of: person),
            topic: topics.receipts, payload: signed)
    }

    // MARK: Runs

    /// Returns a stored passing. It is never dropped to make room. It is in the live lane during a connection.
    public static func passing(_ passing: Passing, topics: Topics) -> Envelope {
        Envelope(
            id: passing.id, lane: .live, retention: .certain, disclosure: .runner(passing.run, passing.bib),
            topic: topics.passings(of: passing.run), payload: WireJSON.encode(PassingPayload(passing)))
    }

    /// Returns the position of a runner, and the likely time at the next checkpoint. It is kept without a connection,
    /// as readings are, because the track is needed afterwards. If room is needed, it is thinned like them.
    ///
    /// - Parameter id: created for this position.
    public static func runPosition(
        _ position: RunnerPosition, of bib: Bib, in run: RunID, id: MessageID, topics: Topics
    ) -> Envelope {
        let payload = RunPositionPayload(position, of: bib, in: run, id: id, box: topics.gateway)
        return Envelope(
            id: id, lane: .live, retention: .sample, disclosure: .runner(run, bib),
            topic: topics.positions(of: run), payload: WireJSON.encode(payload))
    }

    /// Returns news of a runner that is no passing: `runs/<run>/runners`. It is never dropped.
    ///
    /// - Parameter start: of the run; part of the ID, which is the same whenever the news is sent again.
    public static func runnerNews(_ news: RunnerNews, start: WallTime, topics: Topics) -> Envelope {
        let id = news.messageID(of: topics.gateway, start: start)
        let owner = news.owner
        let disclosure: Disclosure =
            news.event == .left ? .runnerLeft(owner.run, owner.bib) : .runner(owner.run, owner.bib)
        let payload = RunnerNewsPayload(news, id: id, box: topics.gateway)
        return Envelope(
            id: id, lane: .live, retention: .certain, disclosure: disclosure,
            topic: topics.runners(of: owner.run), payload: WireJSON.encode(payload), arrived: news.time)
    }

    /// Returns a correction of a result: `runs/<run>/corrections`. It is never dropped.
    public static func correction(_ correction: RaceCorrection, topics: Topics) -> Envelope {
        let id = correction.messageID(of: topics.gateway)
        let payload = CorrectionPayload(correction, id: id, box: topics.gateway)
        return Envelope(
            id: id, lane: .live, retention: .certain, disclosure: .runner(correction.run, correction.bib),
            topic: topics.corrections(of: correction.run), payload: WireJSON.encode(payload))
    }

    // MARK: The home's own dashboard

    /// Returns the announcement of an entity; retained. Each person is one device, and so is the box.
    ///
    /// - Parameters:
    ///   - name: display name of the person; nil for the box.
    ///   - sampling: a value of a stream is hidden some time after the stream has ended, because silence does not prove
    ///     health. Nil for a value that is no reading.
    public static func dashboardConfig(
        _ entity: DashboardEntity, named name: String?, sampling: Reading.Sampling?, version: String,
        id: MessageID, topics: DashboardTopics
    ) -> Envelope {
        let payload = DashboardConfigPayload(
            entity, named: name, sampling: sampling, version: version, topics: topics)
        return dashboard(entity, topics.config(of: entity), WireJSON.encode(payload), id, isRetained: true)
    }

    /// Returns the present value of an entity. Not retained, so that the broker does not store it.
    public static func dashboardState(
        _ value: DashboardValue, of entity: DashboardEntity, id: MessageID, topics: DashboardTopics
    ) -> Envelope {
        dashboard(entity, topics.state(of: entity), value.json, id)
    }

    /// Returns the message that an entity has no present value: the last one has expired.
    public static func dashboardExpired(
        _ entity: DashboardEntity, id: MessageID, topics: DashboardTopics
    ) -> Envelope {
        dashboard(entity, topics.state(of: entity), DashboardValue.expired, id)
    }

    /// Returns the presence of the gateway; its last will says `offline`.
    public static func dashboardPresence(
        _ presence: Presence, id: MessageID, topics: DashboardTopics
    ) -> Envelope {
        dashboard(.box, topics.availability, Array(presence.rawValue.utf8), id, isRetained: true)
    }

    /// Returns an empty retained message: the broker deletes the topic's message, and Home Assistant removes an entity
    /// (MQTT 5 section 3.3.1.3; home-assistant.io, MQTT, "Discovery payload").
    public static func dashboardEmptied(_ topic: String, id: MessageID) -> Envelope {
        Envelope(
            id: id, lane: .live, retention: .moment, disclosure: .dashboardEmptied, topic: topic, payload: [],
            isRetained: true)
    }

    private static func dashboard(
        _ entity: DashboardEntity, _ topic: String, _ payload: [UInt8], _ id: MessageID,
        isRetained: Bool = false
    ) -> Envelope {
        let persons = Set([entity.person].compactMap(\.self))
        return Envelope(
            id: id, lane: .live, retention: .moment, disclosure: .dashboard(persons), topic: topic,
            payload: payload, isRetained: isRetained)
    }
}
