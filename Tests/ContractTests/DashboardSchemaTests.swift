import Consent
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Contract

/// Checked against the format of Home Assistant: the configuration variables of the MQTT sensor and the MQTT binary sensor
/// (home-assistant.io/integrations/sensor.mqtt and binary_sensor.mqtt), and of Home Assistant 2025.4
/// `components/mqtt/sensor.py`, `binary_sensor.py` and `schemas.py`, the units and state classes of each device class in
/// `components/sensor/const.py`, and the classes in `components/binary_sensor/__init__.py`.
@Suite struct `A discovery message of the dashboard` {
    private static let topics = DashboardTopics(gateway: Sample.topics.gateway, prefix: "homeassistant")

    private struct Case: Sendable, CustomStringConvertible {
        let kind: QuantityKind
        let sampling: Reading.Sampling
        var description: String { "\(kind.rawValue) \(sampling.rawValue)" }
    }

    private static let cases = QuantityKind.allCases.flatMap { kind in
        [Reading.Sampling.stream, .spot].map { Case(kind: kind, sampling: $0) }
    }

    private static func envelope(_ one: Case) -> Envelope {
        .dashboardConfig(
            .reading(Sample.maria, one.kind), named: "Maria Rossi", sampling: one.sampling,
            version: "1.2.3", id: Sample.id(1), topics: topics)
    }

    /// The variables that may be used here.
    private static let variables: Set = [
        "availability", "device", "device_class", "expire_after", "icon", "json_attributes_topic", "name",
        "origin", "state_class", "state_topic", "unique_id", "unit_of_measurement", "value_template",
    ]
    /// The allowed units and state classes of each device class in use.
    private static let classes: [String: (units: Set<String>, states: Set<String>)] = [
        "temperature": (["°C", "°F", "K"], ["measurement"]),
        "weight": (["kg", "g", "mg", "µg", "oz", "lb", "st"], ["measurement", "total", "total_increasing"]),
        "blood_glucose_concentration": (["mg/dL", "mmol/L"], ["measurement"]),
        "speed": (["m/s", "km/h", "mph", "kn", "ft/s", "mm/s", "in/s"], ["measurement"]),
        "energy": (["J", "kJ", "MJ", "GJ", "Wh", "kWh", "cal", "kcal"], ["total", "total_increasing"]),
        "duration": (["d", "h", "min", "s", "ms"], ["measurement", "total", "total_increasing"]),
    ]

