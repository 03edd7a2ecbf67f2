import Contract
public import GatewayModel
import JSONReading

/// One Observation of HL7 FHIR R4, as a gateway publishes it instead of a sample (<https://hl7.org/fhir/R4/observation.html>).
public struct ObservationRecord: Hashable, Sendable {
    public struct Value: Hashable, Sendable {
        public let kind: QuantityKind
        /// In the unit of the kind.
        public let value: Double
    }

    public let id: MessageID
    public let person: PersonID
    /// Nil for a resource that names none.
    public let device: DeviceID?
    /// When the value held; the time of the ID where the resource tells none.
    public let time: WallTime
    /// Values of kinds that this program knows; two of a cuff.
    public let values: [Value]
    /// Milliseconds between the beats that came with a heart rate, in order.
    public let beatIntervals: [Double]
    /// It arrived at the gateway so much later than it held that the device had stored it.
    public let isHistory: Bool
    /// Handed over by another program of the house.
    public let isFromApp: Bool
    /// JSON of the resource.
    public let resource: [UInt8]

    /// Time between measurement and arrival from which a value was stored: a live one takes seconds.
    private static let storedAfter = Duration.seconds(600)
    private static let ucum = "http://unitsofmeasure.org"

    /// Reads an Observation, or a Bundle of resources. All or none.
    static func read(_ payload: [UInt8], of person: PersonID) throws(ContractFault) -> [ObservationRecord] {
        let whole: JSONValue = try WirePayload.read(from: payload, names: .asWritten)
        let head: Head = try WirePayload.read(from: payload, names: .asWritten)
        guard head.resourceType == "Bundle" else {
            let resource: Resource = try WirePayload.read(from: payload, names: .asWritten)
            return [try ObservationRecord(resource, payload, of: person)]
        }
        let bundle: Bundle = try WirePayload.read(from: payload, names: .asWritten)
        guard let entries = bundle.entry, let texts = whole["entry"]?.list, entries.count == texts.count else {
            throw .form("the Bundle has no entry")
        }
        var records: [ObservationRecord] = []
        for (entry, text) in zip(entries, texts) {
            guard let bytes = text["resource"]?.bytes else { throw .form("the member 'resource' is missing") }
            records.append(try ObservationRecord(entry.resource, bytes, of: person))
        }
        return records
    }

    private init(_ resource: Resource, _ bytes: [UInt8], of person: PersonID) throws(ContractFault) {
        let subject = resource.subject?.reference
        guard subject == nil || subject == "Patient/\(person)" else { throw .elsewhere(member: "subject") }
        (id, self.person, self.resource) = (resource.id, person, bytes)
        let prefix = "Device/"
        device = resource.device?.reference.flatMap { reference in
            reference.hasPrefix(prefix) ? DeviceID(String(reference.dropFirst(prefix.count))) : nil
        }
        let effective = resource.effectiveDateTime?.wall
        time = effective ?? resource.id.wall
        isHistory =
            zip(resource.issued?.wall, effective).map { $0.0 > $0.1.advanced(by: Self.storedAfter) } ?? false
        isFromApp = resource.meta?.source?.text.hasPrefix("urn:homegateway:app:") ?? false
        let isReading =
            resource.resourceType == "Observation" && effective != nil && device != nil
            && ["final", "amended", "corrected"].contains(resource.status)
        let parts = resource.component ?? []
        var values: [Value] = []
        if isReading, let value = Self.value(resource.valueQuantity, resource.code) { values.append(value) }
        let beats = parts.compactMap { Self.value($0.valueQuantity, $0.code) }
        if isReading, resource.code?.isPressurePanel == true { values += beats }
        self.values = values
        beatIntervals =
            values.contains { $0.kind == .heartRate }
            ? beats.filter { $0.kind == .rrInterval }.map(\.value) : []
    }

    private static func value(_ quantity: Quantity?, _ code: Concept?) -> Value? {
        guard let quantity, let number = quantity.value?.value, quantity.system == ucum,
            let unit = quantity.code, let kind = code?.kind, let value = kind.value(number, in: unit)
        else { return nil }
        return Value(kind: kind, value: value)
    }

    // MARK: Resources

    private struct Head: Decodable {
        let resourceType: String
    }

    private struct Coding: Decodable {
        let system, code: String?
    }

    private struct Concept: Decodable {
        let coding: [Coding]?
        let text: String?

        private var pairs: [(system: String, code: String)] {
            (coding ?? []).compactMap { coding in
                guard let system = coding.system, let code = coding.code else { return nil }
                return (system, code)
            }
        }

        /// A kind without a code has its English title alone.
        var kind: QuantityKind? {
            pairs.lazy.compactMap { FHIRKind(system: $0.system, code: $0.code)?.kind }.first
                ?? QuantityKind.allCases.first { $0.coding.title == text }
        }

        var isPressurePanel: Bool {
            pairs.contains { FHIRKind.isPressurePanel(system: $0.system, code: $0.code) }
        }
    }

    private struct Quantity: Decodable {
        let value: WireNumber?
        let system, code: String?
    }

    private struct Reference: Decodable {
        let reference: String?
    }

    private struct Component: Decodable {
        let code: Concept?
        let valueQuantity: Quantity?
    }

    private struct Meta: Decodable {
        let source: WireText?
    }

    private struct Resource: Decodable {
        let resourceType: String
        let id: MessageID
        let status: String?
        let code: Concept?
        let subject, device: Reference?
        let effectiveDateTime, issued: WireTime?
        let valueQuantity: Quantity?
        let component: [Component]?
        let meta: Meta?

        private enum CodingKeys: String, CodingKey {
            case resourceType, id, status, code, subject, device, effectiveDateTime, issued, valueQuantity,
                component, meta
        }

        /// Members of other resources of the same name may have another form: only the type and the ID are needed.
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            resourceType = try members.decode(String.self, forKey: .resourceType)
            id = try members.decode(MessageID.self, forKey: .id)
            subject = try members.decodeIfPresent(Reference.self, forKey: .subject)
            (status, code, device) = (members.part(.status), members.part(.code), members.part(.device))
            (effectiveDateTime, issued) = (members.part(.effectiveDateTime), members.part(.issued))
            (valueQuantity, component) = (members.part(.valueQuantity), members.part(.component))
            meta = members.part(.meta)
        }
    }

    private struct Bundle: Decodable {
        struct Entry: Decodable {
            let resource: Resource
        }

        let entry: [Entry]?
    }
}

/// Both values, or nil.
private func zip<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
}
