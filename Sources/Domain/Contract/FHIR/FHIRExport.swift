public import GatewayModel

/// All that is kept about a person as entries of one FHIR R4 Bundle of the type `collection`.
///
/// Each entry is a text of its own, so that a year of readings is never in memory at once. Ids are made of what the
/// entry tells: exported again, the same reading has the same.
public struct FHIRExport: Hashable, Sendable {
    /// What stands around the entries, which a comma keeps apart.
    public static let opening = #"{"resourceType":"Bundle","type":"collection","entry":["#
    public static let closing = "]}"

    private struct Entry<Resource: FHIR.Resource>: Encodable {
        let fullUrl: String
        let resource: Resource
    }

    /// Of a Patient and a Device, as little as a reference to them needs.
    private struct Named: FHIR.Resource {
        let resourceType: String
        let id: String
    }

    private let gateway: GatewayID
    private let person: PersonID

    public init(_ person: PersonID, at gateway: GatewayID) {
        (self.person, self.gateway) = (person, gateway)
    }

    public func patient() -> String { entry(Named(resourceType: "Patient", id: person.text)) }

    public func device(_ device: DeviceID) -> String {
        entry(Named(resourceType: "Device", id: device.text))
    }

    /// - Parameters:
    ///   - number: which it is of those of one kind, device and instant; from 0.
    ///   - isOfTheBody: false for what a sensor measured that did not touch the skin.
    public func reading(
        _ quantity: Quantity, of device: DeviceID, at time: WallTime, number: Int, isOfTheBody: Bool
    ) -> String {
        var observation = observation(
            of: quantity.kind, id: id(quantity.kind.rawValue, device, time, number))
        observation.effectiveDateTime = time.rfc3339
        observation.device = FHIR.Reference(to: device)
        if let pressure = CuffPressure(quantity) {
            observation.component = pressure.components
        } else {
            observation.valueQuantity = FHIR.Quantity(quantity)
        }
        if !isOfTheBody { observation.note = [FHIR.Annotation(text: "the sensor did not touch the skin")] }
        return entry(observation)
    }

    /// Both of one measurement.
    public func bloodPressure(
        systolic: Double, diastolic: Double, of device: DeviceID, at time: WallTime, number: Int
    ) -> String {
        var observation = observation(
            of: .systolicPressure, id: id("blood-pressure", device, time, number))
        observation.effectiveDateTime = time.rfc3339
        observation.device = FHIR.Reference(to: device)
        observation.component = CuffPressure(systolic: systolic, diastolic: diastolic).components
        return entry(observation)
    }

    /// What is left of the readings between two instants.
    public func summary(
        of kind: QuantityKind, from: WallTime, to: WallTime, count: Int, min: Double, mean: Double,
        max: Double
    ) -> String {
        let codes = FHIRCodes(kind, sampling: nil)
        let statistics = [("average", mean), ("minimum", min), ("maximum", max)].map { name, value in
            FHIR.Observation.Component(
                code: Self.statistic(name), valueQuantity: FHIR.Quantity(Quantity(kind, value)))
        }
        let observation = FHIR.Observation(
            id: "\(kind.rawValue).\(Self.digits(from)).\(Self.digits(to))",
            category: [FHIRCodes.category(of: kind)], code: codes.concept(kind.coding.title),
            subject: FHIR.Reference(to: person),
            effectivePeriod: FHIR.Period(start: from.rfc3339, end: to.rfc3339),
            component: statistics + [
                FHIR.Observation.Component(code: Self.statistic("count"), valueInteger: count)
            ])
        return entry(observation)
    }

    private static func statistic(_ name: String) -> FHIR.CodeableConcept {
        FHIR.CodeableConcept(
            coding: [
                FHIR.Coding(
                    system: "http://terminology.hl7.org/CodeSystem/observation-statistics", code: name)
            ], text: name)
    }

    private func observation(of kind: QuantityKind, id: String) -> FHIR.Observation {
        FHIR.Observation(
            id: id, category: [FHIRCodes.category(of: kind)],
            // Whether it came as one of a stream is not kept.
            code: FHIR.Observation.code(of: kind, nil), subject: FHIR.Reference(to: person))
    }

    /// At most 64 characters, as FHIR wants: a device's name alone may have 32, so its hash stands for it.
    private func id(_ what: String, _ device: DeviceID, _ time: WallTime, _ number: Int) -> String {
        let hash = device.text.utf8.reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return "\(what).\(String(hash, radix: 16)).\(Self.digits(time)).\(number)"
    }

    private static func digits(_ time: WallTime) -> String {
        String(time.millisecondsSince1970, radix: 36)
    }

    private func entry(_ resource: some FHIR.Resource) -> String {
        // Absolute, so that `Patient/maria` inside means the entry of this bundle; nothing is ever asked there.
        let url = "https://trackme.invalid/\(gateway)/\(resource.resourceType)/\(resource.id)"
        return String(
            decoding: WireJSON.encodeFHIR(Entry(fullUrl: url, resource: resource)), as: UTF8.self)
    }
}
