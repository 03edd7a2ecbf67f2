import Contract
import GatewayModel
import JSONReading

/// Observations of HL7 FHIR R4, single or in a Bundle (<https://hl7.org/fhir/R4/observation.html>).
enum FHIRObservations {
    private struct Head: Decodable {
        let resourceType: String
    }

    private struct Coding: Decodable {
        let system: String?
        let code: String?
    }

    private struct Concept: Decodable {
        let coding: [Coding]?
    }

    private struct Quantity: Decodable {
        let value: Double?
        let unit: String?
        let system: String?
        let code: String?
    }

    private struct Reference: Decodable {
        let reference: String?
    }

    private struct Identifier: Decodable {
        let value: String?
    }

    private struct Component: Decodable {
        let code: Concept
        let valueQuantity: Quantity?
        let dataAbsentReason: Concept?
    }

    private struct Observation: Decodable {
        let id: String?
        let identifier: [Identifier]?
        let status: String
        let code: Concept
        let subject: Reference?
        let effectiveDateTime: String?
        let effectiveInstant: String?
        let valueQuantity: Quantity?
        let component: [Component]?
    }

    /// Entry of a Bundle: one that cannot be decoded does not cost the others.
    private struct BundleEntry: Decodable {
        private enum CodingKeys: String, CodingKey { case resource }

        let resource: Result<Observation?, ObservationFault>

        init(from decoder: any Decoder) {
            do {
                let members = try decoder.container(keyedBy: CodingKeys.self)
                let head = try members.decode(Head.self, forKey: .resource)
                // A Bundle may hold the patient and the device besides.
                guard head.resourceType == "Observation" else {
                    resource = .success(nil)
                    return
                }
                resource = .success(try members.decode(Observation.self, forKey: .resource))
            } catch {
                resource = .failure(FHIRObservations.fault(error))
            }
        }
    }

