/// Kind of a person's data that a third party can ask for. The person grants each kind on its own.
public enum DataKind: Hashable, Sendable {
    case quantity(QuantityKind)
    /// Where the person is.
    case location
    /// Limits of the person's alarms. They are sent at the grant and after each change.
    case limits
    /// Item of the person's profile. It is sent at the grant and after each change.
    case profile(ProfileItem)
}

extension DataKind: RawRepresentable, CaseIterable, Codable {
    private static let locationName = "location"
    private static let limitsName = "limits"
    private static let profilePrefix = "profile-"

    public static let allCases: [DataKind] =
        QuantityKind.allCases.map { .quantity($0) } + [.location, .limits]
        + ProfileItem.allCases.map { .profile($0) }

    /// Kinds that are sent at the grant and after each change.
    public static let facts = [.limits] + ProfileItem.allCases.map { DataKind.profile($0) }

    /// Name on the wire and in the ledger: that of the quantity, `location`, `limits`, or `profile-` and the name of the item.
    public var rawValue: String {
        switch self {
        case .quantity(let kind): kind.rawValue
        case .location: Self.locationName
        case .limits: Self.limitsName
        case .profile(let item): Self.profilePrefix + item.rawValue
        }
    }

    public init?(rawValue: String) {
        if let kind = QuantityKind(rawValue: rawValue) {
            self = .quantity(kind)
        } else if rawValue == Self.locationName {
            self = .location
        } else if rawValue == Self.limitsName {
            self = .limits
        } else if rawValue.hasPrefix(Self.profilePrefix),
            let item = ProfileItem(rawValue: String(rawValue.dropFirst(Self.profilePrefix.count)))
        {
            self = .profile(item)
        } else {
            return nil
        }
    }

    /// Nil for data that is no reading.
    public var quantity: QuantityKind? {
        if case .quantity(let kind) = self { kind } else { nil }
    }

    /// Name for people, such as `Heart rate`.
    public var title: Text {
        switch self {
        case .quantity(let kind):
            Text(en: kind.words(in: .english).title, it: kind.words(in: .italian).title)
        case .location: Text(en: "Location", it: "Posizione")
        case .limits: Text(en: "Alarm limits", it: "Soglie degli allarmi")
        case .profile(let item): item.title
        }
    }
}

extension ProfileItem {
    /// Name for people, such as `Date of birth`.
    public var title: Text {
        switch self {
        case .name: Text(en: "Name", it: "Nome")
        case .birthDate: Text(en: "Date of birth", it: "Data di nascita")
        case .gender: Text(en: "Gender", it: "Sesso")
        case .height: Text(en: "Height", it: "Altezza")
        case .telephone: Text(en: "Telephone number", it: "Numero di telefono")
        case .fiscalCode: Text(en: "Fiscal code", it: "Codice fiscale")
        case .nationalID: Text(en: "National identity number", it: "Numero del documento d'identità")
        case .notes: Text(en: "Notes for helpers", it: "Note per i soccorritori")
        case .contacts: Text(en: "Contacts", it: "Contatti")
        }
    }
}

/// Precision of the positions that a third party gets.
public enum LocationPrecision: String, CaseIterable, Hashable, Codable, Sendable {
    /// Centre of a cell of a fixed grid, about a kilometre wide.
    case coarse
    /// As it was measured.
    case exact
}

/// Right of an account of TrackMe over a person's data, after the yes at home. The words are those of the contract.
public enum LinkRole: String, CaseIterable, Hashable, Codable, Sendable {
    /// Sees the data as they are shown in the house.
    case looks
    /// Also decides for the person at TrackMe.
    case acts
}
