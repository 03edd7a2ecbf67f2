import GatewayModel
import SOSLocal

/// Profile of a person, for their export.
struct PersonRecord: Encodable {
    struct Contact: Encodable {
        let name, phone: String
        let relation: String?
        let getsNotices: Bool
    }

    let id, name, language, address: String
    let birthYear: Int?
    let birthDate, gender, telephone, fiscalCode, nationalId: String?
    let heightCm: Int?
    /// Degrees, WGS 84; nil where the settings have no coordinates.
    let latitude, longitude: Double?
    let contacts: [Contact]
    let medicalNotes: [String]

    init(_ profile: PersonProfile) {
        (id, name, language) = (profile.id.text, profile.name, profile.language.rawValue)
        (birthYear, medicalNotes) = (profile.birthYear, profile.medicalNotes)
        (birthDate, gender) = (profile.birth?.description, profile.gender?.rawValue)
        (telephone, heightCm) = (profile.phone, profile.height)
        (fiscalCode, nationalId) = (profile.fiscalCode?.text, profile.nationalID)
        let place = profile.home.coordinates
        (address, latitude, longitude) = (profile.home.address, place?.latitude, place?.longitude)
        contacts = profile.contacts.map {
            Contact(
                name: $0.name, phone: $0.phone, relation: $0.relation, getsNotices: $0.getsNotices)
        }
    }
}

/// Limit that holds for a person, for their export.
struct LimitRecord: Encodable {
    let kind, slot, unit: String
    let limit: Double

    init(_ rule: LimitRule) {
        (kind, slot) = (rule.kind.rawValue, rule.slot.rawValue)
        (unit, limit) = (rule.kind.coding.unit, rule.limit)
    }
}
