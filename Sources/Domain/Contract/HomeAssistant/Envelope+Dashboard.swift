import Consent
public import GatewayModel

/// Home Assistant's discovery message for one sensor (home-assistant.io, MQTT Sensor, "Configuration variables").
struct DashboardConfigPayload: Encodable {
    struct Device: Encodable {
        let identifiers: [String]
        let name: String
        let manufacturer: String
        let model: String
        let swVersion: String
    }

    struct Origin: Encodable {
        let name: String
        let swVersion: String
    }

    struct Availability: Encodable {
        let topic: String
    }

    let name: String
    let uniqueId: String
    let stateTopic: String
    let valueTemplate: String
    let jsonAttributesTopic: String
    let unitOfMeasurement: String
    let deviceClass: String?
    let stateClass: String
    let icon: String?
    /// Seconds after which a value that no other has followed is none any more.
    let expireAfter: Int?
    let availability: [Availability]
    let device: Device
    let origin: Origin
}

extension Envelope {
    /// That there is such an entity; retained. It belongs to one device a person.
    ///
    /// - Parameters:
    ///   - name: the person's, as people say it.
    ///   - sampling: what streams is no more shown a while after it has ended: silence is no health.
    public static func dashboardConfig(
        _ entity: DashboardEntity, named name: String, sampling: Reading.Sampling, version: String,
        id: MessageID, topics: DashboardTopics
    ) -> Envelope {
        let coding = entity.kind.coding
        let form = DashboardForm(of: entity.kind)
        let person = "\(topics.node)_\(entity.person)"
        let payload = DashboardConfigPayload(
            name: coding.title, uniqueId: "\(person)_\(entity.kind.rawValue)",
            stateTopic: topics.state(of: entity), valueTemplate: "{{ value_json.value }}",
            jsonAttributesTopic: topics.state(of: entity), unitOfMeasurement: coding.displayUnit,
            deviceClass: form.deviceClass, stateClass: form.stateClass, icon: form.icon,
            expireAfter: sampling == .stream ? expiry(of: entity.kind) : nil,
            availability: [.init(topic: topics.availability)],
            device: .init(
                identifiers: [person], name: name, manufacturer: "HomeGateway", model: "Wearables of a person",
                swVersion: version),
            origin: .init(name: "HomeGateway", swVersion: version))
        return dashboard(
            [entity.person], topics.config(of: entity), WireJSON.encode(payload), id, isRetained: true)
    }

    /// A glucose sensor sends each 1 to 5 minutes, whatever else streams every few seconds; some of them missed.
    private static func expiry(of kind: QuantityKind) -> Int { kind == .glucose ? 900 : 60 }

    /// What is measured now. Not retained: nothing of it lies at the broker.
    public static func dashboardState(_ reading: Reading, id: MessageID, topics: DashboardTopics) -> Envelope {
        let entity = DashboardEntity(person: reading.person, kind: reading.quantity.kind)
        var json = FlatJSON()
        json.add("device", reading.device.text)
        json.add("time", reading.measured.rfc3339)
        json.add("undated", reading.currency == .undated ? true : nil)
        json.add("value", reading.quantity.value)
        return dashboard([entity.person], topics.state(of: entity), json.finished(), id)
    }

    /// Whether the gateway is there; its last will says `offline`.
    public static func dashboardPresence(
        _ presence: Presence, id: MessageID, topics: DashboardTopics
    ) -> Envelope {
        dashboard([], topics.availability, Array(presence.rawValue.utf8), id, isRetained: true)
    }

    /// Nothing, retained: the broker forgets what lay there, and Home Assistant removes an entity (MQTT 5 section
    /// 3.3.1.3; home-assistant.io, MQTT, "Discovery payload").
    public static func dashboardEmptied(_ topic: String, id: MessageID) -> Envelope {
        Envelope(
            id: id, lane: .live, retention: .moment, disclosure: .dashboardEmptied, topic: topic, payload: [],
            isRetained: true)
    }

    private static func dashboard(
        _ persons: Set<PersonID>, _ topic: String, _ payload: [UInt8], _ id: MessageID, isRetained: Bool = false
    ) -> Envelope {
        Envelope(
            id: id, lane: .live, retention: .moment, disclosure: .dashboard(persons), topic: topic,
            payload: payload, isRetained: isRetained)
    }
}
