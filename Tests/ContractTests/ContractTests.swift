import Consent
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Contract
@testable import SOSLocal

@Suite struct `A message of the contract` {
    private func json(_ envelope: Envelope) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(envelope.payload)) as? [String: Any])
    }

    @Test func `about a reading carries unit, code, id and time`() throws {
        let envelope = Envelope.sample(Sample.reading(7), topics: Sample.topics)
        #expect(envelope.topic == "trackme/v1/house-12/samples/maria/heart-rate")
        #expect(envelope.disclosure == .readings(of: Sample.maria, kind: .heartRate))
        #expect(envelope.lane == .live)
        #expect(
            String(decoding: envelope.payload, as: UTF8.self)
                == #"{"contact":"detected","device":"strap","id":"\#(Sample.id(7))","kind":"heart-rate","#
                + #""loinc":"8867-4","person":"maria","received":"2026-03-01T08:30:07.000Z","time":"2026-03-01T08:30:07.000Z","unit":"/min","value":72}"#
        )
    }

    @Test func `about a stored record carries the device's time and what was added to it`() throws {
        let reading = Reading(
            id: Sample.id(7), person: Sample.maria, device: DeviceID(sample: "meter"),
            quantity: Quantity(.glucose, 104), contact: .unknown, currency: .history,
            deviceTime: DeviceTime(wall: Sample.moment(-3_600).wall, offset: .seconds(90)),
            arrival: Sample.moment(7))
        let payload = try json(.sample(reading, topics: Sample.topics))
        #expect(payload["time"] as? String == "2026-03-01T07:31:30.000Z")
        #expect(payload["received"] as? String == "2026-03-01T08:30:07.000Z")
        #expect(payload["device_time"] as? String == "2026-03-01T07:30:00.000")
        #expect(payload["clock_offset_s"] as? Double == 90)
        #expect(payload["history"] as? Bool == true)
    }

    @Test func `about a reading of a program says so, and carries the program's time`() throws {
        let reading = Reading(
            id: Sample.id(7), person: Sample.maria, device: DeviceID(sample: "scale-app"),
            quantity: Quantity(.bodyWeight, 68.2), contact: .unknown, currency: .live, sampling: .spot,
            deviceTime: DeviceTime(wall: Sample.moment(0).wall, offset: .zero), arrival: Sample.moment(7),
            provenance: .app)
        let payload = try json(.sample(reading, topics: Sample.topics))
        #expect(payload["source"] as? String == "app")
        #expect(payload["device"] as? String == "scale-app")
        #expect(payload["time"] as? String == "2026-03-01T08:30:00.000Z")
        #expect(payload["received"] as? String == "2026-03-01T08:30:07.000Z")
        #expect(payload["device_time"] == nil && payload["clock_offset_s"] == nil && payload["history"] == nil)
        let observation = try json(.sample(reading, as: .fhir, topics: Sample.topics))
        #expect(
            (observation["meta"] as? [String: Any])?["source"] as? String == "urn:homegateway:app:scale-app")
        #expect(observation["effectiveDateTime"] as? String == "2026-03-01T08:30:00.000Z")
        #expect(try json(.sample(Sample.reading(7), topics: Sample.topics))["source"] == nil)
    }

    @Test func `about a doubtful reading says why it is doubted, in both forms`() throws {
        let reading = Reading(
            id: Sample.id(7), person: Sample.maria, device: DeviceID(sample: "cuff"),
            quantity: Quantity(.systolicPressure, 226), contact: .unknown, sampling: .spot,
            arrival: Sample.moment(7), doubts: [.irregularPulse, .bodyMovement])
        let sample = try json(.sample(reading, topics: Sample.topics))
        #expect(sample["doubt"] as? [String] == ["body-movement", "irregular-pulse"])
        let observation = try json(.sample(reading, as: .fhir, topics: Sample.topics))
        let notes = observation["note"] as? [[String: String]]
        #expect(notes == [["text": "doubtful: body-movement, irregular-pulse"]])
        #expect(try json(.sample(Sample.reading(7), topics: Sample.topics))["doubt"] == nil)
    }

    @Test func `about a reading is the bytes that a JSON encoder writes`() throws {
        let moments = [Sample.moment(7), Sample.moment(0.5)]
        for (index, value) in [72, -0.5, 0.1 + 0.2, 1e21, 2.5e-7, 123_456_789.25].enumerated() {
            let history = Reading(
                id: Sample.id(7), person: Sample.maria, device: DeviceID(sample: "meter-1"),
                quantity: Quantity(.glucose, value), contact: .lost, currency: .history,
                deviceTime: DeviceTime(wall: moments[index % 2].wall, offset: .milliseconds(-1_250)),
                arrival: moments[0])
            let payload = Data(Envelope.sample(history, topics: Sample.topics).payload)
            let expected = try WireJSON.encode(JSONDecoder().decode(EncodedSample.self, from: payload))
            #expect(payload == Data(expected))
        }
    }

    /// All members, as an encoder is told of them.
    private struct EncodedSample: Codable {
        enum CodingKeys: String, CodingKey {
            case id, person, device, kind, value, unit, loinc, contact, time, received, history
            case deviceTime = "device_time"
            case clockOffset = "clock_offset_s"
        }
        let id, person, device, kind, unit, loinc, contact, time, received, deviceTime: String
        let value, clockOffset: Double
        let history: Bool
    }

    @Test func `writes each millisecond of a second as it is`() throws {
        for second in [0, 1_772_354_407, 1_795_461_131, 4_102_444_799] as [Int64] {
            for millisecond in 0..<1_000 as Range<Int64> {
                let time = WallTime(millisecondsSince1970: second * 1_000 + millisecond)
                #expect(WallTime(rfc3339: time.rfc3339) == time)
            }
        }
    }

    @Test func `escapes what JSON would not take as it is`() throws {
        var json = FlatJSON()
        let text = "a\"b\\c/d\n\u{1}\u{1F}è"
        json.add("text", text)
        json.add("none", nil as String?)
        json.add("flag", false)
        let bytes = json.finished()
        let read = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(read["text"] as? String == text)
        #expect(read["flag"] as? Bool == false)
        #expect(read.count == 2)
        #expect(FlatJSON().finished() == Array("{}".utf8))
    }

    @Test func `about the box is retained and names conditions with their severity`() throws {
        let envelope = Envelope.status(
            .online, version: "1.2.3", conditions: [HealthCondition(.wearableSilent, subject: "strap")],
            id: Sample.id(1), at: Sample.moment(0).wall, topics: Sample.topics)
        #expect(envelope.isRetained)
        #expect(envelope.disclosure == .gateway)
        let payload = try json(envelope)
        #expect(payload["state"] as? String == "online")
        let conditions = try #require(payload["conditions"] as? [[String: String]])
        #expect(conditions == [["code": "wearable-silent", "severity": "supervision", "subject": "strap"]])
    }

    private func order(_ location: AlarmLocation) -> DispatchOrder {
        let rule = LimitRule(
            kind: .heartRate, side: .high, limit: 131,
            confirmation: Confirmation(readings: 3, within: .seconds(2)), hysteresis: 5)
        let crossing = Crossing(reading: Sample.reading(10, bpm: 150), rule: rule)
        return DispatchOrder(
            alarm: AlarmID(Sample.id(10)), cause: .crossing(crossing), priority: .high, stage: .confirmed,
            confirmation: Sample.moment(12).boot, firstOrdered: Sample.moment(14.5).boot,
            ordered: Sample.moment(14.5).boot, newest: Sample.reading(14, bpm: 155),
            trend: [Sample.reading(9, bpm: 88)], location: location, channels: [ChannelID(sample: "mqtt")],
            round: 1)
    }

    private func profile(_ name: String = "Maria Rossi") -> PersonProfile {
        PersonProfile(
            id: Sample.maria, name: name, birthYear: 1941,
            contacts: [PersonProfile.Contact(name: "Anna", phone: "+393331234567", relation: "daughter")],
            medicalNotes: ["takes warfarin"], home: InstalledPlace(address: "Via Dante 7", coordinates: nil))
    }

    private func sos(_ location: AlarmLocation) throws -> [String: Any] {
        try json(
            .sos(
                order(location), of: profile(), id: Sample.id(99), at: Sample.moment(14.5).wall,
                topics: Sample.topics))
    }

    @Test func `that calls help says who, why, since when and in which round`() throws {
        let place = InstalledPlace(address: "Via Dante 7", coordinates: nil)
        let payload = try sos(.installed(place))
        #expect(payload["state"] as? String == "confirmed")
        #expect(payload["alarm"] as? String == Sample.id(10).description)
        let profile = try #require(payload["profile"] as? [String: Any])
        #expect(profile["name"] as? String == "Maria Rossi")
        #expect(profile["birth_year"] as? Int == 1941)
        #expect(profile["medical_notes"] as? [String] == ["takes warfarin"])
        #expect((profile["contacts"] as? [[String: String]])?.first?["phone"] == "+393331234567")
        let trend = try #require(payload["trend"] as? [[String: Any]])
        #expect(trend.map { $0["value"] as? Double } == [88])
        #expect(payload["priority"] as? String == "high")
        #expect(payload["drill"] as? Bool == false)
        #expect(payload["round"] as? Int == 1)
        let cause = try #require(payload["cause"] as? [String: Any])
        #expect(cause["rule"] as? String == "heart-rate-high")
        #expect(cause["value"] as? Double == 150)
        #expect(cause["newest"] as? Double == 155)
        let timeline = try #require(payload["timeline"] as? [String: Any])
        #expect(timeline["crossing"] as? String == "2026-03-01T08:30:10.000Z")
        #expect(timeline["confirmed_after_ms"] as? Int == 2_000)
        #expect(timeline["ordered_after_ms"] as? Int == 4_500)
    }

    @Test func `says which of the three its location is`() throws {
        let fix = Fix(
            coordinates: Coordinates(latitude: 45.5, longitude: 9.25)!, altitude: nil, horizontalError: 8,
            arrival: Sample.moment(1))
        let fresh = try #require(try sos(.fix(fix, of: .box, age: .zero))["location"] as? [String: Any])
        #expect(fresh["source"] as? String == "fix")
        #expect(fresh["latitude"] as? Double == 45.5)
        #expect(fresh["error_m"] as? Double == 8)
        #expect(fresh["of"] as? String == "box" && fresh["device"] == nil)
        #expect(fresh["age_seconds"] as? Double == 0)
        let watch = AlarmLocation.fix(fix, of: .wearable(DeviceID(sample: "watch")), age: .seconds(3))
        let own = try #require(try sos(watch)["location"] as? [String: Any])
        #expect(own["of"] as? String == "wearable" && own["device"] as? String == "watch")
        #expect(own["age_seconds"] as? Double == 3)
        let old = try #require(
            try sos(.lastKnown(fix, of: .box, age: .milliseconds(61_500)))["location"] as? [String: Any])
        #expect(old["source"] as? String == "last-known")
        #expect(old["age_seconds"] as? Double == 61.5)
        let place = InstalledPlace(address: "Via Dante 7", coordinates: nil)
        let installed = try #require(try sos(.installed(place))["location"] as? [String: Any])
        #expect(installed["source"] as? String == "installed")
        #expect(installed["address"] as? String == "Via Dante 7")
        #expect(installed["latitude"] == nil)
    }

    @Test func `that takes the call back says how and by whom it ended`() throws {
        let place = InstalledPlace(address: "Via Dante 7", coordinates: nil)
        let retraction = Retraction(
            alarm: AlarmID(Sample.id(10)), cause: order(.installed(place)).cause, priority: .high,
            ending: .aborted(
                PersonAct(by: "Maria", means: .commandLine), at: Sample.moment(20).boot, beforeDispatch: false),
            firstOrdered: Sample.moment(14.5).boot, ordered: Sample.moment(20).boot, channels: [])
        let envelope = Envelope.sos(
            retraction, id: Sample.id(100), at: Sample.moment(20).wall, topics: Sample.topics)
        #expect(envelope.lane == .alarm)
        // Nothing here says that anybody has not acknowledged the call.
        #expect(envelope.disclosure == .emergencyOver(of: Sample.maria))
        let payload = try json(envelope)
        #expect(payload["state"] as? String == "cancelled")
        let ending = try #require(payload["ending"] as? [String: String])
        #expect(ending == ["how": "aborted", "by": "Maria", "means": "command-line"])
    }

    @Test func `says when a machine first had the call, and nothing where none had`() throws {
        let place = InstalledPlace(address: "Via Dante 7", coordinates: nil)
        var order = order(.installed(place))
        #expect((try sos(.installed(place))["timeline"] as? [String: Any])?["handed_over_after_ms"] == nil)
        order.callHandedOver = Sample.moment(14.75).boot
        let again = try json(
            .sos(order, of: profile(), id: Sample.id(99), at: Sample.moment(44.5).wall, topics: Sample.topics))
        let timeline = try #require(again["timeline"] as? [String: Any])
        #expect(timeline["handed_over_after_ms"] as? Int == 4_750)
        var retraction = Retraction(
            alarm: order.alarm, cause: order.cause, priority: .high,
            ending: .resolved(PersonAct(by: "Luca", means: .console), at: Sample.moment(50).boot),
            firstOrdered: Sample.moment(14.5).boot, ordered: Sample.moment(50).boot, channels: [])
        retraction.callHandedOver = order.callHandedOver
        let over = try json(
            .sos(retraction, id: Sample.id(100), at: Sample.moment(50).wall, topics: Sample.topics))
        let ending = try #require(over["ending"] as? [String: Any])
        #expect(ending["handed_over_after_ms"] as? Int == 4_750)
    }

    @Test func `survives a text that needs escaping`() throws {
        let name = "María \"Mimí\" O'Neill\\\n🚑"
        let place = InstalledPlace(address: "Piazza 1/2", coordinates: nil)
        let payload = try json(
            .sos(
                order(.installed(place)), of: profile(name), id: Sample.id(1), at: Sample.moment(0).wall,
                topics: Sample.topics))
        #expect((payload["profile"] as? [String: Any])?["name"] as? String == name)
    }
}

