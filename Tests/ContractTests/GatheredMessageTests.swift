import ContractSamples
import Foundation
import ModelSamples
import Samples
import Testing

@testable import Consent
@testable import Contract
@testable import GatewayModel

@Suite struct `A message of several readings` {
    private func text(_ envelope: Envelope?) throws -> String {
        String(decoding: try #require(envelope).payload, as: UTF8.self)
    }

    private func reading(
        _ number: Int, _ kind: QuantityKind = .heartRate, _ value: Double = 72, of device: String = "strap",
        person: PersonID = Sample.maria
    ) -> Reading {
        Reading(
            id: Sample.id(number), person: person, device: DeviceID(sample: device),
            quantity: Quantity(kind, value), contact: .detected, arrival: Sample.moment(Double(number)))
    }

    private func sample(_ reading: Reading, _ intervals: [Double] = []) -> Envelope {
        .sample(reading, intervals: intervals, topics: Sample.topics)
    }

    @Test func `says once what all of them share, and of each its id, time and value`() throws {
        let message = Envelope.gathered([
            sample(reading(1), [827.148_437_5]),
            sample(reading(2, .heartRate, 73), [819.335_937_5, 822.265_625]),
        ])
        #expect(
            try text(message)
                == #"{"contact":"detected","device":"strap","kind":"heart-rate","loinc":"8867-4","person":"maria","#
                + #""samples":[{"id":"\#(Sample.id(1))","rr_ms":[827.1],"time":"2026-03-01T08:30:01.000Z","value":72},"#
                + #"{"id":"\#(Sample.id(2))","rr_ms":[819.3,822.3],"time":"2026-03-01T08:30:02.000Z","value":73}],"unit":"/min"}"#
        )
        #expect(message?.topic == "trackme/v1/house-12/samples/maria")
        #expect(message?.id == Sample.id(1))
        #expect(message?.isGathered == true)
        #expect(message?.disclosure == .readings(of: Sample.maria, kind: .heartRate))
    }

    @Test func `keeps in each reading what differs, and when a stored record was received`() throws {
        let record = Reading(
            id: Sample.id(3), person: Sample.maria, device: DeviceID(sample: "meter"),
            quantity: Quantity(.glucose, 104), contact: .unknown, currency: .history,
            deviceTime: DeviceTime(wall: Sample.moment(-3_600).wall, offset: .seconds(90)),
            arrival: Sample.moment(7))
        let message = Envelope.gathered([sample(reading(1)), sample(record)])
        #expect(message?.disclosure == .severalReadings(of: Sample.maria, kinds: [.heartRate, .glucose]))
        let text = try text(message)
        #expect(text.hasPrefix(#"{"person":"maria","samples":[{"contact":"detected","device":"strap""#))
        #expect(text.contains(#""received":"2026-03-01T08:30:07.000Z""#))
        #expect(text.components(separatedBy: "received").count == 2)
    }

    @Test func `is about one person, for one recipient, in one form`() {
        let paolo = PersonID(sample: "paolo")
        let ours = sample(reading(1))
        #expect(ours.isGatherable(with: sample(reading(2, .oxygenSaturation, 97, of: "oximeter"))))
        #expect(!ours.isGatherable(with: sample(reading(2, person: paolo))))
        #expect(!ours.isGatherable(with: .sample(reading(2), as: .fhir, topics: Sample.topics)))
        #expect(Envelope.gathered([ours, sample(reading(2, person: paolo))]) == nil)
        #expect(Disclosure.joined([ours.disclosure, .gateway]) == nil)
        #expect(Disclosure.joined([]) == nil)
    }

    @Test func `for a third party is of one kind and one grant`() throws {
        func share(_ kind: QuantityKind, _ epoch: Int64) -> Disclosure {
            .share(
                with: PartyID(sample: "clinic"), of: Sample.maria, kind: .quantity(kind),
                epoch: LedgerSequence(epoch))
        }
        #expect(Disclosure.joined([share(.heartRate, 4), share(.heartRate, 4)]) == share(.heartRate, 4))
        #expect(Disclosure.joined([share(.heartRate, 4), share(.heartRate, 5)]) == nil)
        #expect(Disclosure.joined([share(.heartRate, 4), share(.glucose, 4)]) == nil)
        let copies = ContractMessages.all.filter {
            if case .share = $0.disclosure { $0.isGatherable } else { false }
        }
        let first = try #require(copies.first)
        #expect(Envelope.gathered([first])?.topic == first.topic)
    }

