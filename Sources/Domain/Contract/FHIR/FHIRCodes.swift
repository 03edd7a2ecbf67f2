import GatewayModel

/// Codes of a kind in LOINC and in ISO/IEEE 11073-10101 (MDC, 32 bit: 65 536 times the partition, plus the term).
///
/// MDC codes: the examples of the HL7 Personal Health Device guide; weight, fat and respiration by their 16-bit terms.
/// LOINC: `QuantityKind`, and in addition 85354-9 and 2708-6 from the vital signs profiles of FHIR R4, and 99504-3 from
/// the HL7 guide for continuous glucose. An uncertain code is left out; only the text then names the kind.
struct FHIRCodes: Hashable {
    static let loincSystem = "http://loinc.org"
    static let mdcSystem = "urn:iso:std:iso:11073:10101"

    let loinc: [String]
    let mdc: Int?
    let category: Category

    /// Code of the category of an observation.
    enum Category: String {
        case vitalSigns = "vital-signs"
        /// Movement.
        case activity
    }

    init(loinc: [String], mdc: Int?, category: Category = .vitalSigns) {
        (self.loinc, self.mdc, self.category) = (loinc, mdc, category)
    }

    /// - Parameter sampling: nil if it is unknown. Codes that depend on it are then left out.
    init(_ kind: QuantityKind, sampling: Reading.Sampling?) {
        let known = [kind.coding.loinc].compactMap(\.self)
        switch kind {
        // From an ECG or from a pulse: a reading does not say which of them its device counts.
        case .heartRate: self.init(loinc: known, mdc: nil)
        case .systolicPressure: self.init(loinc: known, mdc: 150_021)
        case .diastolicPressure: self.init(loinc: known, mdc: 150_022)
        case .meanArterialPressure: self.init(loinc: known, mdc: 150_023)
        // Base FHIR requires the second code for any oxygen saturation.
        case .oxygenSaturation: self.init(loinc: known + ["2708-6"], mdc: 150_456)
        case .respirationRate: self.init(loinc: known, mdc: 151_562)
        case .bodyTemperature: self.init(loinc: known, mdc: 150_364)
        case .glucose:
            switch sampling {
            // From a meter: capillary whole blood.
            case .spot: self.init(loinc: known, mdc: 160_184)
            // From a sensor under the skin: interstitial fluid.
            case .stream: self.init(loinc: ["99504-3"], mdc: nil)
            case nil: self.init(loinc: [], mdc: nil)
            }
        case .bodyWeight: self.init(loinc: known, mdc: 188_736)
        case .bodyFat: self.init(loinc: known, mdc: 188_748)
        case .rrInterval: self.init(loinc: known, mdc: nil)
        case .runningSpeed, .runningCadence, .energyExpended:
            self.init(loinc: known, mdc: nil, category: .activity)
        }
    }

    /// All pressures of one cuff.
    static let bloodPressure = FHIRCodes(loinc: ["85354-9"], mdc: 150_020)

    /// LOINC first, MDC second.
    func concept(_ text: String) -> FHIR.CodeableConcept {
        let codings =
            loinc.map { FHIR.Coding(system: Self.loincSystem, code: $0) }
            + [mdc].compactMap(\.self).map { FHIR.Coding(system: Self.mdcSystem, code: "\($0)") }
        return FHIR.CodeableConcept(coding: codings.isEmpty ? nil : codings, text: text)
    }

    /// Returns the category of a kind. It does not depend on the sampling.
    static func category(of kind: QuantityKind) -> FHIR.CodeableConcept {
        FHIR.CodeableConcept(coding: [
            FHIR.Coding(
                system: "http://terminology.hl7.org/CodeSystem/observation-category",
                code: FHIRCodes(kind, sampling: nil).category.rawValue)
        ])
    }

    /// Reason for an absent value: unknown.
    static let unknown = FHIR.CodeableConcept(coding: [
        FHIR.Coding(system: "http://terminology.hl7.org/CodeSystem/data-absent-reason", code: "unknown")
    ])

    /// Component of an oximeter's single settled value: MDC_ATTR_SUPPLEMENTAL_TYPES, MDC_MODALITY_SPOT.
    static let spotModality = FHIR.Observation.Component(
        code: FHIRCodes(loinc: [], mdc: 68_193).concept("MDC_ATTR_SUPPLEMENTAL_TYPES"),
        valueCodeableConcept: FHIRCodes(loinc: [], mdc: 150_588).concept("MDC_MODALITY_SPOT"))
}
