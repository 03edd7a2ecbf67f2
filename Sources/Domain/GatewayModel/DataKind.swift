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
    public func title(in language: PersonProfile.Language) -> String {
        switch self {
        case .quantity(let kind): kind.words(in: language).title
        case .location:
            switch language {
            case .english: "Location"
            case .italian: "Posizione"
            }
        case .limits:
            switch language {
            case .english: "Alarm limits"
            case .italian: "Soglie degli allarmi"
            }
        case .profile(let item): item.title(in: language)
        }
    }
}

extension ProfileItem {
    /// Name for people, such as `Date of birth`.
    public func title(in language: PersonProfile.Language) -> String {
        switch language {
        case .english:
            switch self {
            case .name: "Name"
            case .birthDate: "Date of birth"
            case .gender: "Gender"
            case .height: "Height"
            case .telephone: "Telephone number"
            case .fiscalCode: "Fiscal code"
            case .nationalID: "National identity number"
            case .notes: "Notes for helpers"
            case .contacts: "Contacts"
            }
        case .italian:
            switch self {
            case .name: "Nome"
            case .birthDate: "Data di nascita"
            case .gender: "Sesso"
            case .height: "Altezza"
            case .telephone: "Numero di telefono"
            case .fiscalCode: "Codice fiscale"
            case .nationalID: "Numero del documento d'identità"
            case .notes: "Note per i soccorritori"
            case .contacts: "Contatti"
            }
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
