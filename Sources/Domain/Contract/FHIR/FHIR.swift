/// The parts of HL7 FHIR R4 that are written; members and types have the names of the specification
/// (<https://hl7.org/fhir/R4/observation.html>).
enum FHIR {
    struct Coding: Encodable, Hashable {
        let system: String
        let code: String
    }

    struct CodeableConcept: Encodable, Hashable {
        var coding: [Coding]?
        var text: String?
    }

    struct Quantity: Encodable, Hashable {
        let value: Double
        /// As people read it.
        let unit: String
        let system = "http://unitsofmeasure.org"
        /// UCUM.
        let code: String
    }

    /// <https://hl7.org/fhir/R4/datatypes.html#Identifier>
    struct Identifier: Encodable, Hashable {
        /// URI of the namespace of the value.
        let system: String
        let value: String
    }

    /// <https://hl7.org/fhir/R4/references.html#Reference>: literal, logical, or both.
    struct Reference: Encodable, Hashable {
        var reference: String?
        /// Name of the resource, of a logical reference.
        var type: String?
        var identifier: Identifier?
    }

    struct Period: Encodable, Hashable {
        let start, end: String
    }

    /// <https://hl7.org/fhir/R4/resource.html#Meta>
    struct Meta: Encodable, Hashable {
        /// URI of the system that the content comes from.
        let source: String
    }

    struct Annotation: Encodable, Hashable {
        let text: String
    }

    protocol Resource: Encodable {
        var resourceType: String { get }
        /// At most 64 characters out of letters, digits, `-` and `.`.
        var id: String { get }
    }

    struct Observation: Resource, Hashable {
        struct Component: Encodable, Hashable {
            let code: CodeableConcept
            var valueQuantity: Quantity?
            var valueInteger: Int?
            var valueCodeableConcept: CodeableConcept?
            var dataAbsentReason: CodeableConcept?
        }

        let resourceType = "Observation"
        let id: String
        var meta: Meta?
        var basedOn: [Reference]?
        let status = "final"
        let category: [CodeableConcept]
        let code: CodeableConcept
        var subject: Reference
        var effectiveDateTime: String?
        var effectivePeriod: Period?
        var issued: String?
        var valueQuantity: Quantity?
        var note: [Annotation]?
        var device: Reference?
        var component: [Component]?
    }
}
