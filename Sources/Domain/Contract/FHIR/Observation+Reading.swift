import Consent
import GatewayModel

extension FHIR.Observation {
    /// A reading in the shape of a Personal Health Device.
    ///
    /// Of a blood pressure it is the panel with the one value, and the other said to be unknown: consent is asked
    /// for each kind, so the message of one kind never tells of the other.
    ///
    /// - Parameters:
    ///   - intervals: between heart beats, in milliseconds, that leave with a heart rate: one component each.
    ///   - id: of the message; the same reading has the same whenever it is sent again.
    init(_ reading: Reading, intervals: [Double] = [], id: MessageID) {
        let kind = reading.quantity.kind
        self.init(
            id: id.description, category: [FHIRCodes.category(of: kind)],
            code: Self.code(of: kind, reading.sampling),
            subject: FHIR.Reference(to: reading.person), effectiveDateTime: reading.measured.rfc3339,
            issued: reading.arrival.wall.rfc3339, valueQuantity: nil, device: FHIR.Reference(to: reading.device)
        )
        if let provenance = reading.provenance {
            meta = FHIR.Meta(source: "urn:homegateway:\(provenance.rawValue):\(reading.device)")
        }
        if let doubts = FHIR.Annotation(reading.doubts) { note = [doubts] }
        guard let pressure = CuffPressure(reading.quantity) else {
            valueQuantity = FHIR.Quantity(reading.quantity)
            if !intervals.isEmpty { component = intervals.map(Self.interval) }
            if kind == .oxygenSaturation, reading.sampling == .spot { component = [FHIRCodes.spotModality] }
            return
        }
        component = pressure.components
    }

    /// Returns the copy for the third party of a request. Ids of the settings are unique in one house only, so subject and
    /// device are named with the house, and `basedOn` has the request.
    func answering(_ request: DataRequest, in house: GatewayID) -> Self {
        var copy = self
        copy.basedOn = [
            FHIR.Reference(
                type: "ServiceRequest",
                identifier: FHIR.Identifier(system: "urn:homegateway:request", value: request.id.text))
        ]
        copy.subject = FHIR.Reference(to: request.person, in: house)
        return copy
    }

    static func interval(_ milliseconds: Double) -> Component {
        let kind = QuantityKind.rrInterval
        let value = (milliseconds * 10).rounded() / 10
        return Component(
            code: FHIRCodes(kind, sampling: .stream).concept(kind.coding.title),
            valueQuantity: FHIR.Quantity(Quantity(kind, value)))
    }

    static func code(of kind: QuantityKind, _ sampling: Reading.Sampling?) -> FHIR.CodeableConcept {
        switch kind {
        case .systolicPressure, .diastolicPressure: FHIRCodes.bloodPressure.concept("Blood pressure")
        default: FHIRCodes(kind, sampling: sampling).concept(kind.coding.title)
        }
    }
}

extension FHIR.Annotation {
    /// Nil where nothing doubts the value.
    init?(_ doubts: Doubts) {
        guard !doubts.isEmpty else { return nil }
        self.init(text: "doubtful: " + doubts.words.joined(separator: ", "))
    }
}

/// Systolic and diastolic, as far as they are at hand: the profile wants both named.
struct CuffPressure: Hashable {
    private(set) var systolic, diastolic: Double?

    /// Nil where it is another kind.
    init?(_ quantity: Quantity) {
        switch quantity.kind {
        case .systolicPressure: systolic = quantity.value
        case .diastolicPressure: diastolic = quantity.value
        default: return nil
        }
    }

    init(systolic: Double, diastolic: Double) {
        (self.systolic, self.diastolic) = (systolic, diastolic)
    }

    var components: [FHIR.Observation.Component] {
        [(QuantityKind.systolicPressure, systolic), (.diastolicPressure, diastolic)].map { kind, value in
            FHIR.Observation.Component(
                code: FHIRCodes(kind, sampling: .spot).concept(kind.coding.title),
                valueQuantity: value.map { FHIR.Quantity(Quantity(kind, $0)) },
                dataAbsentReason: value == nil ? FHIRCodes.unknown : nil)
        }
    }
}

extension FHIR.Quantity {
    init(_ quantity: GatewayModel.Quantity) {
        let coding = quantity.kind.coding
        self.init(value: quantity.value, unit: coding.displayUnit, code: coding.unit)
    }
}

extension FHIR.Reference {
    init(to person: PersonID) { self.init(reference: "Patient/\(person)") }
    init(to device: DeviceID) { self.init(reference: "Device/\(device)") }

    /// Names a person of any house. An id of FHIR has 64 characters at most; two ids of the settings that make a longer one
    /// are in the identifier alone.
    init(to person: PersonID, in house: GatewayID) {
        let id = "\(house).\(person)"
        self.init(
            reference: id.utf8.count <= 64 ? "Patient/\(id)" : nil, type: "Patient",
            identifier: FHIR.Identifier(system: "urn:homegateway:person", value: "\(house)/\(person)"))
    }
}
