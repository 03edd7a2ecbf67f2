public import GatewayModel

/// Copy of a person's data for one third party, as the house addressed it. Its content is opaque to the cloud, also
/// where it is not sealed: the house decided it, the cloud relays the bytes.
public struct PartyCopy: Hashable, Sendable {
    public let party: PartyID
    public let person: PersonID
    /// As the topic names it; a newer gateway may have kinds that this program does not know.
    public let kind: String
    /// It reports missing copies.
    public let isGap: Bool
    /// Two messages of the same ID have the same content. Nil for gathered readings that are not sealed: each of them
    /// has its own.
    public let id: MessageID?
    /// Name of the key that it is sealed to; nil if it is not sealed.
    public let sealedTo: String?
    /// Number of the grant; nil in a sealed copy and in FHIR.
    public let grant: Int?
    /// The request that it answers; nil of a gateway before 1.9 of the contract.
    public let request: RequestID?
    /// Time of its oldest value; of a gap, of its latest missing reading. Of a sealed copy the time of its ID, which is that
    /// of a reading. Nil of an item of the profile and of limits, which last, and where the copy shows none.
    public let measured: WallTime?
    /// As it came.
    public let payload: [UInt8]

    public init(
        _ payload: [UInt8], for party: PartyID, of person: PersonID, kind: String, isGap: Bool
    ) throws(ContractFault) {
        let fields: Fields = try WirePayload.read(from: payload)
        guard fields.party ?? party == party else { throw .elsewhere(member: "party") }
        guard fields.person ?? person == person else { throw .elsewhere(member: "person") }
        guard fields.kind ?? kind == kind else { throw .elsewhere(member: "kind") }
        if fields.sealed != nil {
            guard fields.id != nil, fields.kid != nil else { throw .form("a sealed copy has no id or no kid") }
        } else if fields.resourceType == nil {
            guard fields.party != nil, fields.person != nil, let grant = fields.grant, grant >= 1 else {
                throw .form("the copy does not name its party, its person and its grant")
            }
        }
        (self.party, self.person, self.kind, self.isGap) = (party, person, kind, isGap)
        (id, sealedTo, grant) = (fields.id, fields.kid?.text, fields.grant)
        request = try Self.request(of: fields)
        if DataKind(rawValue: kind).map(DataKind.facts.contains) == true {
            measured = nil
        } else {
            measured = (isGap ? fields.to?.value?.wall : fields.times.min()) ?? fields.id?.wall
        }
        self.payload = payload
    }

    /// A bundle answers one request: the house puts copies of one grant together.
    private static func request(of fields: Fields) throws(ContractFault) -> RequestID? {
        let entries = (fields.entry?.value ?? []).map { $0.resource?.basedOn }
        let named = ([fields.basedOn] + entries).compactMap { $0?.value?.first?.identifier?.value }
        guard let first = fields.request?.text ?? named.first else { return nil }
        guard let request = RequestID(first), named.allSatisfy({ $0 == first }) else {
            throw .form("the copy does not name one request")
        }
        return request
    }

    private struct Fields: Decodable {
        let id: MessageID?
        let party: PartyID?
        let person: PersonID?
        let kind: String?
        let grant: Int?
        let kid, sealed, request: WireSealed?
        let resourceType: String?
        let basedOn: Lenient<[Answered]>?
        // The content is opaque: a part of another form only shows no time.
        let to, time, effectiveDateTime: Lenient<WireTime>?
        let samples: Lenient<[Timed]>?
        let entry: Lenient<[Entry]>?

        var times: [WallTime] {
            let single = [time, effectiveDateTime].compactMap { $0?.value?.wall }
            let gathered = (samples?.value ?? []).compactMap { $0.time?.value?.wall }
            return single + gathered
                + (entry?.value ?? []).compactMap { $0.resource?.effectiveDateTime?.value?.wall }
        }
    }

    private struct Timed: Decodable {
        let time: Lenient<WireTime>?
    }

    private struct Entry: Decodable {
        struct Resource: Decodable {
            let effectiveDateTime: Lenient<WireTime>?
            let basedOn: Lenient<[Answered]>?
        }

        let resource: Resource?
    }

    /// Reference of FHIR to the request.
    private struct Answered: Decodable {
        struct Identifier: Decodable {
            let value: String?
        }

        let identifier: Identifier?
    }

    /// Text of any length within the payload.
    private struct WireSealed: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
        }
    }
}
