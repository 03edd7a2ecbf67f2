import Consent
import GatewayModel

/// Payload of `parties/<party>/<person>/location`.
struct LocationPayload: Encodable {
    let id: String
    let party: String
    let person: String
    /// Number of the ledger's entry that granted it.
    let grant: Int64
    let request: String
    let kind: String
    /// Degrees, to the sixth digit: 11 cm.
    let latitude: Double
    let longitude: Double
    /// ± 95 %, metres; nil where the source does not say.
    let accuracyM: Double?
    /// A `LocationPrecision`.
    let precision: String
    /// `wearable` or `box`.
    let source: String
    /// Of an exact position of a wearable.
    let device: String?
    /// RFC 3339; of a coarse position the start of the minute.
    let time: String

    init(_ shared: Shared<PositionSample>, id: MessageID) {
        let (sample, grant) = (shared.value, shared.grant)
        (self.id, kind) = (id.description, sample.dataKind.rawValue)
        (party, person, self.grant) = (grant.party.id.text, sample.person.text, grant.epoch.number)
        (request, precision) = (grant.request.id.text, grant.request.precision.rawValue)
        let wearable: DeviceID?
        (source, wearable) =
            switch sample.source {
            case .wearable(let device): ("wearable", device)
            case .box: ("box", nil)
            }
        switch grant.request.precision {
        case .coarse:
            let coarse = sample.coarse
            (latitude, longitude) = Self.degrees(of: coarse.coordinates)
            (accuracyM, device, time) = (coarse.horizontalError, nil, coarse.measured.rfc3339)
        case .exact:
            (latitude, longitude) = Self.degrees(of: sample.coordinates)
            accuracyM = sample.horizontalError.map { max(0.1, ($0 * 10).rounded() / 10) }
            (device, time) = (wearable?.text, sample.measured.rfc3339)
        }
    }

    private static func degrees(of coordinates: Coordinates) -> (Double, Double) {
        func rounded(_ degrees: Double) -> Double { (degrees * 1_000_000).rounded() / 1_000_000 }
        return (rounded(coordinates.latitude), rounded(coordinates.longitude))
    }
}

/// Payload of `parties/<party>/<person>/profile-<item>` and `…/limits`.
struct FactPayload: Encodable {
    struct Contact: Encodable {
        let name: String
        /// E.164.
        let phone: String
        let relation: String?
    }

    /// Of one kind of reading.
    struct Limits: Encodable {
        let kind: String
        /// UCUM.
        let unit: String
        let low, high, warningLow, warningHigh: Double?
    }

    let id: String
    let party: String
    let person: String
    /// Number of the ledger's entry that granted it.
    let grant: Int64
    let request: String
    let kind: String
    /// RFC 3339: when the gateway found the value.
    let time: String
    private let value: PersonFact.Value

    init(_ shared: Shared<PersonFact>, id: MessageID) {
        let (fact, grant) = (shared.value, shared.grant)
        (self.id, kind, time) = (id.description, fact.kind.rawValue, fact.time.rfc3339)
        (party, person, self.grant) = (grant.party.id.text, fact.person.text, grant.epoch.number)
        (request, value) = (grant.request.id.text, fact.value)
    }

    private enum CodingKeys: CodingKey { case id, party, person, grant, request, kind, time, value }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(party, forKey: .party)
        try fields.encode(person, forKey: .person)
        try fields.encode(grant, forKey: .grant)
        try fields.encode(request, forKey: .request)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(time, forKey: .time)
        switch value {
        // A text that the person does not tell is null.
        case .text(let text): try fields.encode(text, forKey: .value)
        case .notes(let notes): try fields.encode(notes, forKey: .value)
        case .contacts(let contacts):
            try fields.encode(
                contacts.map { Contact(name: $0.name, phone: $0.phone, relation: $0.relation) }, forKey: .value)
        case .limits(let limits):
            try fields.encode(
                limits.map {
                    Limits(
                        kind: $0.kind.rawValue, unit: $0.kind.coding.unit, low: $0.low, high: $0.high,
                        warningLow: $0.warningLow, warningHigh: $0.warningHigh)
                }, forKey: .value)
        }
    }
}