@Suite struct `An acceptance` {
    private func accept(_ text: String) throws(Acceptance.Malformed) -> Acceptance {
        try Acceptance(payload: Array(text.utf8))
    }

    @Test func `names the alarm and who takes it`() throws {
        let acceptance = try accept(#"{"alarm":"\#(Sample.id(10))","by":"Operator 7","more":1}"#)
        #expect(acceptance.alarm == AlarmID(Sample.id(10)))
        #expect(acceptance.by == "Operator 7")
    }

    @Test(arguments: [
        "", "null", "[]", "{", #"{"alarm":"1","by":"x"}"#, #"{"by":"x"}"#,
        #"{"alarm":"0190c3a2-0000-7000-8000-000000000010","by":""}"#,
        #"{"alarm":"0190c3a2-0000-7000-8000-000000000010","by":7}"#,
        #"{"alarm":"0190c3a2-0000-7000-8000-000000000010","by":"x\n*** ALARM ***"}"#,
        #"{"alarm":"0190c3a2-0000-7000-8000-000000000010","by":"\u001b[2J"}"#,
        String(repeating: "[", count: 4_000), String(repeating: "x", count: 5_000),
    ])
    func `that is malformed is refused with what was expected`(text: String) {
        #expect(throws: Acceptance.Malformed.self) { try accept(text) }
    }

    @Test func `is only taken from a topic of this gateway and a person`() {
        let topics = Sample.topics
        #expect(topics.personOfAcceptance(topic: "trackme/v1/house-12/sos/maria/accepted") == Sample.maria)
        for other in [
            "trackme/v1/house-13/sos/maria/accepted", "trackme/v1/house-12/sos/maria",
            "trackme/v1/house-12/sos//accepted", "trackme/v1/house-12/sos/Mar ia/accepted",
            "trackme/v1/house-12/sos/maria/accepted/x", "",
        ] {
            #expect(topics.personOfAcceptance(topic: other) == nil, "\(other)")
        }
    }
}