    @Test(arguments: cases)
    private func `is one that Home Assistant takes`(one: Case) throws {
        let envelope = Self.envelope(one)
        #expect(envelope.isRetained)
        // `TOPIC_MATCHER` of components/mqtt/discovery.py, after the prefix.
        #expect(
            envelope.topic.dropFirst("homeassistant/".count)
                .wholeMatch(of: /\w+\/[a-zA-Z0-9_-]+\/[a-zA-Z0-9_-]+\/config/) != nil)
        let payload = try #require(
            try JSONSerialization.jsonObject(with: Data(envelope.payload)) as? [String: Any])
        #expect(Set(payload.keys).isSubset(of: Self.variables))
        #expect(payload["state_topic"] as? String == "homegateway/house-12/maria/\(one.kind.rawValue)")
        let device = try #require(payload["device"] as? [String: Any])
        #expect(device["identifiers"] as? [String] == ["homegateway_house-12_maria"])
        #expect(
            Set(device.keys) == ["identifiers", "name", "manufacturer", "model", "sw_version"])
        #expect((payload["origin"] as? [String: String])?["name"] == "HomeGateway")
        #expect((payload["availability"] as? [[String: String]])?.map(\.keys.first) == ["topic"])
        let state = try #require(payload["state_class"] as? String)
        guard let name = payload["device_class"] as? String else {
            #expect(state == "measurement")
            return #expect((payload["icon"] as? String)?.hasPrefix("mdi:") == true)
        }
        let allowed = try #require(Self.classes[name], "a device class that is not checked")
        let unit = try #require(payload["unit_of_measurement"] as? String)
        #expect(allowed.units.contains(unit))
        #expect(allowed.states.contains(state))
    }

    @Test func `has one id for each person and kind`() throws {
        let ids = try Self.cases.filter { $0.sampling == .spot }.map {
            try #require(
                try JSONSerialization.jsonObject(with: Data(Self.envelope($0).payload)) as? [String: Any])[
                    "unique_id"] as? String
        }
        #expect(Set(ids).count == QuantityKind.allCases.count)
        #expect(ids.contains("homegateway_house-12_maria_heart-rate"))
    }

    @Test func `lets what streams expire, and no single measurement`() throws {
        func expiry(_ kind: QuantityKind, _ sampling: Reading.Sampling) throws -> Int? {
            let payload = Self.envelope(Case(kind: kind, sampling: sampling)).payload
            return (try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])?["expire_after"]
                as? Int
        }
        #expect(try expiry(.heartRate, .stream) == 60)
        #expect(try expiry(.glucose, .stream) == 900)
        #expect(try expiry(.systolicPressure, .spot) == nil)
    }

    /// The template renders `null` as `None`, the payload of an unknown value.
    @Test func `of an expired value is followed by a state without a value`() throws {
        let pulse = DashboardEntity.reading(Sample.maria, .heartRate)
        let envelope = Envelope.dashboardExpired(pulse, id: Sample.id(1), topics: Self.topics)
        #expect(String(decoding: envelope.payload, as: UTF8.self) == #"{"value":null}"#)
        #expect(envelope.topic == "homegateway/house-12/maria/heart-rate" && !envelope.isRetained)
        #expect(envelope.disclosure == .dashboard([Sample.maria]))
    }

    private static let facts: [DashboardEntity] = [
        .state(Sample.maria, .alarm), .state(Sample.maria, .supervision), .state(Sample.maria, .request), .box,
    ]

    @Test func `of a state is one of a binary sensor`() throws {
        var classes: [String?] = []
        for entity in Self.facts {
            let envelope = Envelope.dashboardConfig(
                entity, named: entity.person.map { _ in "Maria Rossi" }, sampling: nil, version: "1.2.3",
                id: Sample.id(1), topics: Self.topics)
            #expect(envelope.topic.hasPrefix("homeassistant/binary_sensor/homegateway_house-12/"))
            #expect(envelope.disclosure == .dashboard(entity.person.map { [$0] } ?? []))
            let payload = try #require(
                try JSONSerialization.jsonObject(with: Data(envelope.payload)) as? [String: Any])
            // Neither has a binary sensor.
            #expect(payload["unit_of_measurement"] == nil && payload["state_class"] == nil)
            #expect(
                Set(payload.keys).isSubset(of: Self.variables.union(["entity_category"])),
                "\(payload.keys.sorted())")
            classes.append(payload["device_class"] as? String)
        }
        #expect(classes == ["safety", "problem", nil, "problem"])
    }

    @Test func `of a battery is one of a sensor, and about a device`() throws {
        let envelope = Envelope.dashboardConfig(
            .battery(Sample.maria, DeviceID(sample: "strap-2")), named: "Maria Rossi", sampling: nil,
            version: "1.2.3", id: Sample.id(1), topics: Self.topics)
        let topic = "homeassistant/sensor/homegateway_house-12/maria_battery-strap-2/config"
        #expect(envelope.topic == topic)
        let payload = try #require(
            try JSONSerialization.jsonObject(with: Data(envelope.payload)) as? [String: Any])
        for (key, value) in [
            "device_class": "battery", "unit_of_measurement": "%", "state_class": "measurement",
            "entity_category": "diagnostic", "name": "Battery of strap-2",
        ] { #expect(payload[key] as? String == value) }
    }

    @Test func `of the state of help is one of a sensor without a unit`() throws {
        let envelope = Envelope.dashboardConfig(
            .state(Sample.maria, .help), named: "Maria Rossi", sampling: nil, version: "1.2.3",
            id: Sample.id(1), topics: Self.topics)
        #expect(envelope.topic == "homeassistant/sensor/homegateway_house-12/maria_help/config")
        let payload = try #require(
            try JSONSerialization.jsonObject(with: Data(envelope.payload)) as? [String: Any])
        #expect(Set(payload.keys).isSubset(of: Self.variables))
        // Either would make Home Assistant take the word for a number.
        #expect(payload["unit_of_measurement"] == nil && payload["state_class"] == nil)
        #expect(payload["name"] as? String == "Help" && payload["icon"] as? String == "mdi:lifebuoy")
    }

    @Test func `has a state that says what Home Assistant's standard payloads are`() {
        func text(_ fact: DashboardFact) -> String {
            let envelope = Envelope.dashboardState(
                .fact(fact), of: fact.entity, id: Sample.id(1), topics: Self.topics)
            #expect(!envelope.isRetained)
            return "\(envelope.topic) \(String(decoding: envelope.payload, as: UTF8.self))"
        }
        #expect(
            text(
                DashboardFact(
                    .state(Sample.maria, .alarm), .holds(true), since: Sample.moment(0).wall, isDrill: true))
                == "homegateway/house-12/maria/alarm "
                + #"{"drill":true,"since":"\#(Sample.moment(0).wall.rfc3339)","value":"ON"}"#)
        #expect(
            text(
                DashboardFact(
                    .state(Sample.maria, .supervision), .holds(true),
                    reasons: ["wearable-silent", "no-wearable"]))
                == #"homegateway/house-12/maria/supervision {"reasons":["wearable-silent","no-wearable"],"value":"ON"}"#
        )
        let help = DashboardFact(
            .state(Sample.maria, .help), .word("taken"), at: Sample.moment(0).wall,
            sentence: "Anna has taken the call.")
        #expect(
            text(help) == "homegateway/house-12/maria/help "
                + #"{"at":"\#(Sample.moment(0).wall.rfc3339)","sentence":"Anna has taken the call.","value":"taken"}"#
        )
        #expect(text(DashboardFact(.box, .holds(false))) == #"homegateway/house-12/box {"value":"OFF"}"#)
        #expect(
            text(DashboardFact(.battery(Sample.maria, DeviceID(sample: "strap")), .percent(80)))
                == #"homegateway/house-12/maria/battery-strap {"device":"strap","value":80}"#)
    }

    /// A class `pressure` would show 120 mmHg as 4.7 inHg in a home with imperial units.
    @Test(arguments: [QuantityKind.systolicPressure, .diastolicPressure, .meanArterialPressure])
    func `gives blood pressures no class that converts them`(kind: QuantityKind) {
        #expect(DashboardForm(of: kind).deviceClass == nil)
    }

    @Test func `is known again by its topic`() {
        // A person and a device may have the names of entities.
        let named = ["maria-2", "box", "alarm", "battery-1"].map { PersonID(sample: $0) }
        var entities = [DashboardEntity.box]
        for person in named {
            entities += [.reading(person, .heartRate), .battery(person, DeviceID(sample: "alarm"))]
            entities += DashboardEntity.State.allCases.map { .state(person, $0) }
        }
        for entity in entities {
            #expect(Self.topics.entity(ofConfig: Self.topics.config(of: entity)) == entity)
        }
        for foreign in [
            "homeassistant/sensor/homegateway_house-13/maria_heart-rate/config",
            "homeassistant/sensor/homegateway_house-12/maria_mood/config",
            "homeassistant/sensor/homegateway_house-12/maria/config", "config", "",
            "homeassistant/sensor/homegateway_house-12/maria_alarm/config",
            "homeassistant/binary_sensor/homegateway_house-12/maria_box/config",
            "homeassistant/binary_sensor/homegateway_house-12/_alarm/config",
        ] {
            #expect(Self.topics.entity(ofConfig: foreign) == nil)
        }
    }

    @Test func `discloses the person, and none of it passes without their consent to the dashboard`() throws {
        let ledger = ConsentLedger(persons: [Sample.maria])
        let gate = ConsentGate(ledger: ledger)
        let config = Self.envelope(Self.cases[0])
        let state = Envelope.dashboardState(
            .reading(Sample.reading(1)), of: .reading(Sample.maria, .heartRate), id: Sample.id(2),
            topics: Self.topics)
        let alarm = Envelope.dashboardState(
            .fact(DashboardFact(.state(Sample.maria, .alarm), .holds(true))),
            of: .state(Sample.maria, .alarm), id: Sample.id(5), topics: Self.topics)
        func decide(_ subject: ConsentSubject, _ verdict: ConsentDecision.Verdict) throws {
            _ = try gate.record(
                ConsentDecision(
                    person: Sample.maria, subject: subject, verdict: verdict, by: "Maria", means: .commandLine,
                    at: Sample.moment(0).wall))
        }
        // The data policy is about the cloud, and does not cover the dashboard.
        try decide(.dataPolicy, .accepted)
        for envelope in [config, state, alarm] {
            #expect(throws: ConsentGate.Withheld.homeDashboardNotAccepted(Sample.maria)) {
                try gate.clear(envelope)
            }
        }
        try decide(.dataPolicy, .withdrawn)
        try decide(.homeDashboard, .accepted)
        #expect(!gate.isAnythingAccepted, "nothing is for the cloud")
        for envelope in [config, state, alarm] { _ = try gate.clear(envelope) }
        _ = try gate.clear(Envelope.dashboardPresence(.online, id: Sample.id(3), topics: Self.topics))
        #expect(throws: ConsentGate.Withheld.dataPolicyNotAccepted(Sample.maria)) {
            try gate.clear(Sample.reading(1))
        }
        try decide(.homeDashboard, .withdrawn)
        #expect(throws: ConsentGate.Withheld.homeDashboardNotAccepted(Sample.maria)) { try gate.clear(state) }
        // A value that was shown is removed all the same.
        _ = try gate.clear(Envelope.dashboardEmptied(config.topic, id: Sample.id(4)))
    }
}
