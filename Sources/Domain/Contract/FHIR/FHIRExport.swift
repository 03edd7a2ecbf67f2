public import GatewayModel

/// All stored data about a person, as entries of one FHIR R4 Bundle of the type `collection`.
///
/// Each entry is a separate text, so that a year of readings is never in memory at once. IDs are derived from the
/// content of the entry: in a later export the same reading has the same ID.
public struct FHIRExport: Hashable, Sendable {
    /// Text before and after the entries. A comma separates the entries.
    public static let opening = #"{"resourceType":"Bundle","type":"collection","entry":["#
    public static let closing = "]}"

    private struct Entry<Resource: FHIR.Resource>: Encodable {
        let fullUrl: String
        let resource: Resource
    }

    /// The minimum of a Patient or a Device that a reference needs.
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
    ///   - number: index among the readings of the same kind, device and instant; from 0.
    ///   - isOfTheBody: false for a reading of a sensor without skin contact.
    ///   - intervals: between heart beats, in milliseconds, that came with a heart rate.
    ///   - doubts: as far as the history keeps them.
    public func reading(
        _ quantity: Quantity, of device: DeviceID, at time: WallTime, number: Int, isOfTheBody: Bool,
        intervals: [Double] = [], doubts: Doubts = []
    ) -> String {
        var observation = observation(
            of: quantity.kind, id: id(quantity.kind.rawValue, device, time, number))
        observation.effectiveDateTime = time.rfc3339
        observation.device = FHIR.Reference(to: device)
        if let pressure = CuffPressure(quantity) {
            observation.component = pressure.components
        } else {
            observation.valueQuantity = FHIR.Quantity(quantity)
            if !intervals.isEmpty { observation.component = intervals.map(FHIR.Observation.interval) }
        }
        let skin = isOfTheBody ? nil : FHIR.Annotation(text: "the sensor did not touch the skin")
        let notes = [skin, FHIR.Annotation(doubts)].compactMap(\.self)
        observation.note = notes.isEmpty ? nil : notes
        return entry(observation)
    }

    /// Returns both pressures of one measurement.
    public func bloodPressure(
        systolic: Double, diastolic: Double, of device: DeviceID, at time: WallTime, number: Int,
        doubts: Doubts = []
    ) -> String {
        var observation = observation(
            of: .systolicPressure, id: id("blood-pressure", device, time, number))
        observation.effectiveDateTime = time.rfc3339
        observation.device = FHIR.Reference(to: device)
        observation.component = CuffPressure(systolic: systolic, diastolic: diastolic).components
        observation.note = FHIR.Annotation(doubts).map { [$0] }
        return entry(observation)
    }

    /// Returns the statistics of the readings between two instants.
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
            // The history does not store whether the reading was part of a stream.
            code: FHIR.Observation.code(of: kind, nil), subject: FHIR.Reference(to: person))
    }

    /// Returns an ID of at most 64 characters, as FHIR requires. A device name alone may have 32, so the ID contains
    /// its hash.
    private func id(_ what: String, _ device: DeviceID, _ time: WallTime, _ number: Int) -> String {
        let hash = device.text.utf8.reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return "\(what).\(String(hash, radix: 16)).\(Self.digits(time)).\(number)"
    }

    private static func digits(_ time: WallTime) -> String {
        String(time.millisecondsSince1970, radix: 36)
    }

    private func entry(_ resource: some FHIR.Resource) -> String {
        // An absolute URL, so that `Patient/maria` inside refers to the entry of this bundle. No request is ever sent
        // to it.
        let url = "https://trackme.invalid/\(gateway)/\(resource.resourceType)/\(resource.id)"
        return String(
            decoding: WireJSON.encodeFHIR(Entry(fullUrl: url, resource: resource)), as: UTF8.self)
    }
}
