import Consent
import GatewayModel

/// Payload of `parties/<party>/<person>/location`.
struct LocationPayload: Encodable {
    let id: String
    let party: String
    let person: String
    /// Number of the ledger's entry that granted it.
    let grant: Int64
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
        precision = grant.request.precision.rawValue
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

/// Payload of `parties/<party>/<person>/profile-<item>`.
struct ProfilePayload: Encodable {
    struct Contact: Encodable {
        let name: String
        /// E.164.
        let phone: String
        let relation: String?
    }

    let id: String
    let party: String
    let person: String
    /// Number of the ledger's entry that granted it.
    let grant: Int64
    let kind: String
    /// RFC 3339: when the gateway found the value.
    let time: String
    // One of them; a text that the person does not tell is null.
    private let text: String?
    private let notes: [String]?
    private let contacts: [Contact]?

    init(_ shared: Shared<ProfileDatum>, id: MessageID) {
        let (datum, grant) = (shared.value, shared.grant)
        (self.id, kind, time) = (id.description, datum.dataKind.rawValue, datum.time.rfc3339)
        (party, person, self.grant) = (grant.party.id.text, datum.person.text, grant.epoch.number)
        switch datum.value {
        case .text(let text): (self.text, notes, contacts) = (text, nil, nil)
        case .notes(let notes): (text, self.notes, contacts) = (nil, notes, nil)
        case .contacts(let contacts):
            (text, notes) = (nil, nil)
            self.contacts = contacts.map { Contact(name: $0.name, phone: $0.phone, relation: $0.relation) }
        }
    }

    private enum CodingKeys: CodingKey { case id, party, person, grant, kind, time, value }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(party, forKey: .party)
        try fields.encode(person, forKey: .person)
        try fields.encode(grant, forKey: .grant)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(time, forKey: .time)
        if let notes {
            try fields.encode(notes, forKey: .value)
        } else if let contacts {
            try fields.encode(contacts, forKey: .value)
        } else {
            try fields.encode(text, forKey: .value)
        }
    }
}
