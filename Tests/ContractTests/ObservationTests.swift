import Consent
import Contract
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Testing

/// What the validators cannot know: which code is which.
@Suite struct `An Observation` {
    private struct Read: Decodable {
        struct Concept: Decodable {
            struct Coding: Decodable { let system, code: String }
            let coding: [Coding]?
            let text: String?

            /// `L` of LOINC, `M` of MDC, in their order.
            var codes: [String] {
                (coding ?? []).map { ($0.system == "http://loinc.org" ? "L" : "M") + $0.code }
            }
        }
        struct Quantity: Decodable {
            let value: Double
            let code: String
        }
        struct Component: Decodable {
            let code: Concept
            let valueQuantity: Quantity?
            let valueCodeableConcept, dataAbsentReason: Concept?
        }
        let id, effectiveDateTime, issued: String
        let category: [Concept]
        let code: Concept
        let valueQuantity: Quantity?
        let component: [Component]?
    }

    private func read(
        _ kind: QuantityKind, _ value: Double = 96, _ sampling: Reading.Sampling = .spot,
        time: DeviceTime? = nil
    ) throws -> Read {
        let reading = Reading(
            id: Sample.id(7), person: Sample.maria, device: DeviceID(sample: "strap"),
            quantity: Quantity(kind, value), contact: .unknown, currency: time == nil ? .live : .history,
            sampling: sampling, deviceTime: time, arrival: Sample.moment(7))
        let envelope = Envelope.sample(reading, as: .fhir, topics: Sample.topics)
        #expect(envelope.id == reading.id && envelope.disclosure == reading.disclosure)
        #expect(envelope.topic == Sample.topics.samples(of: Sample.maria, kind))
        return try JSONDecoder().decode(Read.self, from: Data(envelope.payload))
    }

    @Test(arguments: [
        (QuantityKind.heartRate, ["L8867-4"]), (.rrInterval, []),
        (.meanArterialPressure, ["L8478-0", "M150023"]),
        (.oxygenSaturation, ["L59408-5", "L2708-6", "M150456"]), (.respirationRate, ["L9279-1", "M151562"]),
        (.bodyTemperature, ["L8310-5", "M150364"]), (.glucose, ["L41653-7", "M160184"]),
        (.bodyWeight, ["L29463-7", "M188736"]), (.bodyFat, ["L41982-0", "M188748"]), (.runningSpeed, []),
        (.runningCadence, []), (.energyExpended, []),
    ])
    func `names its kind in LOINC, then in MDC, or by its text alone`(
        _ kind: QuantityKind, _ codes: [String]
    ) throws {
        let observation = try read(kind)
        #expect(observation.code.codes == codes && observation.code.text == kind.coding.title)
        #expect(observation.valueQuantity?.value == 96 && observation.valueQuantity?.code == kind.coding.unit)
    }

    @Test func `of a blood pressure is the panel, and never tells the other pressure`() throws {
        for (kind, absent) in [(QuantityKind.systolicPressure, 1), (.diastolicPressure, 0)] {
            let observation = try read(kind, 81)
            let parts = try #require(observation.component)
            #expect(observation.code.codes == ["L85354-9", "M150020"] && observation.valueQuantity == nil)
            #expect(parts.map(\.code.codes) == [["L8480-6", "M150021"], ["L8462-4", "M150022"]])
            #expect(parts[1 - absent].valueQuantity?.value == 81 && parts[1 - absent].dataAbsentReason == nil)
            #expect(parts[absent].valueQuantity == nil)
            #expect(parts[absent].dataAbsentReason?.coding?.map(\.code) == ["unknown"])
        }
    }

    @Test func `of an oximeter says that it is one settled value, where it is`() throws {
        let parts = try #require(try read(.oxygenSaturation).component)
        #expect(parts.map(\.code.codes) == [["M68193"]])
        #expect(parts[0].valueCodeableConcept?.codes == ["M150588"])
        #expect(try read(.oxygenSaturation, 96, .stream).component == nil)
        #expect(try read(.heartRate).component == nil)
    }

    @Test func `of glucose under the skin is not that of a drop of blood`() throws {
        #expect(try read(.glucose, 104, .stream).code.codes == ["L99504-3"])
    }

    @Test func `has the message's id, the corrected time, and the time of arrival`() throws {
        let time = DeviceTime(wall: Sample.moment(-3_600).wall, offset: .seconds(90))
        let observation = try read(.glucose, 104, time: time)
        #expect(observation.id == Sample.id(7).description)
        #expect(observation.effectiveDateTime == "2026-03-01T07:31:30.000Z")
        #expect(observation.issued == "2026-03-01T08:30:07.000Z")
    }

    @Test func `of a movement is no vital sign`() throws {
        for (kind, category) in [(QuantityKind.runningSpeed, "activity"), (.heartRate, "vital-signs")] {
            #expect(try read(kind).category.flatMap { ($0.coding ?? []).map(\.code) } == [category])
        }
    }
}