    /// Entries of a Bundle, counted before the first is decoded.
    private struct BundleEntries: Decodable {
        let all: [BundleEntry]

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            let (count, most) = (list.count ?? 0, ObservationParser.mostEntries)
            guard count <= most else { throw ObservationParser.tooMany(count, "entries", most: most) }
            var all: [BundleEntry] = []
            while !list.isAtEnd { all.append(try list.decode(BundleEntry.self)) }
            self.all = all
        }
    }

    private struct Bundle: Decodable {
        let type: String
        let entry: BundleEntries?
    }

    private static let ucum = "http://unitsofmeasure.org"
    private static let bundles: Set<String> = ["transaction", "batch", "collection"]

    // MARK: Reading

    /// Reads an Observation, or a Bundle of Observations.
    static func items(_ bytes: [UInt8]) throws(ObservationFault) -> [ObservationItem] {
        let limit = ObservationParser.largestFile
        let head: Head = try decode(bytes, limit)
        switch head.resourceType {
        case "Observation":
            let observation: Result<Observation, ObservationFault> = Result { () throws(ObservationFault) in
                try decode(bytes, limit)
            }
            return [ObservationItem("the Observation", observation.flatMap(entry))]
        case "Bundle":
            let bundle: Bundle = try decode(bytes, limit)
            guard bundles.contains(bundle.type) else {
                throw ObservationFault(
                    seen: "a Bundle of the type \(ObservationFault.quoted(bundle.type))",
                    expected: "one of \(bundles.sorted().joined(separator: ", "))",
                    remedy: "put the Observations into a Bundle of such a type")
            }
            let items = (bundle.entry?.all ?? []).enumerated().compactMap { index, part -> ObservationItem? in
                switch part.resource {
                case .success(nil): nil
                case .success(let observation?): ObservationItem("entry \(index + 1)", entry(observation))
                case .failure(let fault): ObservationItem("entry \(index + 1)", .failure(fault))
                }
            }
            guard !items.isEmpty else {
                throw ObservationFault(
                    seen: "a Bundle without an Observation", expected: "at least one",
                    remedy: "put an Observation into an entry, as its resource")
            }
            return items
        default: throw strange(head)
        }
    }

    /// Reads one Observation.
    static func observation(
        _ bytes: [UInt8], limit: Int
    ) -> Result<ObservationEntry, ObservationFault> {
        Result { () throws(ObservationFault) in
            let head: Head = try decode(bytes, limit)
            guard head.resourceType == "Observation" else { throw strange(head) }
            return try entry(try decode(bytes, limit)).get()
        }
    }

    private static func strange(_ head: Head) -> ObservationFault {
        ObservationFault(
            seen: "the resourceType \(ObservationFault.quoted(head.resourceType))",
            expected: "Observation, or in a .json file a Bundle",
            remedy: "hand over Observations of FHIR R4")
    }

    private static func decode<Value: Decodable>(
        _ bytes: [UInt8], _ limit: Int
    ) throws(ObservationFault) -> Value {
        do {
            return try JSONReader.decode(
                Value.self, from: bytes, limit: limit, mostValues: ObservationParser.mostJSONValues)
        } catch {
            throw fault(error)
        }
    }

    private static func fault(_ error: any Error) -> ObservationFault {
        switch error {
        case let fault as ObservationFault: return fault
        case JSONFault.tooManyValues(let count, let most):
            return ObservationParser.tooMany(count, "values and more", most: most)
        case let fault as JSONFault:
            return ObservationFault(
                seen: "a text that is no JSON of FHIR (\(fault))", expected: "one whole JSON object in UTF-8",
                remedy: "write the file under another name and rename it when it is complete")
        case DecodingError.keyNotFound(let key, let context):
            return ObservationFault(
                seen: "no member \(ObservationFault.quoted(path(context.codingPath + [key])))",
                expected: "an Observation of FHIR R4", remedy: "add the member")
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            return ObservationFault(
                seen: "another type of value at \(ObservationFault.quoted(path(context.codingPath)))",
                expected: "an Observation of FHIR R4", remedy: "write the member as FHIR R4 has it")
        default:
            return ObservationFault(
                seen: "a text that cannot be read", expected: "an Observation of FHIR R4",
                remedy: "validate it against FHIR R4")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map(\.stringValue).joined(separator: ".")
    }

    // MARK: One Observation

    private static func entry(_ observation: Observation) -> Result<ObservationEntry, ObservationFault> {
        Result { () throws(ObservationFault) in
            guard ["final", "amended", "corrected"].contains(observation.status) else {
                throw ObservationFault(
                    seen: "the status \(ObservationFault.quoted(observation.status))",
                    expected: "final, amended or corrected",
                    remedy:
                        "hand it over when its value is settled; a value that was taken cannot be taken back")
            }
            guard let time = observation.effectiveDateTime ?? observation.effectiveInstant else {
                throw ObservationFault(
                    seen: "neither effectiveDateTime nor effectiveInstant", expected: WallTime.rfc3339Form,
                    remedy: "add effectiveDateTime; a period is not read")
            }
            return try ObservationEntry(
                id: observation.id ?? observation.identifier?.compactMap(\.value).first, time: time,
                subject: observation.subject?.reference, values: try values(of: observation))
        }
    }

    private static func values(of observation: Observation) throws(ObservationFault) -> [ObservedValue] {
        let codings = pairs(observation.code)
        guard codings.contains(where: { FHIRKind.isPressurePanel(system: $0.system, code: $0.code) }) else {
            return [try value(observation.valueQuantity, kind(codings))]
        }
        var values: [ObservedValue] = []
        for component in observation.component ?? [] where component.dataAbsentReason == nil {
            values.append(try value(component.valueQuantity, kind(pairs(component.code))))
        }
        guard !values.isEmpty else {
            throw ObservationFault(
                seen: "a blood pressure without a component that has a value",
                expected: "the components 8480-6 and 8462-4", remedy: "add their valueQuantity")
        }
        return values
    }

    private static func pairs(_ concept: Concept) -> [(system: String, code: String)] {
        (concept.coding ?? []).compactMap { coding in
            guard let system = coding.system, let code = coding.code else { return nil }
            return (system, code)
        }
    }

    private static func kind(_ codings: [(system: String, code: String)]) throws(ObservationFault) -> FHIRKind {
        let kinds = codings.compactMap { FHIRKind(system: $0.system, code: $0.code) }
        guard let first = kinds.first else {
            let codes = codings.map { "\($0.system)|\($0.code)" }.joined(separator: ", ")
            throw ObservationFault(
                seen: codings.isEmpty ? "no code" : "the code \(ObservationFault.quoted(codes))",
                expected: "a LOINC code of docs/integrator/fhir.md, with the system http://loinc.org",
                remedy: "add its coding, or leave the Observation out")
        }
        guard kinds.allSatisfy({ $0.kind == first.kind }) else {
            throw ObservationFault(
                seen: "codes of \(Set(kinds.map(\.kind.rawValue)).sorted().joined(separator: " and "))",
                expected: "codes of one kind", remedy: "write an Observation for each kind")
        }
        return first
    }

    private static func value(_ quantity: Quantity?, _ kind: FHIRKind) throws(ObservationFault) -> ObservedValue
    {
        guard let quantity, let value = quantity.value else {
            throw ObservationFault(
                seen: "no value of \(kind.kind.rawValue)", expected: "a valueQuantity",
                remedy: "add it, or leave the Observation out")
        }
        guard quantity.system == ucum, let unit = quantity.code else {
            throw ObservationFault(
                seen: "a quantity without its UCUM code", expected: "the system \(ucum) and a code",
                remedy: "add both; the member unit is for people alone")
        }
        return try ObservedValue(kind.kind, value, in: unit, kind.sampling)
    }
}
