import GatewayModel

/// Home Assistant's discovery message for one sensor or binary sensor (home-assistant.io, MQTT Sensor and MQTT Binary
/// Sensor, "Configuration variables").
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
    let unitOfMeasurement: String?
    let deviceClass: String?
    let stateClass: String?
    /// `diagnostic` for the state of a device.
    let entityCategory: String?
    let icon: String?
    /// Seconds after a state message at which the entity becomes unavailable, unless another one has followed.
    let expireAfter: Int?
    let availability: [Availability]
    let device: Device
    let origin: Origin

    /// - Parameters:
    ///   - name: the person's, as people say it; nil for the box.
    ///   - sampling: a value of a stream is hidden a while after the stream has ended: silence is no health. Nil for a value
    ///     that is no reading.
    init(
        _ entity: DashboardEntity, named name: String?, sampling: Reading.Sampling?, version: String,
        topics: DashboardTopics
    ) {
        let form = DashboardForm(of: entity)
        let owner = entity.person.map { "\(topics.node)_\($0)" } ?? topics.node
        (self.name, uniqueId) = (form.title, "\(owner)_\(entity.name)")
        stateTopic = topics.state(of: entity)
        valueTemplate = "{{ value_json.value }}"
        jsonAttributesTopic = topics.state(of: entity)
        unitOfMeasurement = form.unit
        (deviceClass, stateClass, icon) = (form.deviceClass, form.stateClass, form.icon)
        entityCategory = form.isDiagnostic ? "diagnostic" : nil
        expireAfter = entity.expiry(sampling).map { Int($0.components.seconds) }
        availability = [Availability(topic: topics.availability)]
        device = Device(
            identifiers: [owner], name: name ?? "HomeGateway", manufacturer: "HomeGateway",
            model: entity.person == nil ? "Gateway" : "Wearables of a person", swVersion: version)
        origin = Origin(name: "HomeGateway", swVersion: version)
    }
}

extension DashboardValue {
    /// State message of an entity with a value that has expired. The template makes `None` of it, which is the word of
    /// Home Assistant's sensors for an unknown value (`PAYLOAD_NONE` in `components/mqtt/const.py`).
    static var expired: [UInt8] { Array(#"{"value":null}"#.utf8) }

    /// State message of its entity.
    var json: [UInt8] {
        var json = FlatJSON()
        switch self {
        case .reading(let reading):
            json.add("device", reading.device.text)
            json.add("time", reading.measured.rfc3339)
            json.add("undated", reading.currency == .undated ? true : nil)
            json.add("value", reading.quantity.value)
        case .fact(let fact):
            json.add("at", fact.at?.rfc3339)
            if case .battery(_, let device) = fact.entity { json.add("device", device.text) }
            json.add("drill", fact.isDrill ? true : nil)
            if !fact.reasons.isEmpty { json.add("reasons", fact.reasons) }
            json.add("sentence", fact.sentence)
            json.add("since", fact.since?.rfc3339)
            switch fact.value {
            // The payloads of a binary sensor, without settings of its own.
            case .holds(let isSo): json.add("value", isSo ? "ON" : "OFF")
            case .percent(let level): json.add("value", Double(level))
            case .word(let word): json.add("value", word)
            }
        }
        return json.finished()
    }
}