    @Test func `passes the gate only where all of it has passed`() throws {
        let parts = [sample(reading(1)), sample(reading(2, .oxygenSaturation, 97))]
        let whole = Cleared.gathered(parts.map { Cleared($0) }, as: { Envelope.gathered($0) })
        #expect(
            whole?.value.disclosure
                == .severalReadings(of: Sample.maria, kinds: [.heartRate, .oxygenSaturation]))
        // A message that holds more than was asked about.
        let more = Cleared.gathered([Cleared(parts[0])], as: { _ in Envelope.gathered(parts) })
        #expect(more == nil)
    }

    @Test func `names its content when it is sealed: a reading in other company has another id`() throws {
        let parts = [1, 2, 3].map { number in
            let own = sample(reading(number))
            let disclosure = Disclosure.share(
                with: PartyID(sample: "clinic"), of: Sample.maria, kind: .quantity(.heartRate),
                epoch: LedgerSequence(4))
            return Envelope(
                id: own.id, lane: .live, retention: .sample, disclosure: disclosure, topic: "t",
                payload: own.payload, awaitsSealing: true)
        }
        let name = try #require(KeyID("k"))
        let key = try #require(ThirdParty.SealingKey(id: name, bytes: Array(repeating: 9, count: 32)))
        func id(_ parts: [Envelope]) throws -> String {
            let sealed = try #require(Envelope.gathered(parts)?.sealed(to: key, by: OpenSeal()))
            #expect(sealed.id == parts[0].id, "the id by which it is acknowledged")
            let object = try JSONSerialization.jsonObject(with: Data(sealed.payload)) as? [String: String]
            return try #require(object?["id"])
        }
        #expect(try id([parts[0]]) == "\(parts[0].id)")
        #expect(try id(parts) == id(parts))
        let ids = try [[0], [0, 1], [0, 2], [0, 1, 2]].map { try id($0.map { parts[$0] }) }
        #expect(Set(ids).count == 4)
    }

    /// Seals nothing.
    private struct OpenSeal: MessageSealer {
        func seal(_ plain: [UInt8], to key: ThirdParty.SealingKey, info: [UInt8]) -> [UInt8]? { plain }
    }

    @Test func `in FHIR is a batch of the Observations as they were`() throws {
        let parts = [1, 2].map { Envelope.sample(reading($0), as: .fhir, topics: Sample.topics) }
        let message = try #require(Envelope.gathered(parts))
        let bundle = try #require(
            JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
        let entries = try #require(bundle["entry"] as? [[String: Any]])
        #expect(bundle["type"] as? String == "batch")
        #expect(
            entries.map { ($0["request"] as? [String: String])?["url"] }
                == [1, 2].map { "Observation/\(Sample.id($0))" })
        for (entry, part) in zip(entries, parts) {
            let resource = try JSONSerialization.data(
                withJSONObject: try #require(entry["resource"]),
                options: [.sortedKeys, .withoutEscapingSlashes])
            #expect(resource == Data(part.payload))
        }
    }

    @Test func `in FHIR has the intervals of a heart rate as its components`() throws {
        let envelope = Envelope.sample(
            reading(1), intervals: [827.148_437_5, 800], as: .fhir, topics: Sample.topics)
        let text = String(decoding: envelope.payload, as: UTF8.self)
        #expect(text.contains(#""value":827.1}"#) && text.contains(#""text":"RR interval""#))
    }

    /// Payloads that the gateway did not write come from a damaged or foreign file: each is then sent by itself.
    @Test func `is not made of what is no flat object`() {
        for payload in [
            "", "{", "{}", "[]", #"{"device"}"#, #"{"device":}"#, #"{"device":"a""#, #"{"device":"a\"}"#,
            #"{"device":{"a":1},"id":"1","time":"2","value":3}"#, #"{"device":"a","id":"1","time":"2"}"#,
            #"{"device":"a","id":"1","time":"2","value":3,}"#,
            #"{"device":[[1]],"id":"1","time":"2","value":3}"#,
            #"{"device":[1,"id":"1","time":"2","value":3}"#,
        ] {
            #expect(GatheredSamples.payload(of: [Array(payload.utf8)]) == nil, "\(payload)")
        }
        let strange = #"{"device":"a\"b,]}\\","id":"1","time":"2","value":3}"#
        #expect(
            GatheredSamples.payload(of: [Array(strange.utf8)]).map { String(decoding: $0, as: UTF8.self) }
                == #"{"device":"a\"b,]}\\","samples":[{"id":"1","time":"2","value":3}]}"#)
    }

    /// One reading a message was 351 bytes (docs/scale.md). An interval between beats counts as a reading.
    @Test func `weighs about a third of messages of one reading, and less where there are many`() throws {
        // Topic, packet id, property length, and a header of 3 bytes.
        func packet(_ envelope: Envelope) -> Int {
            3 + 2 + envelope.topic.utf8.count + 2 + 1 + envelope.payload.count
        }
        // One strap at 72 beats a minute, gathered for a second: one heart rate, and 1.2 intervals on average.
        let beats = (0..<5).map {
            sample(reading($0), $0 == 0 ? [827.148_437_5, 830.078_125] : [827.148_437_5])
        }
        let lonely = try beats.map { packet(try #require(Envelope.gathered([$0]))) }.reduce(0, +)
        #expect(Double(lonely) / 11 <= 123, "a strap alone: \(Double(lonely) / 11) bytes a reading")
        // Five wearables of one person that each tell one value.
        let several = (0..<5).map { sample(reading($0, of: "strap\($0)")) }
        let five = packet(try #require(Envelope.gathered(several)))
        #expect(five / 5 <= 137, "five straps without intervals: \(five / 5) bytes a reading")
        let backlog = packet(try #require(Envelope.gathered((0..<128).map { sample(reading($0)) })))
        #expect(backlog / 128 <= 100, "a backlog: \(backlog / 128) bytes a reading")
    }
}
