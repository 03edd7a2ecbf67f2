import GatewayModel

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

    /// - Parameters:
    ///   - name: the person's, as people say it.
    ///   - sampling: a value of a stream is hidden a while after the stream has ended: silence is no health.
    init(
        _ entity: DashboardEntity, named name: String, sampling: Reading.Sampling, version: String,
        topics: DashboardTopics
    ) {
        let coding = entity.kind.coding
        let form = DashboardForm(of: entity.kind)
        let person = "\(topics.node)_\(entity.person)"
        (self.name, uniqueId) = (coding.title, "\(person)_\(entity.kind.rawValue)")
        stateTopic = topics.state(of: entity)
        valueTemplate = "{{ value_json.value }}"
        jsonAttributesTopic = topics.state(of: entity)
        unitOfMeasurement = coding.displayUnit
        (deviceClass, stateClass, icon) = (form.deviceClass, form.stateClass, form.icon)
        expireAfter = sampling == .stream ? Self.expiry(of: entity.kind) : nil
        availability = [Availability(topic: topics.availability)]
        device = Device(
            identifiers: [person], name: name, manufacturer: "HomeGateway", model: "Wearables of a person",
            swVersion: version)
        origin = Origin(name: "HomeGateway", swVersion: version)
    }

    /// Seconds. A glucose sensor sends each 1 to 5 minutes, other streams every few seconds; some of them missed.
    private static func expiry(of kind: QuantityKind) -> Int { kind == .glucose ? 900 : 60 }
}

/// State message of an entity.
enum DashboardState {
    static func json(of reading: Reading) -> [UInt8] {
        var json = FlatJSON()
        json.add("device", reading.device.text)
        json.add("time", reading.measured.rfc3339)
        json.add("undated", reading.currency == .undated ? true : nil)
        json.add("value", reading.quantity.value)
        return json.finished()
    }
}
