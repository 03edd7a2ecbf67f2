import GatewayModel
import SOSLocal

struct PersonDocument: Encodable {
    struct Contact: Encodable {
        let name: String
        let phone: String
        let relation: String?
    }

    let id: String
    let name: String
    let birthYear: Int?
    let language: String
    let homeAddress: String
    let contacts: [Contact]
    let medicalNotes: [String]

    init(_ profile: PersonProfile) {
        id = profile.id.text
        name = profile.name
        birthYear = profile.birthYear
        language = profile.language.rawValue
        homeAddress = profile.home.address
        contacts = profile.contacts.map { Contact(name: $0.name, phone: $0.phone, relation: $0.relation) }
        medicalNotes = profile.medicalNotes
    }
}

/// A measured value with its UCUM unit and, where there is one, its LOINC code.
struct ValueDocument: Encodable {
    let device: String
    let kind: String
    let value: Double?
    let unit: String
    let loinc: String?
    let time: String

    init(_ reading: Reading) {
        let kind = reading.quantity.kind
        device = reading.device.text
        self.kind = kind.rawValue
        value = reading.quantity.value.finite
        unit = kind.coding.unit
        loinc = kind.coding.loinc
        time = reading.measured.internetTime
    }
}

struct CauseDocument: Encodable {
    struct Score: Encodable {
        let points: Int
        let parameters: Int
        let limit: Int
    }

    /// `heart-rate-high`, `sos-button`, `early-warning-score`, `sensor-silent`, `drill`.
    let name: String
    let family: String
    let device: String?
    /// What raised the alarm, of a silent sensor the last there was.
    let value: ValueDocument?
    /// In the unit of `value`.
    let limit: Double?
    let score: Score?
    let silentForS: Int64?

    init(_ cause: AlarmCause) {
        name = cause.name
        family = cause.family.rawValue
        device = cause.device?.text
        value = cause.reading.map(ValueDocument.init)
        limit = cause.crossing?.rule.limit.finite
        if case .earlyWarning(let warning) = cause {
            score = Score(points: warning.points, parameters: warning.parameters, limit: warning.limit)
        } else {
            score = nil
        }
        if case .silence(let silence) = cause {
            silentForS = silence.limit.components.seconds
        } else {
            silentForS = nil
        }
    }
}

struct TrendDocument: Encodable {
    let device: String
    let kind: String
    let unit: String
    let loinc: String?
    /// How many milliseconds before the order each of `values` came, the oldest first.
    let beforeMs: [Int64]
    let values: [Double]

    init(_ line: TrendLine, before order: BootInstant) {
        let known = line.readings.filter { $0.quantity.value.isFinite }
        device = line.device.text
        kind = line.kind.rawValue
        unit = line.kind.coding.unit
        loinc = line.kind.coding.loinc
        beforeMs = known.map { $0.arrival.boot.duration(to: order).wholeMilliseconds }
        values = known.map(\.quantity.value)
    }
}

struct LocationDocument: Encodable {
    /// `fix`, `last-known` or `installed` (T9): always said.
    let source: String
    let latitude: Double?
    let longitude: Double?
    let altitudeM: Double?
    /// The receiver's own estimate, in most receivers at 95 %.
    let errorM: Double?
    /// How old the position is; nil for the installed address.
    let ageS: Double?
    /// Owner of the position: `wearable` (the person's own) or `box`; nil for the installed address.
    let of: String?
    /// The wearable.
    let device: String?
    let address: String?

    init(_ location: AlarmLocation) {
        source = location.source
        latitude = location.coordinates?.latitude
        longitude = location.coordinates?.longitude
        altitudeM = location.fix?.altitude?.finite
        errorM = location.fix?.horizontalError?.finite
        ageS = location.age.map { Double($0.wholeMilliseconds) / 1_000 }
        of = location.bearer?.word
        device = location.bearer?.device?.text
        if case .installed(let place) = location { address = place.address } else { address = nil }
    }
}
